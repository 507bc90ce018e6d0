import type { CampaignSettings } from '../../shared/campaign-settings.ts'
import { contactLink } from '../../shared/contact-link.ts'
import { type Language, localPath } from '../../shared/languages.ts'
import { say } from '../texts.ts'

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** Outside of the scripts' part, so it costs no page anything. */
export function sellerFoot({ name, contact }: CampaignSettings['seller'], language: Language): string {
  const mail = contactLink(contact)
  const link = (href: string, text: string) =>
    `<a href="${escape(href)}" style="text-decoration:underline">${escape(text)}</a>`
  const parts = [
    name && escape(say(language, 'area.sold_by', { name })),
    mail ? link(mail, contact) : escape(contact),
    link(localPath(language, '/terms'), say(language, 'area.terms')),
    link(localPath(language, '/risks'), say(language, 'area.risks')),
    link(localPath(language, '/updates'), say(language, 'area.updates')),
  ]
  const label = escape(say(language, 'area.seller'))
  return `<section lang="${language}" aria-label="${label}" style="display:flex;flex-wrap:wrap;justify-content:center;gap:4px 20px;padding:16px;font-size:14px">${parts
    .filter(Boolean)
    .map((part) => `<span>${part}</span>`)
    .join('')}</section>`
}
