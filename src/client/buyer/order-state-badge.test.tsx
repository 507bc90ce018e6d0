import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { OrderStateBadge } from './OrderStateBadge.tsx'

vi.mock('@lingui/react/macro', () => ({ Trans: () => null, useLingui: () => ({ t: String }) }))

const order = {
  status: 'pending',
  detail: 'awaiting_payment',
  transactionId: null,
  withdrawnByOperator: false,
  sentAt: null,
  watched: true,
} as const
const said = (facts: Partial<Parameters<typeof OrderStateBadge>[0]['order']>) =>
  renderToStaticMarkup(<OrderStateBadge order={{ ...order, ...facts }} />).replaceAll(/<[^>]*>/g, '')

test('an order awaits its payment until the buyer has sent it, and then the payment is looked for', () => {
  const sentAt = '2026-01-01T00:00:00.000Z'
  expect(said({})).toBe('pending · awaiting payment')
  expect(said({ sentAt })).toBe('pending · looking for the payment')
  const payments = [{ state: 'too_little' }] as never
  expect(said({ sentAt, payments })).toBe('pending · awaiting payment')
  // No chain is read for an order at a fixed address.
  expect(said({ sentAt, watched: false })).toBe('pending · transaction id missing')
  const named = { sentAt, watched: false, transactionId: 'ab'.repeat(32) }
  expect(said(named)).toBe('pending · payment named, to be checked')
})
