import { z } from 'zod'
import { defineAction } from '../actions/actions.ts'
import { sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts'

const input = z.object({ orderId: z.string(), reason: z.string().optional() })

// Rules: DELETE-1
/** Deleting hides an order from the operators' default lists; its buyer still sees it. */
export const hidingActions = {
  /** Returns whether something changed. */
  'order.hide': defineAction({
    name: 'order.hide',
    input,
    execute: (unit, { orderId, reason }) => setHidden(unit, orderId, true, reason),
  }),
  'order.unhide': defineAction({
    name: 'order.unhide',
    input: input.pick({ orderId: true }),
    execute: (unit, { orderId }) => setHidden(unit, orderId, false),
  }),
}

async function setHidden(
  unit: UnitOfWork,
  orderId: string,
  hidden: boolean,
  reason?: string,
): Promise<boolean> {
  const order = await unit.maybeOne<{ user_id: string; hidden: boolean; may_hide: boolean }>(
    sql`select o.user_id, o.hidden,
               order_allows('hide', o.status, o.detail, o.hidden, o.watched) as may_hide
          from orders o where id = ${orderId} for update`,
  )
  if (!order) return refuse('order_unknown')
  if (order.hidden === hidden) return false
  if (hidden && !order.may_hide) refuse('order_not_hidable')
  await unit.query(
    sql`update orders set hidden = ${hidden}, updated_at = clock_timestamp() where id = ${orderId}`,
  )
  const because = reason ? { reason } : {}
  await unit.noteOrderEvent(orderId, hidden ? 'hidden' : 'unhidden', because)
  await unit.audit(
    hidden ? 'order.hide' : 'order.unhide',
    { type: 'order', id: orderId },
    {
      before: { hidden: !hidden },
      after: { hidden, ...because },
    },
  )
  await unit.tell('order_changed', {}, { orderId, userId: order.user_id })
  return true
}
