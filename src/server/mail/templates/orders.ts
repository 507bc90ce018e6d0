import { dollars, figure } from '../../figures.ts'
import type { OrderFacts } from '../mail-kinds.ts'
import { type Block, shownTime } from '../text.ts'
import type { Fact, Templates, Words } from './template.ts'

type Kind =
  | 'order_created'
  | 'order_approved'
  | 'order_rejected'
  | 'order_reversed'
  | 'order_underpaid'
  | 'order_expired'
  | 'wallet_changed'

/** Mails about an order. */
export const orderMails: Templates<Kind> = {
  order_created: (order, words) =>
    orderMail(order, words, [factsOf(order, words), { must: words.text('advice') }]),
  order_approved: (order, words) => orderMail(order, words, [factsOf(order, words)]),
  order_rejected: withAdvice,
  order_reversed: withAdvice,
  order_underpaid: (order, words) =>
    orderMail(order, words, [
      factsOf(order, words, words.fact('rest_until', shownTime(order.until))),
      { p: words.text('advice') },
    ]),
  order_expired: withAdvice,
  wallet_changed: (order, words) => orderMail(order, words, [{ must: words.text('advice') }]),
}

function withAdvice(order: OrderFacts, words: Words) {
  return orderMail(order, words, [factsOf(order, words), { p: words.text('advice') }])
}

const orderMail = ({ link }: OrderFacts, { text, shared }: Words, blocks: readonly Block[]) => ({
  subject: text('subject'),
  blocks: [{ p: text('news') }, ...blocks, { button: shared('open_order'), href: link }],
})

/** The amount stands as wallets read it, in every language: it is what people copy. */
const factsOf = (order: OrderFacts, { language, brand, fact }: Words, ...more: Fact[]): Block => ({
  facts: [
    fact('amount', `${order.cryptoAmount} ${order.currency}`),
    fact('total', `${figure(order.receiveTokens, language)} ${brand.symbol}`),
    fact('bonus_tokens', `${figure(order.bonusTokens, language)} ${brand.symbol}`),
    fact('in_dollars', dollars(order.usd, language)),
    ...more,
  ],
})
