import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type OperatorOrder, operatorOrderRoutes } from '../../../shared/api/orders.ts'
import type { QueryIn } from '../../../shared/api/route.ts'
import { read } from '../../area/reading.ts'

const mostAtOnce = 100

export type Selection = ReturnType<typeof useSelection>

/** The selection spans pages of the list. */
export function useSelection(
  filters: Omit<QueryIn<typeof operatorOrderRoutes.list>, 'after' | 'limit'>,
  shown: readonly OperatorOrder[],
) {
  const client = useQueryClient()
  const [marked, setMarked] = useState<ReadonlyMap<number, OperatorOrder>>(new Map())
  const mark = (orders: readonly OperatorOrder[], isMarked: boolean) =>
    setMarked((before) => {
      const after = new Map(before)
      for (const order of orders) {
        if (isMarked && canApprove(order)) after.set(order.id, order)
        else after.delete(order.id)
      }
      return after
    })
  const markable = shown.filter(canApprove)
  const now = new Map(shown.map((order) => [order.id, order]))
  // Drop orders whose status changed since they were selected.
  const orders = [...marked.values()].filter(({ id, status }) => status === (now.get(id)?.status ?? status))
  const has = (id: number) => orders.some((order) => order.id === id)
  return {
    orders,
    has,
    mark,
    markShown: (isMarked: boolean) => mark(shown, isMarked),
    toggle: (order: OperatorOrder) => mark([order], !has(order.id)),
    clear: () => setMarked(new Map()),
    hasAllShown: markable.length > 0 && markable.every(({ id }) => has(id)),
    canMarkShown: markable.length > 0,
    markAllThatMatch: async () => {
      const query = { ...filters, status: filters.status ?? 'pending', limit: mostAtOnce } as const
      const { items } = await client.fetchQuery({
        ...read(operatorOrderRoutes.list, { query }),
        staleTime: 0,
      })
      mark(items, true)
    },
  }
}

export function canApprove({ actions }: OperatorOrder): boolean {
  return actions.includes('approve')
}
