import type { OperatorRefund } from '../../../shared/api/payments.ts'

/** The only matching transfer, else the submitted one. */
export function likelySender({
  otherTransfers,
  transactionId,
}: Pick<OperatorRefund, 'otherTransfers' | 'transactionId'>): string {
  const [only, ...more] = new Set(otherTransfers.map((transfer) => transfer.transactionId))
  return (more.length === 0 ? only : undefined) ?? transactionId ?? ''
}
