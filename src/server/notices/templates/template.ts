import type { Language, MailContent } from '../mail-kinds.ts'
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

/** Some mails in both languages; the type keeps either from lacking one. */
export type TemplatesOf<Kind extends MailContent['kind']> = Readonly<
  Record<Language, { readonly [K in Kind]: Template<K> }>
>
