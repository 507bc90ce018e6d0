import type { PublicCampaign } from '../../shared/api/campaign.ts'
import type { BuyerOrder } from '../../shared/api/orders.ts'
import type { Language } from '../../shared/languages.ts'
import { dollars, figure } from '../figures.ts'

/** What a receipt says, line by line; `receipt-pdf.ts` draws it. */
export interface Receipt {
  readonly language: Language
  readonly seller: string
  readonly title: string
  /** Above everything else; null where the sale is a real one. */
  readonly warning: string | null
  readonly rows: readonly (readonly [label: string, value: string])[]
  /** Of the approval: the same order gives the same file whenever it is saved. */
  readonly at: Date
}

const words = {
  title: { en: 'Receipt for order #', ru: 'Квитанция по заказу №', es: 'Recibo del pedido n.º ' },
  demo: {
    en: 'This is a demo. Nothing is for sale, and nothing that you see was paid for.',
    ru: 'Это демонстрация. Ничего не продаётся, и ни за что из показанного не платили.',
    es: 'Esto es una demostración. No se vende nada, y nada de lo que ve se ha pagado.',
  },
  order: { en: 'Order', ru: 'Заказ', es: 'Pedido' },
  created: { en: 'Created', ru: 'Создан', es: 'Creado' },
  approved: { en: 'Approved', ru: 'Одобрен', es: 'Aprobado' },
  how: { en: 'How it was approved', ru: 'Как одобрен', es: 'Cómo se aprobó' },
  byChain: {
    en: 'by its payment, confirmed on chain',
    ru: 'по платежу, подтверждённому в блокчейне',
    es: 'por su pago, confirmado en cadena',
  },
  byOperator: { en: 'by an operator', ru: 'оператором', es: 'por un operador' },
  amount: { en: 'Amount of the order', ru: 'Сумма заказа', es: 'Importe del pedido' },
  dollars: { en: 'In dollars', ru: 'В долларах', es: 'En dólares' },
  address: { en: 'Address for the payment', ru: 'Адрес для оплаты', es: 'Dirección para el pago' },
  contract: { en: 'Contract for the payment', ru: 'Контракт для оплаты', es: 'Contrato para el pago' },
  payment: { en: 'Payment seen on chain', ru: 'Платёж, видимый в блокчейне', es: 'Pago visto en cadena' },
  named: {
    en: 'Transaction id, as the buyer gave it',
    ru: 'ID транзакции со слов покупателя',
    es: 'Identificador de transacción, según el comprador',
  },
  rate: { en: 'Rate', ru: 'Курс', es: 'Tipo de cambio' },
  price: { en: 'Price', ru: 'Цена', es: 'Precio' },
  base: { en: 'Tokens bought', ru: 'Куплено токенов', es: 'Tokens comprados' },
  bonus: { en: 'Bonus tokens', ru: 'Бонусных токенов', es: 'Tokens de bonificación' },
  total: { en: 'Tokens in all', ru: 'Всего токенов', es: 'Tokens en total' },
  texts: { en: 'Accepted with the order', ru: 'Принято при заказе', es: 'Aceptado con el pedido' },
  terms: { en: 'terms, version ', ru: 'условия, версия ', es: 'condiciones, versión ' },
  risks: {
    en: 'risk notice, version ',
    ru: 'уведомление о рисках, версия ',
    es: 'aviso de riesgos, versión ',
  },
  seller: { en: 'Seller', ru: 'Продавец', es: 'Vendedor' },
} as const satisfies Record<string, Record<Language, string>>

/** `2026-11-23 17:40:03 UTC`, in every language. */
const moment = (at: string | null) => at && `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`

/** The sign with what the language puts before it. */
const percentSign = (language: Language) =>
  new Intl.NumberFormat(language, { style: 'percent' })
    .formatToParts(0)
    .map(({ type, value }) => (type === 'integer' ? '' : value))
    .join('')

// Rules: LOG-6
/** What was put down of an approved order when it was made, approved and paid, and nothing else. Amounts stand in full, as the ledger has them. */
export function receiptOf(order: BuyerOrder, campaign: PublicCampaign, language: Language): Receipt {
  const { name, symbol, seller } = campaign.settings
  const say = (word: keyof typeof words) => words[word][language]
  const { terms, risks } = order.acceptedTexts ?? {}
  const amount = (value: string) => figure(value, language)
  const bonusPercent = figure(order.bonusPercent, language) + percentSign(language)
  const rows: [string, string | null][] = [
    [say('order'), `#${order.number}`],
    [say('created'), moment(order.createdAt)],
    [say('approved'), moment(order.approvedAt)],
    [say('how'), say(order.approvedVia === 'chain' ? 'byChain' : 'byOperator')],
    [say('amount'), `${amount(order.cryptoAmount)} ${order.currency}`],
    [say('dollars'), dollars(order.usd, language)],
    [say(order.escrow ? 'contract' : 'address'), order.address],
    ...order.payments
      .filter(({ state }) => state === 'credited' || state === 'final')
      .map(({ amount: paid, currency, transactionId }): [string, string] => [
        say('payment'),
        `${amount(paid)} ${currency ?? ''} ${transactionId}`.replace('  ', ' '),
      ]),
    [say('named'), order.transactionId],
    [say('rate'), `1 ${order.currency} = ${amount(order.rate)} ${symbol}`],
    [say('price'), `1 ${symbol} = ${dollars(order.priceUsd, language)}`],
    [say('base'), `${amount(order.baseTokens)} ${symbol}`],
    [say('bonus'), `${amount(order.bonusTokens)} ${symbol} (${bonusPercent})`],
    [say('total'), `${amount(order.receiveTokens)} ${symbol}`],
    [say('texts'), order.acceptedTexts && `${say('terms')}${terms}; ${say('risks')}${risks}`],
    [say('seller'), [seller.name, seller.address, seller.contact].filter(Boolean).join(', ')],
  ]
  return {
    language,
    seller: name,
    title: `${say('title')}${order.number}`,
    warning: campaign.demo ? say('demo') : null,
    rows: rows.filter((row): row is [string, string] => Boolean(row[1])),
    at: new Date(order.approvedAt ?? order.createdAt),
  }
}
