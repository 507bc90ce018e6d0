import type { MailContent } from '../mail-kinds.ts'
import type { MailText } from '../text.ts'

/** Names of the campaign that mails speak for. */
export interface Brand {
  name: string
  symbol: string
  seller: string
  contact: string
  isDemo: boolean
}

export type Facts = readonly (readonly [string, string])[]

export type Template<K extends MailContent['kind']> = (
  mail: Extract<MailContent, { kind: K }>,
  brand: Brand,
) => MailText

/** Some mails in one language; the type keeps it from lacking one. */
export type Templates<Kind extends MailContent['kind']> = { readonly [K in Kind]: Template<K> }

/** Some mails in English and Russian; those of other languages stand in folders of their own. */
export type TemplatesOf<Kind extends MailContent['kind']> = Readonly<Record<'en' | 'ru', Templates<Kind>>>
