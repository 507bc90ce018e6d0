import type { Language, MailContent } from '../mail-kinds.ts'
import type { MailText } from '../text.ts'

export interface Brand {
  name: string
  symbol: string
  seller: string
  contact: string
  isDemo: boolean
}

export type Fact = readonly [label: string, value: string]

export interface Words {
  readonly language: Language
  readonly brand: Brand
  /** `mail.KIND.BLOCK` with the mail's fields, the campaign's names and `values`. */
  text(block: string, values?: Readonly<Record<string, string>>): string
  /** `mail.shared.NAME`. */
  shared(name: string): string
  /** Labelled by `mail.fact.NAME`. */
  fact(name: string, value: string): Fact
}

export type Template<K extends MailContent['kind']> = (
  mail: Extract<MailContent, { kind: K }>,
  words: Words,
) => MailText

export type Templates<Kind extends MailContent['kind']> = { readonly [K in Kind]: Template<K> }
