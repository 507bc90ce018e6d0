import type { I18n } from '@lingui/core'
import { camel } from '../../shared/audit-fields.ts'
import { factsOf, isPublicLocale } from '../../shared/languages.ts'
import { isPeriod } from '../../shared/retention.ts'
import { settingIds } from '../../shared/setting-ids.ts'
import { textOfKey } from '../../shared/shown-texts.ts'
import { firstText, ownNameOf } from '../ui/setting-names.ts'

export type FieldScope = 'setting' | 'other'

/** Older entries have `goal_usd` and `stages.1.goalUsd`. */
export function fieldName(i18n: I18n, path: string, scope: FieldScope = 'other'): string {
  const text = textOfKey(path)
  if (text) {
    const field = fieldName(i18n, text.place)
    return text.language ? `${factsOf(text.language).name}: ${field}` : field
  }
  const setting = scope === 'setting' ? ownNameOf(i18n, path) : undefined
  const word = path.split('.').at(-1) ?? ''
  if (isPublicLocale(word)) return new Intl.DisplayNames([i18n.locale], { type: 'language' }).of(word) ?? word
  const field = `field.${camel(word)}`
  // A shortened retention period is logged under its own name.
  const period = isPeriod(word) ? settingIds(`retention.${word}`) : []
  return setting ?? firstText(i18n, [field, ...settingIds(path), ...period]) ?? path
}

/** Names a language code, an item's number or a field. */
export function partName(i18n: I18n, path: string): string {
  const word = path.split('.').at(-1) ?? ''
  if (isPublicLocale(word)) return word.toUpperCase()
  if (/^\d+$/.test(word)) return String(Number(word) + 1)
  return fieldName(i18n, path, 'setting')
}
