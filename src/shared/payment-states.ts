/** The database computes the states (functions/payments/payment_state.sql); pages read their meaning here. */
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
  'dust',
] as const
/** Missing conditions of a confirmed payment (`payment_lacks`), in order of checking. */
export const paymentLacks = ['confirmations', 'final_block', 'second_node'] as const

export type PaymentState = (typeof paymentStates)[number]

interface PaymentStateFacts {
  /** The money is pending or received on the chain. */
  readonly isAlive: boolean
  /** An operator must attach it to an order or owe it back. */
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
  /** Worth less than its return, so neither bought nor owed; further payments may complete the order. */
  too_little: { isAlive: true, needsDecision: false },
  /** As little, but of another coin or to no order, so it completes none. */
  dust: { isAlive: false, needsDecision: false },
}

/** States in order. A reorg moves `sent` back to waiting for its block, never to `owed`. */
export const refundStates = ['owed', 'claimed', 'prepared', 'sent', 'paid', 'written_off'] as const
export type RefundState = (typeof refundStates)[number]
