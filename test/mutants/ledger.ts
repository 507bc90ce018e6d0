import { embedded, type Mutant } from './mutant.ts'

const ledger = 'src/server/ledger/ledger.test.ts'
const orders = 'src/server/orders/orders.test.ts'
const takenBack = embedded('test/attacks/order-taken-back-by-one.test.ts')

/** Approvals, rejections, grants, and the check of all that. */
export const ledgerMutants: readonly Mutant[] = [
  {
    id: 'approve-unlocked',
    says: 'An order is approved without its lock.',
    edits: [
      [
        'functions/ledger/approve_orders.sql',
        '     order by a.position for update of o\n',
        '     order by a.position\n',
      ],
    ],
    killers: [embedded(ledger)],
  },
  {
    id: 'reject-unlocked',
    says: 'An order is rejected without its lock.',
    edits: [
      ['functions/ledger/reject_order.sql', 'where id = p_order_id for update;', 'where id = p_order_id;'],
      ['functions/ledger/undo_order.sql', 'where id = p_order_id for update;', 'where id = p_order_id;'],
    ],
    killers: [embedded(ledger)],
  },
  {
    id: 'underpaid-takes-nothing',
    says: 'What underpaid orders hold is taken for free where caps change.',
    edits: [
      [
        'functions/capacity/taken_capacity.sql',
        'where o.held\n',
        "where o.held and o.detail <> 'underpaid'\n",
      ],
    ],
    killers: [embedded('src/server/payments/check.test.ts')],
  },
  {
    id: 'received-never-returned',
    says: 'What was received in a currency stays counted once its order is reversed.',
    edits: [
      [
        'functions/ledger/post_orders.sql',
        'slot_of_connection(), sum(m.amount), sum(m.usd), v_sign * count(*)',
        'slot_of_connection(), sum(m.amount), sum(m.usd), count(*)',
      ],
    ],
    killers: [embedded(ledger)],
  },
  {
    id: 'reject-claimed',
    says: 'An order is taken back though its tokens are claimed.',
    edits: [
      [
        'functions/ledger/debit_order.sql',
        '     < h.claimed_tokens then',
        '     < h.claimed_tokens and false then',
      ],
    ],
    killers: [embedded(ledger)],
  },
  {
    id: 'grant-reversed-claimed',
    says: 'A grant is taken back though its tokens are claimed.',
    edits: [
      [
        'functions/ledger/reverse_grant.sql',
        '  if h.granted_tokens < v_amount\n     or h.',
        '  if false and h.granted_tokens < v_amount\n     or false and h.',
      ],
    ],
    killers: [embedded(ledger)],
  },
  {
    id: 'grant-reversed-twice',
    says: 'A grant is taken back twice.',
    edits: [
      [
        'functions/ledger/reverse_grant.sql',
        'if exists (select 1 from postings where reverses_id = p_posting_id) then',
        'if false then',
      ],
    ],
    killers: [embedded(ledger)],
  },
  {
    id: 'grant-to-deleted',
    says: 'Tokens are granted to a deleted account.',
    edits: [
      [
        'functions/ledger/grant_tokens.sql',
        'where id = p_user_id and deleted_at is null;',
        'where id = p_user_id;',
      ],
    ],
    killers: [embedded(ledger)],
  },
  {
    id: 'grant-unlocked',
    says: 'Tokens are granted without the locks of the pools.',
    edits: [['functions/ledger/grant_tokens.sql', '  perform lock_pools();\n', '']],
    killers: [embedded(ledger)],
  },
  {
    id: 'share-below-granted',
    says: 'The bonus share may fall below what is granted.',
    edits: [
      [
        'functions/capacity/set_capacity.sql',
        'or p_bonus_tokens < v_taken[3] + v_granted then',
        'or p_bonus_tokens < v_taken[3] then',
      ],
    ],
    killers: [embedded(ledger)],
  },
  {
    id: 'approve-expired-unheld',
    says: 'The approval of an expired order holds nothing again.',
    edits: [['functions/ledger/approve_orders.sql', 'when not v.held then', 'when false then']],
    killers: [embedded(orders)],
  },
  {
    id: 'rejected-not-owed',
    says: 'An operator rejects an order that was paid, and nothing is owed back.',
    edits: [
      [
        'functions/ledger/reject_order.sql',
        '  if exists (select 1 from payments where order_id = p_order_id) then',
        '  if false then',
      ],
    ],
    killers: [embedded('src/server/payments/payment-rules.test.ts')],
  },
  {
    id: 'deposits-after-reversal',
    says: 'A reversal leaves the buyer’s deposits growing.',
    edits: [
      [
        'functions/ledger/debit_order.sql',
        'deposits_usd = deposits_usd - o.usd',
        'deposits_usd = deposits_usd + o.usd',
      ],
    ],
    killers: [embedded(ledger)],
  },
  {
    id: 'approve-expired-refused-unheard',
    says: 'That an expired order has no room any more is ignored by its approval.',
    edits: [
      [
        'functions/ledger/approve_orders.sql',
        'continue when v_refusal is not null;',
        "continue when v_refusal not in ('cap_reached', 'supply_reached');",
      ],
    ],
    killers: [embedded(orders)],
  },
  {
    id: 'leaderboard-unasked',
    says: 'The leaderboard shows who did not choose it.',
    edits: [
      [
        'src/server/ledger/holdings.ts',
        ' where h.deposits_usd > 0 and u.shows_on_leaderboard and u.deleted_at is null`',
        ' where h.deposits_usd > 0 and u.deleted_at is null`',
      ],
    ],
    killers: [embedded(ledger)],
  },
  {
    id: 'check-finds-nothing',
    says: 'Most rules of the ledger’s check find nothing.',
    edits: [
      [
        'src/server/ledger/check.ts',
        '    if (asked.rows.length > 0 || asked.fault !== undefined) broken.push(asked)',
        "    if (asked.rows.length > 0 && ['entries_sum_to_zero', 'postings_balance', 'goals_are_kept'].includes(rule.name)) broken.push(asked)",
      ],
    ],
    killers: [embedded('src/server/payments/check.test.ts')],
  },
  {
    id: 'unasked-rule-holds',
    says: 'A rule that could not be asked counts as one that holds.',
    edits: [
      [
        'src/server/ledger/check.ts',
        '    if (asked.rows.length > 0 || asked.fault !== undefined) broken.push(asked)',
        '    if (asked.rows.length > 0) broken.push(asked)',
      ],
    ],
    killers: [embedded('src/server/solvency/solvency.test.ts')],
  },
  {
    id: 'approved-taken-back-by-one',
    says: 'One operator takes the tokens of an approved order from its buyer where two are asked for.',
    edits: [
      [
        'src/server/ledger/ledger-acts.ts',
        "if (status !== 'approved' && !(status === 'pending' && order.is_paid)) return",
        "if (!(status === 'pending' && order.is_paid)) return",
      ],
    ],
    killers: [takenBack],
  },
  {
    id: 'paid-rejected-by-one',
    says: 'One operator rejects an order that money came for, which is owed then, where two are asked for.',
    edits: [
      [
        'src/server/ledger/ledger-acts.ts',
        "if (status !== 'approved' && !(status === 'pending' && order.is_paid)) return",
        "if (status !== 'approved') return",
      ],
    ],
    killers: [takenBack],
  },
  {
    id: 'rejected-as-it-was-not-seen',
    says: 'An order is rejected that is approved by now, though its operator saw it wait.',
    edits: [
      [
        'src/server/ledger/ledger-acts.ts',
        "  if (seen && status !== seen && status !== 'rejected') refuse('order_changed')\n",
        '',
      ],
    ],
    killers: [takenBack],
  },
  {
    id: 'rejected-alone-while-approved',
    says: 'One operator rejects an unpaid order that is approved in the same moment.',
    edits: [
      [
        'src/server/ledger/ledger-acts.ts',
        'const asItStands = { orderId, reason, seen: status }',
        'const asItStands = { orderId, reason, seen }',
      ],
    ],
    killers: [takenBack],
  },
  {
    id: 'approved-by-hand-takes-nothing',
    says: 'A change of the campaign gives the room of orders that operators approved away again.',
    edits: [
      [
        'functions/capacity/taken_capacity.sql',
        'sum(t.raised_on_chain_usd + t.raised_by_operator_usd)',
        'sum(t.raised_on_chain_usd)',
      ],
    ],
    killers: [embedded('src/server/campaign/campaign-acts.test.ts', ledger)],
  },
  {
    id: 'held-takes-nothing',
    says: 'A change of the campaign gives the room that unpaid orders hold away again.',
    edits: [
      [
        'functions/capacity/taken_capacity.sql',
        'from orders o where o.held',
        'from orders o where false and o.held',
      ],
    ],
    killers: [embedded('src/server/campaign/campaign-acts.test.ts', ledger)],
  },
  {
    id: 'taken-back-stays-received',
    says: 'What was received in a currency grows when an order is taken back.',
    edits: [
      ['functions/ledger/post_orders.sql', 'v_sign * o.crypto_amount as amount', 'o.crypto_amount as amount'],
    ],
    killers: [embedded(ledger)],
  },
]
