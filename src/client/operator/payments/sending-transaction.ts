import type { OperatorRefund } from '../../../shared/api/payments.ts'

/**
 * The transaction id that an operator finds in the form: the only transfer that looks like the refund, else what was named before. Of
 * several lookalikes none is better, so that the operator chooses.
 */
export function likelySender({
  otherTransfers,
  transactionId,
}: Pick<OperatorRefund, 'otherTransfers' | 'transactionId'>): string {
  const [only, ...more] = new Set(otherTransfers.map((transfer) => transfer.transactionId))
  return (more.length === 0 ? only : undefined) ?? transactionId ?? ''
}
