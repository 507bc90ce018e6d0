import { mails as spanishMails } from './locales/es/mails.ts'
import type { Language, Mail, MailContent } from './mail-kinds.ts'
import { accountMails } from './templates/account.ts'
import { announcementMails } from './templates/announcements.ts'
import { deliveryMails } from './templates/delivery.ts'
import { giveawayMails } from './templates/giveaways.ts'
import { operatorMails } from './templates/operators.ts'
import { orderMails } from './templates/orders.ts'
import { refundMails } from './templates/refunds.ts'
import type { Brand, Template, Templates } from './templates/template.ts'
import type { MailText } from './text.ts'

/** Every mail in each language; the type keeps each from lacking one. */
const templates: Readonly<Record<Language, Templates<MailContent['kind']>>> = {
  en: {
    ...accountMails.en,
    ...announcementMails.en,
    ...deliveryMails.en,
    ...giveawayMails.en,
    ...operatorMails.en,
    ...orderMails.en,
    ...refundMails.en,
  },
  ru: {
    ...accountMails.ru,
    ...announcementMails.ru,
    ...deliveryMails.ru,
    ...giveawayMails.ru,
    ...operatorMails.ru,
    ...orderMails.ru,
    ...refundMails.ru,
  },
  es: spanishMails,
}

/** An operator's name in a mail is the login, which others gave. */
const toOperators: ReadonlySet<string> = new Set(['operator_password_changed', 'api_key_ends'])

/** The product's own text of a mail. */
export function mailText(mail: Mail, brand: Brand): MailText {
  const template = templates[mail.language][mail.kind] as Template<MailContent['kind']>
  return template('name' in mail ? { ...mail, name: nameIn(mail) } : mail, brand)
}

/** Whoever registers somebody else's address says under which name: mail programs shall make no link of it. */
export function nameIn({ kind, name }: Pick<Mail, 'kind'> & { readonly name: string }): string {
  return toOperators.has(kind) ? name : name.replace(/[.:/\\]+(?=[^\s.:/\\])/g, '$& ')
}
