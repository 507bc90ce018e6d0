import { dollars, figure } from '../../figures.ts'
import type { RefundFacts } from '../mail-kinds.ts'
import type { Templates, Words } from './template.ts'

export const refundMails: Templates<'refund_due' | 'refund_claimed' | 'refund_paid'> = {
  refund_due: (refund, words) => ({
    subject: words.text('subject'),
    blocks: [
      { p: words.text('news') },
      {
        facts: [
          words.fact('owed', amountOf(refund, words)),
          words.fact('in_dollars', dollars(refund.usd, words.language)),
        ],
      },
      { must: words.text('advice') },
      openOrder(refund, words),
    ],
  }),
  refund_claimed: (refund, words) => ({
    subject: words.text('subject'),
    blocks: [
      { p: words.text('news') },
      { facts: [words.fact('owed', amountOf(refund, words)), words.fact('to_address', refund.address)] },
      { must: words.text('advice') },
      openOrder(refund, words),
    ],
  }),
  refund_paid: (refund, words) => ({
    subject: words.text('subject'),
    blocks: [
      { must: words.text(refund.isByWord ? 'by_word' : 'on_chain') },
      {
        facts: [
          words.fact('paid_back', amountOf(refund, words)),
          words.fact('to_address', refund.address),
          words.fact('transaction', refund.transactionId),
        ],
      },
      openOrder(refund, words),
    ],
  }),
}

const amountOf = ({ amount, currency }: RefundFacts, { language }: Words) =>
  `${figure(amount, language)} ${currency}`

const openOrder = ({ link }: RefundFacts, { shared }: Words) => ({ button: shared('open_order'), href: link })
