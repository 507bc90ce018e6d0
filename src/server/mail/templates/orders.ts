import { payBackDays } from '../../../shared/campaign-settings.ts'
import { subtract } from '../../../shared/money.ts'
import { dollars, figure } from '../../figures.ts'
import { say } from '../../texts.ts'
import type { MailContent, OrderFacts } from '../mail-kinds.ts'
import { type Block, shownTime } from '../text.ts'
import type { Fact, Templates, Words } from './template.ts'

type Kind =
  | 'order_created'
  | 'order_approved'
  | 'order_rejected'
  | 'order_reversed'
  | 'order_underpaid'
  | 'wallet_changed'

export const orderMails: Templates<Kind> = {
  order_created: (order, words) =>
    orderMail(order, words, [
      factsOf(order, words, words.fact('pay_by', shownTime(order.until)), confirmedBy(order.watched, words)),
      { p: words.text('next') },
      { must: words.text('advice') },
    ]),
  order_approved: (order, words) =>
    orderMail(order, words, [
      factsOf(order, words, confirmedBy(order.watched, words)),
      { p: words.text('next') },
    ]),
  order_rejected: (order, words) =>
    orderMail(order, words, [
      factsOf(
        order,
        words,
        words.fact('decided_by', words.shared(order.byOperator ? 'by_operator' : 'by_rules')),
      ),
      { must: afterRejection(order, words) },
    ]),
  order_reversed: (order, words) =>
    orderMail(
      order,
      words,
      [
        factsOf(order, words),
        order.isTakenBack
          ? { must: words.text('pay_back', { days: String(payBackDays) }) }
          : { p: words.text('advice') },
      ],
      order.isTakenBack ? 'taken_back' : 'news',
    ),
  order_underpaid: (order, words) =>
    orderMail(order, words, [
      factsOf(order, words, words.fact('rest_until', shownTime(order.until))),
      { p: words.text('advice') },
    ]),
  wallet_changed: (order, words) => orderMail(order, words, [{ must: words.text('advice') }]),
}

const confirmedBy = (watched: boolean, { fact, shared }: Words) =>
  fact('confirmed_by', shared(watched ? 'by_network' : 'by_operator'))

function afterRejection(
  { isOwed, watched }: Extract<MailContent, { kind: 'order_rejected' }>,
  { text, brand }: Words,
): string {
  if (isOwed) return text('owed')
  if (watched) return text('watched')
  return text('by_hand', { contact: [brand.seller, brand.contact].filter(Boolean).join(', ') })
}

const orderMail = (
  { link }: OrderFacts,
  { text, shared }: Words,
  blocks: readonly Block[],
  news = 'news',
) => ({
  subject: text('subject'),
  blocks: [{ p: text(news) }, ...blocks, { button: shared('open_order'), href: link }],
})

/** As on all pages: the total and its parts. */
function youGet(
  { receiveTokens, bonusTokens }: OrderFacts,
  language: Words['language'],
  symbol: string,
): string {
  return say(language, 'order.you_get', {
    total: figure(receiveTokens, language),
    base: figure(subtract(receiveTokens, bonusTokens), language),
    bonus: figure(bonusTokens, language),
    symbol,
  })
}

/** In the wallets' format, because people copy the amount. */
const factsOf = (order: OrderFacts, { language, brand, fact }: Words, ...more: Fact[]): Block => ({
  facts: [
    fact('amount', `${order.cryptoAmount} ${order.currency}`),
    fact('you_get', youGet(order, language, brand.symbol)),
    fact('in_dollars', dollars(order.usd, language)),
    ...more,
  ],
})
