import { z } from 'zod'
import { act } from '../acts/acts.ts'
import type { Change } from '../changes/changes.ts'
import { sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'

const input = z.object({ orderId: z.string(), reason: z.string().optional() })

// Rules: DELETE-1, DELETE-2
/** Deleting an order hides it from the operators' default lists; its buyer still sees it. */
export const hidingActs = {
  /** Answers whether this call changed something. Refuses order_unknown, order_not_hidable. */
  'order.hide': act({
    name: 'order.hide',
    input,
    perform: (change, { orderId, reason }) => setHidden(change, orderId, true, reason),
  }),
  /** Refuses order_unknown. */
  'order.unhide': act({
    name: 'order.unhide',
    input: input.pick({ orderId: true }),
    perform: (change, { orderId }) => setHidden(change, orderId, false),
  }),
}

async function setHidden(
  change: Change,
  orderId: string,
  hidden: boolean,
  reason?: string,
): Promise<boolean> {
  const order = await change.maybeOne<{ user_id: string; hidden: boolean; may_hide: boolean }>(
    sql`select user_id, hidden,
               order_allows('hide', status, detail, hidden, watched) as may_hide
          from orders where id = ${orderId} for update`,
  )
  if (!order) return refuse('order_unknown')
  if (order.hidden === hidden) return false
  if (hidden && !order.may_hide) refuse('order_not_hidable')
  await change.query(
    sql`update orders set hidden = ${hidden}, updated_at = clock_timestamp() where id = ${orderId}`,
  )
  const because = reason ? { reason } : {}
  await change.noteOrderEvent(orderId, hidden ? 'hidden' : 'unhidden', because)
  await change.audit(
    hidden ? 'order.hide' : 'order.unhide',
    { type: 'order', id: orderId },
    {
      before: { hidden: !hidden },
      after: { hidden, ...because },
    },
  )
  await change.tell('order_changed', {}, { orderId, userId: order.user_id })
  return true
}
