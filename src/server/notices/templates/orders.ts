import { dollars, figure } from '../../figures.ts'
import type { OrderFacts } from '../mail-kinds.ts'
import type { Brand, Facts, TemplatesOf } from './template.ts'

type Kind =
  | 'order_created'
  | 'order_approved'
  | 'order_rejected'
  | 'order_reversed'
  | 'order_underpaid'
  | 'order_late'
  | 'order_expired'
  | 'wallet_changed'

/** Mails about an order. */
export const orderMails: TemplatesOf<Kind> = {
  en: {
    order_created: (order, brand) => ({
      subject: `Order #${order.number} was created`,
      blocks: [
        { p: `Hello ${order.name}, your order is waiting for your payment.` },
        { facts: orderFactsEn(order, brand) },
        {
          must: 'The address to pay to is on the order’s page and nowhere else; never pay to an address from a mail.',
        },
        { button: 'Open the order', href: order.link },
      ],
    }),
    order_approved: (order, brand) => ({
      subject: `Order #${order.number} was approved`,
      blocks: [
        { p: `Hello ${order.name}, your order has been successfully completed.` },
        { facts: orderFactsEn(order, brand) },
        { button: 'Open the order', href: order.link },
      ],
    }),
    order_rejected: (order, brand) => ({
      subject: `Order #${order.number} was rejected`,
      blocks: [
        { p: `Hello ${order.name}, your order could not be processed and has been rejected.` },
        { facts: orderFactsEn(order, brand) },
        {
          p: 'Send nothing more for it. If you have paid, open the order: its page says what becomes of the payment.',
        },
        { button: 'Open the order', href: order.link },
      ],
    }),
    order_reversed: (order, brand) => ({
      subject: `Order #${order.number}: its approval was taken back`,
      blocks: [
        {
          p: `Hello ${order.name}, the approval of this order was taken back, and its tokens with it.`,
        },
        { facts: orderFactsEn(order, brand) },
        { p: 'The order’s page says whether anything is owed back to you.' },
        { button: 'Open the order', href: order.link },
      ],
    }),
    order_underpaid: (order, brand) => ({
      subject: `Order #${order.number}: a part of the amount is missing`,
      blocks: [
        { p: `Hello ${order.name}, less than the amount of this order has been seen.` },
        { facts: orderFactsEn(order, brand) },
        {
          p: 'The order’s page says how much is missing, until when it has your rate, and what happens if nothing follows.',
        },
        { button: 'Open the order', href: order.link },
      ],
    }),
    order_late: (order, brand) => ({
      subject: `Order #${order.number}: your payment came late, please choose`,
      blocks: [
        { p: `Hello ${order.name}, your payment came too late for the rate of this order.` },
        { facts: orderFactsEn(order, brand) },
        {
          p: 'Choose on the order’s page: tokens at today’s rate, or your money back. The page says until when.',
        },
        { button: 'Open the order', href: order.link },
      ],
    }),
    order_expired: (order, brand) => ({
      subject: `Order #${order.number}: the time to pay is over`,
      blocks: [
        {
          p: `Hello ${order.name}, no payment was seen or confirmed in time: this order holds no tokens any more.`,
        },
        { facts: orderFactsEn(order, brand) },
        {
          p: 'If you have not paid, send nothing to this order and make a new one. If you have paid, open the order: its page says what to do, and the payment is not lost.',
        },
        { button: 'Open the order', href: order.link },
      ],
    }),
    wallet_changed: (order) => ({
      subject: `Order #${order.number}: the wallet for ${order.currency} has changed`,
      blocks: [
        { p: `Hello ${order.name}, the seller has changed the wallet that receives ${order.currency}.` },
        {
          must: 'Your order keeps the address that it was given. If you have not paid yet, look at its page before you do.',
        },
        { button: 'Open the order', href: order.link },
      ],
    }),
  },
  ru: {
    order_created: (order, brand) => ({
      subject: `Заказ №${order.number} создан`,
      blocks: [
        { p: `Здравствуйте, ${order.name}! Ваш заказ ждёт оплаты.` },
        { facts: orderFactsRu(order, brand) },
        { must: 'Адрес для оплаты указан только на странице заказа; никогда не платите на адрес из письма.' },
        { button: 'Открыть заказ', href: order.link },
      ],
    }),
    order_approved: (order, brand) => ({
      subject: `Заказ №${order.number} подтверждён`,
      blocks: [
        { p: `Здравствуйте, ${order.name}! Ваш заказ успешно выполнен.` },
        { facts: orderFactsRu(order, brand) },
        { button: 'Открыть заказ', href: order.link },
      ],
    }),
    order_rejected: (order, brand) => ({
      subject: `Заказ №${order.number} отклонён`,
      blocks: [
        { p: `Здравствуйте, ${order.name}! Ваш заказ не удалось обработать, он отклонён.` },
        { facts: orderFactsRu(order, brand) },
        {
          p: 'Больше ничего по нему не отправляйте. Если вы уже заплатили, откройте заказ: на его странице сказано, что будет с платежом.',
        },
        { button: 'Открыть заказ', href: order.link },
      ],
    }),
    order_reversed: (order, brand) => ({
      subject: `Заказ №${order.number}: одобрение отозвано`,
      blocks: [
        { p: `Здравствуйте, ${order.name}! Одобрение этого заказа отозвано вместе с его токенами.` },
        { facts: orderFactsRu(order, brand) },
        { p: 'На странице заказа сказано, причитается ли вам что-нибудь обратно.' },
        { button: 'Открыть заказ', href: order.link },
      ],
    }),
    order_underpaid: (order, brand) => ({
      subject: `Заказ №${order.number}: пришла не вся сумма`,
      blocks: [
        { p: `Здравствуйте, ${order.name}! По этому заказу замечено меньше, чем нужно.` },
        { facts: orderFactsRu(order, brand) },
        {
          p: 'На странице заказа указано, сколько не хватает, до какого времени действует ваш курс и что будет, если ничего больше не придёт.',
        },
        { button: 'Открыть заказ', href: order.link },
      ],
    }),
    order_late: (order, brand) => ({
      subject: `Заказ №${order.number}: платёж опоздал, сделайте выбор`,
      blocks: [
        { p: `Здравствуйте, ${order.name}! Ваш платёж пришёл слишком поздно для курса этого заказа.` },
        { facts: orderFactsRu(order, brand) },
        {
          p: 'Выберите на странице заказа: токены по сегодняшнему курсу или возврат денег. Там же указано, до какого времени.',
        },
        { button: 'Открыть заказ', href: order.link },
      ],
    }),
    order_expired: (order, brand) => ({
      subject: `Заказ №${order.number}: время оплаты истекло`,
      blocks: [
        {
          p: `Здравствуйте, ${order.name}! Вовремя не было видно и не подтверждено ни одного платежа: за этим заказом больше нет токенов.`,
        },
        { facts: orderFactsRu(order, brand) },
        {
          p: 'Если вы не платили, ничего не отправляйте по этому заказу и создайте новый. Если платили, откройте заказ: на его странице сказано, что делать; платёж не пропадёт.',
        },
        { button: 'Открыть заказ', href: order.link },
      ],
    }),
    wallet_changed: (order) => ({
      subject: `Заказ №${order.number}: кошелёк для ${order.currency} изменился`,
      blocks: [
        {
          p: `Здравствуйте, ${order.name}! Продавец сменил кошелёк, на который принимает ${order.currency}.`,
        },
        {
          must: 'Ваш заказ сохраняет адрес, который был указан в нём. Если вы ещё не заплатили, сначала откройте его страницу.',
        },
        { button: 'Открыть заказ', href: order.link },
      ],
    }),
  },
}

/** The amount stands as wallets read it, in every language: it is what people copy. */
function orderFactsEn(order: OrderFacts, brand: Brand): Facts {
  return [
    ['Amount', `${order.cryptoAmount} ${order.currency}`],
    ['Total', `${figure(order.receiveTokens, 'en')} ${brand.symbol}`],
    ['Bonus Tokens', `${figure(order.bonusTokens, 'en')} ${brand.symbol}`],
    ['In dollars', dollars(order.usd, 'en')],
  ]
}

function orderFactsRu(order: OrderFacts, brand: Brand): Facts {
  return [
    ['Сумма', `${order.cryptoAmount} ${order.currency}`],
    ['Всего', `${figure(order.receiveTokens, 'ru')} ${brand.symbol}`],
    ['Бонусные токены', `${figure(order.bonusTokens, 'ru')} ${brand.symbol}`],
    ['В долларах', dollars(order.usd, 'ru')],
  ]
}
