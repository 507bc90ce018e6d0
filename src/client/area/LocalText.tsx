import { useLingui } from '@lingui/react/macro'
import { type Name, pickText } from '../../shared/languages.ts'

/** A text that only another language has is marked with its `lang`. */
export function LocalText({ text, className }: { text: Name; className?: string }) {
  const { i18n } = useLingui()
  const picked = pickText(text, i18n.locale)
  return (
    <span lang={picked.lang === i18n.locale ? undefined : picked.lang} dir="auto" className={className}>
      {picked.text}
    </span>
  )
}
