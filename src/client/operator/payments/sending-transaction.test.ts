import { expect, test } from 'vitest'
import { likelySender } from './sending-transaction.ts'

const transfer = (transactionId: string) => ({
  transactionId,
  amount: '2',
  isOurs: false,
  blockHeight: null,
  explorerUrl: null,
})

test('a single transfer that looks like the refund is suggested, of several none [REFUND-5]', () => {
  const of = (ids: string[], transactionId: string | null = null) =>
    likelySender({ otherTransfers: ids.map(transfer), transactionId })
  expect(of([])).toBe('')
  expect(of(['a'])).toBe('a')
  expect(of(['a', 'a'])).toBe('a')
  expect(of(['a', 'b'])).toBe('')
  expect(of(['a', 'b'], 'named')).toBe('named')
})
