import { dollars, figure } from '../../figures.ts'
import type { TemplatesOf } from './template.ts'

type Kind = 'refund_due' | 'refund_claimed' | 'refund_paid'

/** Mails about money that is owed back. */
export const refundMails: TemplatesOf<Kind> = {
  en: {
    refund_due: (refund) => ({
      subject: `Order #${refund.number}: money is owed back to you`,
      blocks: [
        {
          p: `Hello ${refund.name}, what you paid for this order, or a part of it, could not become tokens. It is owed back to you.`,
        },
        {
          facts: [
            ['Owed to you', `${figure(refund.amount, 'en')} ${refund.currency}`],
            ['In dollars', dollars(refund.usd, 'en')],
          ],
        },
        {
          must: 'The order’s page says why, and there you name the address that it is to go to. Nobody will ask you for it by mail, and nobody ever needs a private key.',
        },
        { button: 'Open the order', href: refund.link },
      ],
    }),
    refund_claimed: (refund) => ({
      subject: `Order #${refund.number}: the address for your refund`,
      blocks: [
        { p: `Hello ${refund.name}, this address was named for what is owed back to you.` },
        {
          facts: [
            ['Owed to you', `${figure(refund.amount, 'en')} ${refund.currency}`],
            ['To the address', refund.address],
          ],
        },
        {
          must: 'The page of the order says until when it can be changed, unless the seller prepares the payment before. If it was not you, change the address and your password at once.',
        },
        { button: 'Open the order', href: refund.link },
      ],
    }),
    refund_paid: (refund) => ({
      subject: `Order #${refund.number}: your refund was paid`,
      blocks: [
        {
          must: refund.isByWord
            ? `Hello ${refund.name}, the seller says that this transaction paid you back. The chain shows what arrived; answer if it did not.`
            : `Hello ${refund.name}, the chain has confirmed the transaction that paid you back.`,
        },
        {
          facts: [
            ['Paid back', `${figure(refund.amount, 'en')} ${refund.currency}`],
            ['To the address', refund.address],
            ['Transaction', refund.transactionId],
          ],
        },
        { button: 'Open the order', href: refund.link },
      ],
    }),
  },
  ru: {
    refund_due: (refund) => ({
      subject: `Заказ №${refund.number}: вам должны вернуть деньги`,
      blocks: [
        {
          p: `Здравствуйте, ${refund.name}! Оплата этого заказа или её часть не могла стать токенами. Она подлежит возврату.`,
        },
        {
          facts: [
            ['К возврату', `${figure(refund.amount, 'ru')} ${refund.currency}`],
            ['В долларах', dollars(refund.usd, 'ru')],
          ],
        },
        {
          must: 'Причина указана на странице заказа; там же вы указываете адрес, на который вернуть деньги. Никто не попросит об этом в письме, и никому никогда не нужен закрытый ключ.',
        },
        { button: 'Открыть заказ', href: refund.link },
      ],
    }),
    refund_claimed: (refund) => ({
      subject: `Заказ №${refund.number}: адрес для возврата`,
      blocks: [
        { p: `Здравствуйте, ${refund.name}! Для возврата денег указан этот адрес.` },
        {
          facts: [
            ['К возврату', `${figure(refund.amount, 'ru')} ${refund.currency}`],
            ['На адрес', refund.address],
          ],
        },
        {
          must: 'До какого времени его можно изменить, сказано на странице заказа, если продавец не подготовит выплату раньше. Если это были не вы, сразу измените адрес и свой пароль.',
        },
        { button: 'Открыть заказ', href: refund.link },
      ],
    }),
    refund_paid: (refund) => ({
      subject: `Заказ №${refund.number}: деньги возвращены`,
      blocks: [
        {
          must: refund.isByWord
            ? `Здравствуйте, ${refund.name}! Продавец сообщает, что эта транзакция вернула вам деньги. Блокчейн показывает, что пришло; ответьте, если деньги не пришли.`
            : `Здравствуйте, ${refund.name}! Блокчейн подтвердил транзакцию, которой вам вернули деньги.`,
        },
        {
          facts: [
            ['Возвращено', `${figure(refund.amount, 'ru')} ${refund.currency}`],
            ['На адрес', refund.address],
            ['Транзакция', refund.transactionId],
          ],
        },
        { button: 'Открыть заказ', href: refund.link },
      ],
    }),
  },
}
