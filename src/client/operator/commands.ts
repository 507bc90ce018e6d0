import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { operatorUserRoutes } from '../../shared/api/holdings.ts'
import { operatorPaymentRoutes } from '../../shared/api/operator-payments.ts'
import { operatorOrderRoutes } from '../../shared/api/orders.ts'
import { type OperatorPage, operatorPages } from '../../shared/pages.ts'
import { can, type Right } from '../../shared/roles.ts'
import { readItems } from '../area/reading.ts'
import { pages } from './pages.ts'
import { pathOf, paths } from './paths.ts'
import { useOperator } from './session.ts'

export interface Command {
  key: string
  label: string
  kind: string
  path: string
}

const foundMax = 5

export function usePlaces(): Command[] {
  const { t, i18n } = useLingui()
  const { role } = useOperator()
  const known = (Object.keys(pages) as OperatorPage[]).flatMap((page) => {
    const { title } = pages[page]
    const { path, right }: { path: string; right?: Right } = operatorPages[page]
    if (!title || path.includes(':') || (right && !can(role, right))) return []
    return [{ key: page, label: i18n._(title), kind: t`page`, path: pathOf(page) }]
  })
  const actions: [label: string, right: Right, path: string][] = [
    [t`Approve waiting orders`, 'orders:decide', `${paths.orders}?view=waiting&direction=asc`],
    [t`Look at late or odd orders`, 'orders:read', `${paths.orders}?view=odd&direction=asc`],
    [t`Pay refunds back`, 'refunds:write', `${paths.payments}?tab=refunds`],
    [t`Add a wallet`, 'currencies:write', `${paths.payments}?tab=wallets`],
    [t`Look at chains and nodes`, 'orders:read', `${paths.payments}?tab=chains`],
    [t`Pause the sale`, 'campaign:write', paths.overview],
    [t`Add a currency`, 'currencies:write', paths.currencies],
    [t`Write an announcement`, 'content:write', paths.content],
    [t`Publish legal texts`, 'content:write', `${paths.content}?tab=legal`],
  ]
  return [
    ...known,
    ...actions
      .filter(([, right]) => can(role, right))
      .map(([label, , path]) => ({ key: label, label, kind: t`action`, path })),
  ]
}

export function useFound(search: string): Command[] {
  const { t } = useLingui()
  const { role } = useOperator()
  const query = { search, limit: foundMax }
  const enabled = search.length > 1 || /^\d+$/.test(search)
  const mayOrders = enabled && can(role, 'orders:read')
  const orders =
    useQuery({ ...readItems(operatorOrderRoutes.list, { query }), enabled: mayOrders }).data ?? []
  const payments =
    useQuery({ ...readItems(operatorPaymentRoutes.payments, { query }), enabled: mayOrders }).data ?? []
  const users =
    useQuery({
      ...readItems(operatorUserRoutes.list, { query }),
      enabled: enabled && can(role, 'users:read'),
    }).data ?? []
  if (!enabled) return []
  return [
    ...orders.map(({ id, email, userReference }) => ({
      key: `order ${id}`,
      label: `#${id} · ${email || userReference}`,
      kind: t`order`,
      path: paths.order(id),
    })),
    ...users.map(({ id, email, name }) => ({
      key: `user ${id}`,
      label: [email, name].filter(Boolean).join(' · ') || String(id),
      kind: t`user`,
      path: paths.user(id),
    })),
    ...payments.map(({ id, transactionId, amount, currency }) => ({
      key: `payment ${id}`,
      label: `${amount} ${currency ?? '?'} · ${transactionId.slice(0, 16)}…`,
      kind: t`payment`,
      path: `${paths.payments}?search=${encodeURIComponent(transactionId)}`,
    })),
  ]
}
