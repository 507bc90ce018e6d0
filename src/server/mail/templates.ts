import { say } from '../texts.ts'
import type { Mail, MailContent } from './mail-kinds.ts'
import { accountMails } from './templates/account.ts'
import { announcementMails } from './templates/announcements.ts'
import { deliveryMails } from './templates/delivery.ts'
import { giveawayMails } from './templates/giveaways.ts'
import { operatorMails } from './templates/operators.ts'
import { orderMails } from './templates/orders.ts'
import { refundMails } from './templates/refunds.ts'
import type { Brand, Template, Templates, Words } from './templates/template.ts'
import { type MailText, shownTime } from './text.ts'

export const templates: Templates<MailContent['kind']> = {
  ...accountMails,
  ...announcementMails,
  ...deliveryMails,
  ...giveawayMails,
  ...operatorMails,
  ...orderMails,
  ...refundMails,
}

/** They use the login as the name, which others chose. */
const toOperators: ReadonlySet<string> = new Set([
  'operator_password_changed',
  'operator_second_factor_changed',
  'api_key_ends',
])

export function mailText(mail: Mail, brand: Brand): MailText {
  const template = templates[mail.kind] as Template<MailContent['kind']>
  return template(mail, wordsOf(mail, brand))
}

function wordsOf(mail: Mail, brand: Brand): Words {
  const { kind, language } = mail
  const own = {
    ...Object.fromEntries(
      Object.entries(mail).filter(([, value]) => typeof value === 'string' || typeof value === 'number'),
    ),
    ...('name' in mail ? { name: nameIn(mail) } : {}),
    ...('at' in mail ? { at: shownTime(mail.at) } : {}),
    brand: brand.name,
    symbol: brand.symbol,
  }
  return {
    language,
    brand,
    text: (block, values) => say(language, `mail.${kind}.${block}`, { ...own, ...values }),
    shared: (name) => say(language, `mail.shared.${name}`),
    fact: (name, value) => [say(language, `mail.fact.${name}`), value],
  }
}

/**
 * Somebody may register another person's address under any name: mail programs must not turn it into a link.
 */
export function nameIn({ kind, name }: Pick<Mail, 'kind'> & { readonly name: string }): string {
  return toOperators.has(kind) ? name : name.replace(/[.:/\\]+(?=[^\s.:/\\])/g, '$& ')
}
