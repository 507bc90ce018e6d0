import { never, remove, replace } from './edit.ts'
import { embedded, mutantsOf } from './mutant.ts'

const ledger = 'src/server/ledger/ledger.test.ts'
const orders = 'src/server/orders/orders.test.ts'
const takenBack = embedded('test/security-regressions/order-taken-back-by-one.test.ts')

export const ledgerMutants = mutantsOf({
  'approve-unlocked': {
    says: 'An order is approved without its lock.',
    edits: remove('approve_orders', 'for update of o'),
    killers: embedded(ledger),
  },
  'reject-unlocked': {
    says: 'An order is rejected without its lock.',
    edits: replace('reject_order', 'where id = p_order_id for update', 'where id = p_order_id'),
    killers: embedded(ledger),
  },
  'received-never-returned': {
    says: 'What was received in a currency stays counted once its order is reversed.',
    edits: replace(
      'post_orders',
      'm.made, sum(m.amount), sum(m.usd), v_sign * count(*)',
      'm.made, sum(m.amount), sum(m.usd), count(*)',
    ),
    killers: embedded(ledger),
  },
  'grant-reversed-twice': {
    says: 'A grant is taken back twice.',
    edits: never('reverse_grant', 'exists (select 1 from postings where reverses_id = p_posting_id)'),
    killers: embedded(ledger),
  },
  'grant-to-deleted': {
    says: 'Tokens are granted to a deleted account.',
    edits: remove('grant_tokens', 'and deleted_at is null'),
    killers: embedded(ledger),
  },
  'grant-unlocked': {
    says: 'Tokens are granted without the locks of the pools.',
    edits: remove('grant_tokens', 'perform lock_pools();'),
    killers: embedded(ledger),
  },
  'share-below-granted': {
    says: 'The bonus share may fall below what is granted.',
    edits: replace(
      'set_capacity',
      'pool_bonus_tokens = p_bonus_tokens - t.bonus - c.granted_tokens',
      'pool_bonus_tokens = p_bonus_tokens - t.bonus',
    ),
    killers: embedded(ledger),
  },
  'deposits-after-reversal': {
    says: 'A reversal leaves the buyer’s deposits growing.',
    edits: replace(
      'debit_order',
      'deposits_usd = deposits_usd - o.usd',
      'deposits_usd = deposits_usd + o.usd',
    ),
    killers: embedded(ledger),
  },
  'approve-expired-refused-unheard': {
    says: 'That an expired order has no room any more is ignored by its approval.',
    edits: replace(
      'approve_orders',
      'continue when v_refusal is not null;',
      "continue when v_refusal not in ('cap_reached', 'supply_reached');",
    ),
    killers: embedded(orders),
  },
  'leaderboard-unasked': {
    says: 'The leaderboard shows who did not choose it.',
    edits: remove('src/server/ledger/holdings.ts:ranked', 'and u.shows_on_leaderboard'),
    killers: embedded(ledger),
  },
  'check-finds-nothing': {
    says: 'Most rules of the ledger’s check find nothing.',
    edits: replace(
      'src/server/ledger/check.ts:checkLedger',
      'await askApart(tx, rule) … if (asked.rows.length > 0 || asked.fault !== undefined)',
      "await askApart(tx, rule) … if (asked.rows.length > 0 && ['entries_sum_to_zero', 'postings_balance', 'goals_are_kept'].includes(rule.name))",
    ),
    killers: embedded('src/server/payments/check.test.ts'),
  },
  'unasked-rule-holds': {
    says: 'A rule that could not be asked counts as one that holds.',
    edits: remove('src/server/ledger/check.ts:checkLedger', '|| asked.fault !== undefined'),
    killers: embedded('src/server/reserves/reserves.test.ts'),
  },
  'approved-taken-back-by-one': {
    says: 'One operator takes the tokens of an approved order from its buyer where two are asked for.',
    edits: remove('src/server/ledger/ledger-actions.ts:approvalForTakingBack', "status !== 'approved' &&"),
    killers: takenBack,
  },
  'paid-rejected-by-one': {
    says: 'One operator rejects an order that money came for, which is owed then, where two are asked for.',
    edits: remove(
      'src/server/ledger/ledger-actions.ts:approvalForTakingBack',
      "(status === 'pending' && order.is_paid) ||",
    ),
    killers: takenBack,
  },
  'owed-by-the-word-of-one': {
    says: 'One operator says what came to a fixed address, which is owed then, where two are asked for.',
    edits: replace(
      'src/server/ledger/ledger-actions.ts:approvalForTakingBack',
      '(came !== undefined && !isZero(came))',
      'false',
    ),
    killers: takenBack,
  },
  'granted-of-what-orders-need': {
    says: 'A grant takes of the bonus share what later orders need.',
    edits: replace('bonus_to_give', "coalesce(max((level ->> 'bonusPercent')::numeric), 0) / 100", '0.0'),
    killers: embedded('src/server/ledger/ledger.test.ts'),
  },
  'granted-of-what-undone-orders-need': {
    says: 'A grant takes what an order with a small bonus leaves, which another one needs once it is undone.',
    edits: remove('bonus_to_give', '+ t.bonus - b.best * (c.pool_sale_tokens + t.sale)'),
    killers: embedded('src/server/ledger/ledger.test.ts'),
  },
  'came-of-what-a-chain-shows': {
    says: 'An operator says what came for an order whose chain shows it.',
    edits: remove('reject_order', "when p_came is not null and o.watched then 'order_on_chain'"),
    killers: embedded('test/security-regressions/chain-or-operators.test.ts'),
  },
  'rejected-twice': {
    says: 'An order that was rejected is rejected again, and more is owed.',
    edits: replace('reject_order', 'or is_reported(o) or', 'or'),
    killers: embedded('test/security-regressions/said-later-of-a-fixed-address.test.ts'),
  },
  'rejected-as-it-was-not-seen': {
    says: 'An order is rejected that is approved by now, though its operator saw it wait.',
    edits: remove(
      'src/server/ledger/ledger-actions.ts:approvalForTakingBack',
      "if (seen && status !== seen && status !== 'rejected') refuse('order_changed')",
    ),
    killers: takenBack,
  },
  'rejected-alone-while-approved': {
    says: 'One operator rejects an unpaid order that is approved in the same moment.',
    edits: replace(
      'src/server/ledger/ledger-actions.ts:approvalForTakingBack',
      'if (seen && … const asItStands = { orderId, reason, seen: status, came }',
      'if (seen && … const asItStands = { orderId, reason, seen: seen, came }',
    ),
    killers: takenBack,
  },
  'approved-by-hand-takes-nothing': {
    says: 'A change of the campaign gives the room of orders that operators approved away again.',
    edits: remove('taken_capacity', '+ t.raised_by_operator_usd'),
    killers: embedded('src/server/campaign/campaign-actions.test.ts', ledger),
  },
  'held-takes-nothing': {
    says: 'A change of the campaign gives the room that unpaid orders hold away again.',
    edits: replace('taken_capacity', 'from orders o where o.held', 'from orders o where false and o.held'),
    killers: embedded('src/server/payments/settling-steps.test.ts'),
  },
  'taken-back-stays-received': {
    says: 'What was received in a currency grows when an order is taken back.',
    edits: replace(
      'post_orders',
      "'UTC')::date as made, v_sign * o.crypto_amount",
      "'UTC')::date as made, o.crypto_amount",
    ),
    killers: embedded(ledger),
  },
})
