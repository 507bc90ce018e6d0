import { expect, test } from 'vitest'
import { toSendOf } from './to-send.ts'

const now = Date.parse('2026-01-01T12:00:00Z')
const order = {
  status: 'pending',
  detail: 'awaiting_payment',
  network: 'bitcoin',
  askedAmount: '0.040000',
  transactionId: null,
  withdrawnByOperator: false,
  expiresAt: '2026-01-01T12:30:00Z',
  payments: [],
} as unknown as Parameters<typeof toSendOf>[0]
const part = { ...order, status: 'approved', detail: 'underpaid' } as const
const paid = (...amounts: [state: string, amount: string][]) =>
  ({ payments: amounts.map(([state, amount]) => ({ state, amount })) }) as unknown as typeof order
const toSend = (facts: object, at = now) => toSendOf({ ...order, ...facts } as typeof order, at)

test('the whole amount is to be sent until more than too little is seen, or the buyer names the payment', () => {
  expect(toSend({})).toBe('0.04')
  expect(toSend(paid(['too_little', '0.000005']))).toBe('0.039995')
  // No block has held it for so long that the order waits for its payment again.
  expect(toSend(paid(['seen', '0.04']))).toBe('0.04')
  expect(toSend({ transactionId: 'ab'.repeat(32) })).toBeNull()
  expect(toSend({ withdrawnByOperator: true })).toBeNull()
  for (const detail of ['seen', 'confirming', 'expired', 'under_review', 'refund_due'])
    expect(toSend({ detail })).toBeNull()
  expect(toSend({ status: 'rejected', detail: 'rejected_by_operator' })).toBeNull()
})

test('of an order of which a part is bought the rest is to be sent, until it expires', () => {
  const half = { ...part, ...paid(['credited', '0.02'], ['replaced', '0.02']) }
  expect(toSend(half)).toBe('0.02')
  expect(toSend(half, Date.parse(part.expiresAt) - 1)).toBe('0.02')
  expect(toSend(half, Date.parse(part.expiresAt))).toBeNull()
  expect(toSend({ ...half, detail: 'credited' })).toBeNull()
  // A payment that was too little completes the order with the rest.
  expect(toSend({ ...part, ...paid(['credited', '0.02'], ['too_little', '0.000005']) })).toBe('0.019995')
})

test('nobody is asked for a rest that is on its way, or that no node relays', () => {
  expect(toSend({ ...part, ...paid(['credited', '0.02'], ['seen', '0.02']) })).toBeNull()
  // A fee that the sender's exchange took off may count as full.
  expect(toSend({ ...part, ...paid(['credited', '0.02'], ['confirming', '0.0198']) })).toBeNull()
  expect(toSend({ ...part, ...paid(['credited', '0.02'], ['confirming', '0.0197']) })).toBe('0.0003')
  expect(toSend({ ...part, ...paid(['credited', '0.03999455']) })).toBeNull()
  expect(toSend({ ...part, ...paid(['credited', '0.03999454']) })).toBe('0.00000546')
})
