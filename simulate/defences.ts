export interface Unreached {
  readonly of: string
  /** A text in the lines; left out: the whole function. */
  readonly text?: string
  readonly why: string
}

const NOBODY_ASKS =
  'The program names only rows that exist. A caller that names another gets an error code or no effect, no exception.'
const RACE =
  'Another process did the same between two statements: tests race it, the simulation has one process.'

/**
 * Statements that guard against races, and against faults that other code already prevents. coverage.ts fails
 * if one is reached.
 */
export const defences: readonly Unreached[] = [
  { of: 'escrow/sign_escrow_quote', text: "refusal := 'order_unknown'", why: NOBODY_ASKS },
  { of: 'escrow/sign_escrow_quote', text: "refusal := 'order_not_escrowed'", why: NOBODY_ASKS },
  { of: 'ledger/grant_tokens', text: "refusal := 'user_unknown'", why: NOBODY_ASKS },
  { of: 'ledger/reverse_grant', text: "refusal := 'grant_unknown'", why: NOBODY_ASKS },
  { of: 'settlement/settle_order', text: 'if not found then return', why: NOBODY_ASKS },
  { of: 'refunds/mark_refund_sent', text: 'if not found then return null', why: NOBODY_ASKS },
  { of: 'refunds/name_refund_transaction', text: 'if not found then return null', why: NOBODY_ASKS },
  { of: 'payments/record_transfer', text: 'if not found then return', why: NOBODY_ASKS },
  { of: 'ledger/decide_soft_cap', text: 'is not true then return', why: RACE },
  { of: 'referral/decide_referral', text: 'then return false', why: RACE },
  {
    of: 'settlement/change_purchase',
    text: 'raise exception',
    why: 'An order has its room before it is approved, and what a round lists is judged first, so that nothing is refused.',
  },
  {
    of: 'settlement/settle_or_put_off',
    text: "if sqlstate like '40%' then raise",
    why: 'One process meets no deadlock.',
  },
  { of: 'settlement/settle_or_put_off', text: 'update orders', why: 'For unexpected errors.' },
  { of: 'settlement/settle_or_put_off', text: 'return false', why: 'For unexpected errors.' },
]

/** Features that the simulation does not cover yet. */
export const gaps: readonly Unreached[] = [
  { of: 'escrow/announce_escrow', why: 'Escrows are in force before the sale begins.' },
  { of: 'escrow/put_escrow_in_force', why: 'Escrows are in force before the sale begins.' },
  { of: 'escrow/note_escrow_look', why: 'Nobody looks at what an escrow owes.' },
  {
    of: 'escrow/sign_escrow_quote',
    text: 'if refusal is not null then return',
    why: 'No mailbox is unconfirmed.',
  },
  { of: 'payments/record_balance', why: 'No contract sends coins, which show in a balance alone.' },
  { of: 'payments/change_payment_amount', why: 'No transaction comes back with another amount or asset.' },
  {
    of: 'payments/note_payment_place',
    text: 'if not v_is_lost',
    why: 'No block says something else of what counted.',
  },
  { of: 'payments/confirmations_needed', text: 'if needed is null', why: 'Both chains have rules.' },
  { of: 'payments/record_transfer', text: 'return;', why: 'Nobody paid an address before it was given out.' },
  {
    of: 'payments/record_transfer',
    text: 'v_rule.needed :=',
    why: 'No block rewards an address of the sale.',
  },
  { of: 'refunds/record_refund_sending', why: 'No transaction that was to send a refund fails.' },
  { of: 'refunds/name_refund_transaction', why: 'No transaction is named after it was seen.' },
  {
    of: 'refunds/owe_refund',
    text: 'mark_refund_sent',
    why: 'No debt comes back after its transfer was seen.',
  },
  { of: 'refunds/owe_refund', text: 'update refunds', why: 'As above.' },
  { of: 'refunds/undo_lacking_refunds', why: 'No block lacks a refund that it had shown.' },
  {
    of: 'capacity/take_capacity',
    text: "return 'supply_reached'",
    why: 'The goals are lower than the supply.',
  },
  {
    of: 'settlement/settle_order',
    text: 'soft_cap_missed',
    why: 'Nothing of an approved order changes after the verdict.',
  },
  {
    of: 'settlement/settle_order',
    text: 'select * into o from orders where id = p_order_id',
    why: 'As above.',
  },
  { of: 'settlement/settle_order', text: "if o.status = 'rejected' then return", why: 'As above.' },
  {
    of: 'settlement/settle_payments',
    text: 'w := row(0',
    why: 'An order in a round rarely gets a payment and loses another at the same time.',
  },
]
