import { useLingui } from '@lingui/react/macro'
import type { LocalText } from '../../shared/campaign-settings.ts'
import { isLive, type LiveQuestion } from '../../shared/faq.ts'
import { type Name, type PublicLocale, pickText, publicLocales, textsOfName } from '../../shared/languages.ts'
import { periods } from '../../shared/retention.ts'
import { type SettingRow, type SettingUnit, settingRow, stageUnits } from '../../shared/settings.ts'
import { isTexts } from '../../shared/texts.ts'
import { ownNameOf, settingName } from '../ui/setting-names.ts'
import { amount, dollars, duration, longDate, moment, percent, wholeDollars } from './figures.ts'
import { usePage } from './frame.tsx'

type Write = (value: string, locale: string) => string

/** Languages of operators' texts in a value, plus the page's if it added words. */
type Said = Set<PublicLocale>

interface Writing {
  readonly locale: PublicLocale
  readonly said: Said
}

interface Question {
  readonly key: string
  readonly question: LocalText
  readonly answer: LocalText
}

const valueMax = 400

type Units = SettingRow['unit']

const ways: Record<SettingUnit, Write> = {
  tokens: amount,
  usd: wholeDollars,
  price: (value, locale) => dollars(value, locale, 'price'),
  percent,
  day: longDate,
  moment,
  minutes: (value, locale) => duration(value, locale, 'minute'),
  days: (value, locale) => duration(value, locale, 'day'),
}

const unitOf = (path: string): Units => {
  const [head, , field] = path.split('.')
  if (head !== 'stages') return settingRow(path)?.unit
  return field ? stageUnits[field] : stageUnits
}

export function useSettingChanges() {
  const { t, i18n } = useLingui()
  const { campaign, locale } = usePage()
  const liveWords = useLiveWords(campaign?.settings.symbol ?? '')
  const nameOfStage = (id: string) =>
    campaign?.stages.find((stage) => String(stage.id) === id)?.name ?? `#${id}`
  /** Translates values that the software defines, such as `true` or `refund`. */
  const spoken = (path: string, value: unknown, said: Said): string | undefined => {
    if (value === true) return t`yes`
    if (value === false) return t`no`
    if (path === 'softCapPolicy')
      return value === 'refund' ? t`payments are owed back` : t`nothing is refunded for that reason`
    if (path !== 'soldShare' && path !== 'bonusShare') return undefined
    const share = campaign?.settings.shares.find(({ key }) => key === value)
    return share && wordsOf(share.name, share.name, locale, said)
  }
  /** The fields that differ from the other side. */
  const partsOf = (path: string, value: unknown, other: unknown) => {
    const [these, those] = [value, other].map((side) => (side ?? {}) as Record<string, unknown>)
    const regions = new Intl.DisplayNames([locale], { type: 'region', fallback: 'code' })
    const units = unitOf(path)
    const known = [...periods, ...(typeof units === 'object' ? Object.keys(units) : [])]
    return [...new Set([...known, ...Object.keys({ ...those, ...these })])]
      .filter((part) => value !== null && value !== undefined && !isSame(these?.[part], those?.[part]))
      .map((part) => {
        const kept = these?.[part]
        const words = Array.isArray(kept)
          ? kept.map((code: string) => regions.of(code)).join(', ')
          : written(kept, undefined, { locale, said: new Set() }, partUnit(units, part))
        return `${settingName(i18n, `${path}.${part}`)}: ${words || '—'}`
      })
      .join('; ')
  }
  return {
    nameOf(path: string): string {
      const [head, id, field] = path.split('.')
      if (head !== 'stages' || !id) return settingName(i18n, path)
      const stage = pickText(nameOfStage(id), locale).text
      return field ? `${stage}: ${ownNameOf(i18n, path) ?? field}` : stage
    },
    /** Formats one side of a change; of a list only the differing parts. */
    valueOf(path: string, value: unknown, other: unknown) {
      const said: Said = new Set()
      const text =
        path === 'retention' || path === 'referral'
          ? partsOf(path, value, other)
          : path === 'faq'
            ? questionsOf(value, other, locale, liveWords)
            : (spoken(path, value, said) ?? written(value, other, { locale, said }, unitOf(path)))
      return sideOf(text, said, locale)
    },
  }
}

/** `lang` is set if the whole value is in another language than the page. */
function sideOf(text: string, said: Said, locale: PublicLocale) {
  const [lang, ...others] = said
  return {
    text: (text.length > valueMax ? `${text.slice(0, valueMax)}…` : text) || '—',
    lang: others.length > 0 || lang === locale ? undefined : lang,
  }
}

/** The setting does not store the texts of live questions. */
function useLiveWords(symbol: string): Record<LiveQuestion, string> {
  const { t } = useLingui()
  return {
    listing: t`When will ${symbol} be listed?`,
    delivery: t`When and where do I get the tokens?`,
    refunds: t`Can I get my money back?`,
    risks: t`What can go wrong?`,
    pay: t`How do I pay?`,
    seller: t`Who sells this?`,
    true: t`How do I know that the figures are true?`,
  }
}

/** Lists only entries that differ; a moved one is shown with its position among the common entries. */
function questionsOf(
  value: unknown,
  other: unknown,
  locale: PublicLocale,
  liveWords: Record<LiveQuestion, string>,
): string {
  const these = questionsIn(value)
  const those = questionsIn(other)
  const here = these.filter(({ key }) => those.some((entry) => entry.key === key))
  const there = those.filter(({ key }) => these.some((entry) => entry.key === key))
  return these
    .map((entry) => {
      const { key, question, answer } = entry
      const before = those.find((candidate) => candidate.key === key)
      const place = here.indexOf(entry)
      const isMoved = before !== undefined && place !== there.indexOf(before)
      if (isSame(entry, before) && !isMoved) return ''
      const asked = isLive(key) ? liveWords[key] : pickText(question, locale).text
      const words = isSame(answer, before?.answer)
        ? asked
        : `${asked} ${pickText(answer, locale).text}`.trim()
      return isMoved ? `${place + 1}. ${words}` : words
    })
    .filter(Boolean)
    .join('; ')
}

const questionsIn = (side: unknown) => (Array.isArray(side) ? (side as Question[]) : [])

/** The text in the page's language; in all languages if the change is in another. */
function wordsOf(value: unknown, other: unknown, locale: PublicLocale, said: Said): string {
  const [picked, was] = [value, other].map((side) => pickText((side ?? '') as Name, locale))
  if (picked?.text !== was?.text || isSame(value, other)) {
    if (picked?.text) said.add(picked.lang)
    return picked?.text ?? ''
  }
  said.add(locale)
  const texts = textsOfName(value as Name)
  return publicLocales.flatMap((language) => texts[language]?.trim() || []).join(' / ')
}

const partUnit = (units: Units, part: string): Units => (typeof units === 'object' ? units[part] : units)

function written(value: unknown, other: unknown, writing: Writing, units: Units): string {
  const { locale, said } = writing
  if (value === null || value === undefined) return ''
  if (isTexts(value) || isTexts(other)) return wordsOf(value, other, locale, said)
  if (typeof value === 'string' || typeof value === 'number') {
    if (typeof units !== 'string' || value === '') return String(value)
    said.add(locale)
    return ways[units](String(value), locale)
  }
  if (Array.isArray(value)) {
    const others = Array.isArray(other) ? other : []
    return value
      .filter((part) => !others.some((candidate) => isSame(part, candidate)))
      .map((part) =>
        written(
          part,
          others.find((candidate) => keyOf(candidate) === keyOf(part)),
          writing,
          units,
        ),
      )
      .filter(Boolean)
      .join('; ')
  }
  if (typeof value !== 'object') return String(value)
  const before = other && typeof other === 'object' ? (other as Record<string, unknown>) : {}
  return Object.entries(value)
    .filter(([key, part]) => key === 'name' || !(key in before && isSame(part, before[key])))
    .filter(([key]) => key !== 'key' && key !== 'id')
    .toSorted(([a], [b]) => Number(b === 'name') - Number(a === 'name'))
    .map(([key, part]) => written(part, before[key], writing, partUnit(units, key)))
    .filter(Boolean)
    .join(', ')
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

const keyOf = (part: unknown) => (part && typeof part === 'object' && 'key' in part ? part.key : part)
