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
] as const
/** What a payment may still lack to count as confirmed (`payment_lacks`), in the order in which it is looked for. */
export const paymentLacks = ['confirmations', 'final_block', 'second_node'] as const

export type PaymentState = (typeof paymentStates)[number]

interface PaymentStateFacts {
  /** Whether its money is on its way or here, as far as the chain shows. */
  readonly isAlive: boolean
  /** Whether a person has to decide: attach it to an order, or owe it back. */
  readonly needsDecision: boolean
  /** States that a payment may go to from this one; a reorg takes most of these steps back. */
  readonly next: readonly PaymentState[]
}

export const paymentStateFacts: Record<PaymentState, PaymentStateFacts> = {
  seen: {
    isAlive: true,
    needsDecision: false,
    next: ['confirming', 'credited', 'replaced', 'failed', 'orphaned'],
  },
  confirming: {
    isAlive: true,
    needsDecision: false,
    next: ['credited', 'final', 'orphaned', 'failed', 'returned'],
  },
  credited: {
    isAlive: true,
    needsDecision: false,
    next: ['final', 'orphaned', 'confirming', 'returned'],
  },
  final: { isAlive: true, needsDecision: false, next: ['returned'] },
  replaced: { isAlive: false, needsDecision: false, next: ['confirming', 'credited'] },
  orphaned: {
    isAlive: false,
    needsDecision: false,
    next: ['seen', 'confirming', 'credited', 'replaced', 'failed'],
  },
  failed: { isAlive: false, needsDecision: false, next: ['seen', 'confirming', 'credited'] },
  wrong_asset: { isAlive: false, needsDecision: true, next: ['confirming', 'credited', 'final'] },
  unmatched: { isAlive: false, needsDecision: true, next: ['confirming', 'credited', 'final'] },
  returned: { isAlive: false, needsDecision: false, next: ['confirming', 'credited', 'final'] },
}

/** The states of a refund, in their order; a reorg takes `sent` back to waiting for its block, never to `owed`. */
export const refundStates = ['owed', 'claimed', 'prepared', 'sent', 'paid', 'written_off'] as const
export type RefundState = (typeof refundStates)[number]
