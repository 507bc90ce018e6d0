/**
 * The states of a payment: what a chain shows on one of our addresses. The database writes them (`payment_state` in
 * functions/payments/payment_state.sql); pages read what each means from here.
 */
export const paymentStates = [
  'seen',
  'confirming',
  'credited',
  'final',
  'replaced',
  'orphaned',
  'failed',
  'wrong_asset',
  'unmatched',
  'returned',
  'too_little',
] as const
/** What a payment may still lack to count as confirmed (`payment_lacks`), in the order in which it is looked for. */
export const paymentLacks = ['confirmations', 'final_block', 'second_node'] as const

export type PaymentState = (typeof paymentStates)[number]

interface PaymentStateFacts {
  /** Whether its money is on its way or here, as far as the chain shows. */
  readonly isAlive: boolean
  /** Whether a person has to decide: attach it to an order, or owe it back. */
  readonly needsDecision: boolean
}

export const paymentStateFacts: Record<PaymentState, PaymentStateFacts> = {
  seen: { isAlive: true, needsDecision: false },
  confirming: { isAlive: true, needsDecision: false },
  credited: { isAlive: true, needsDecision: false },
  final: { isAlive: true, needsDecision: false },
  replaced: { isAlive: false, needsDecision: false },
  orphaned: { isAlive: false, needsDecision: false },
  failed: { isAlive: false, needsDecision: false },
  wrong_asset: { isAlive: false, needsDecision: true },
  unmatched: { isAlive: false, needsDecision: true },
  returned: { isAlive: false, needsDecision: false },
  /** Worth less than returning it, so that it is neither bought nor owed. With more it may still complete its order. */
  too_little: { isAlive: true, needsDecision: false },
}

/** The states of a refund, in their order; a reorg takes `sent` back to waiting for its block, never to `owed`. */
export const refundStates = ['owed', 'claimed', 'prepared', 'sent', 'paid', 'written_off'] as const
export type RefundState = (typeof refundStates)[number]
