import { useLingui } from '@lingui/react/macro'

interface Texts {
  en: string
  ru: string
}

/** The operator's text in the reader's language, else the other one; empty where there is none. */
export function pickText(text: Texts, locale: string): { text: string; lang: 'en' | 'ru' } {
  const wanted = locale === 'ru' ? 'ru' : 'en'
  const other = wanted === 'ru' ? 'en' : 'ru'
  return text[wanted] ? { text: text[wanted], lang: wanted } : { text: text[other], lang: other }
}

/** An operator's text. When only the other language has it, it is shown and marked with its `lang`. */
export function LocalText({ text, className }: { text: Texts; className?: string }) {
  const { i18n } = useLingui()
  const picked = pickText(text, i18n.locale)
  return (
    <span lang={picked.lang === i18n.locale ? undefined : picked.lang} dir="auto" className={className}>
      {picked.text}
    </span>
  )
}
