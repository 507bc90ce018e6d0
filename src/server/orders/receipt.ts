import type { PublicCampaign } from '../../shared/api/campaign.ts'
import type { BuyerOrder } from '../../shared/api/orders.ts'
import type { Language } from '../../shared/languages.ts'
import { dollars, figure } from '../figures.ts'
import { say, type Values } from '../texts.ts'

/** `receipt-pdf.ts` draws it. */
export interface Receipt {
  readonly language: Language
  readonly seller: string
  readonly title: string
  /** Shown above everything else; null in a real sale. */
  readonly warning: string | null
  readonly rows: readonly (readonly [label: string, value: string])[]
  /** The approval, so that an order always gives the same file. */
  readonly at: Date
}

/** `2026-11-23 17:40:03 UTC`, in every language. */
const moment = (at: string | null) => at && `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`

/** The sign with the language's space. */
const percentSign = (language: Language) =>
  new Intl.NumberFormat(language, { style: 'percent' })
    .formatToParts(0)
    .map(({ type, value }) => (type === 'integer' ? '' : value))
    .join('')

// Rules: LOG-6
/** Recorded facts of an approved order alone. Amounts have all digits of the ledger. */
export function receiptOf(order: BuyerOrder, campaign: PublicCampaign, language: Language): Receipt {
  const { name, symbol, seller } = campaign.settings
  const text = (line: string, values?: Values) => say(language, `receipt.${line}`, values)
  const amount = (value: string) => figure(value, language)
  const bonusPercent = figure(order.bonusPercent, language) + percentSign(language)
  const rows: [string, string | null][] = [
    [text('order'), `#${order.number}`],
    [text('created'), moment(order.createdAt)],
    [text('approved'), moment(order.approvedAt)],
    [text('how'), text(order.approvedVia === 'chain' ? 'by_chain' : 'by_operator')],
    [text('amount'), `${amount(order.cryptoAmount)} ${order.currency}`],
    [text('dollars'), dollars(order.usd, language)],
    [text(order.escrow ? 'contract' : 'address'), order.address],
    ...order.payments
      .filter(({ state }) => state === 'credited' || state === 'final')
      .map(({ amount: paid, currency, transactionId }): [string, string] => [
        text('payment'),
        `${amount(paid)} ${currency ?? ''} ${transactionId}`.replace('  ', ' '),
      ]),
    [text('named'), order.transactionId],
    [text('rate'), `1 ${order.currency} = ${amount(order.rate)} ${symbol}`],
    [text('price'), `1 ${symbol} = ${dollars(order.priceUsd, language)}`],
    [text('base'), `${amount(order.baseTokens)} ${symbol}`],
    [text('bonus'), `${amount(order.bonusTokens)} ${symbol} (${bonusPercent})`],
    [
      text('total'),
      say(language, 'order.you_get', {
        total: amount(order.receiveTokens),
        base: amount(order.baseTokens),
        bonus: amount(order.bonusTokens),
        symbol,
      }),
    ],
    [text('accepted'), order.acceptedTexts && text('accepted_texts', order.acceptedTexts)],
    [text('seller'), [seller.name, seller.address, seller.contact].filter(Boolean).join(', ')],
  ]
  return {
    language,
    seller: name,
    title: text('title', { number: order.number }),
    warning: campaign.demo ? text('demo') : null,
    rows: rows.filter((row): row is [string, string] => Boolean(row[1])),
    at: new Date(order.approvedAt ?? order.createdAt),
  }
}
