import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import type { LocalText } from '../../shared/campaign-settings.ts'
import { isLive, type LiveQuestion } from '../../shared/faq.ts'
import { type Name, type PublicLocale, pickText, publicLocales, textsOfName } from '../../shared/languages.ts'
import { periodName, periods, type RetentionDays } from '../../shared/retention.ts'
import { amount, dollars, longDate, moment, percent, wholeDollars } from './figures.ts'
import { usePage } from './frame.tsx'

type Write = (value: string, locale: string) => string

/** The languages of what was written: those of the operator's texts, and the page's where the page wrote anything itself. */
type Said = Set<PublicLocale>

interface Writing {
  readonly locale: PublicLocale
  readonly said: Said
}

interface Setting {
  name: MessageDescriptor
  /** Writes a value of text; without it the value is shown as it is. */
  write?: Write
}

/** An entry of the FAQ, in the shape in which every version has kept it. */
interface Question {
  readonly key: string
  readonly question: LocalText
  readonly answer: LocalText
}

const valueMax = 400

const price: Write = (value, locale) => dollars(value, locale, 'price')

/** Settings that buyers rely on, in the words of the pages that show them. */
const settings: Record<string, Setting> = {
  name: { name: msg`Token's name` },
  symbol: { name: msg`Symbol` },
  purpose: { name: msg`What it is for` },
  seller: { name: msg`Seller` },
  totalSupply: { name: msg`Total supply`, write: amount },
  hardCapUsd: { name: msg`Hard cap`, write: wholeDollars },
  softCapUsd: { name: msg`Soft cap`, write: wholeDollars },
  softCapPolicy: { name: msg`If the soft cap is missed` },
  shares: { name: msg`Token Distribution` },
  soldShare: { name: msg`Share that is sold` },
  bonusShare: { name: msg`Share that pays bonuses and grants` },
  buyers: { name: msg`Who may buy` },
  orderMinimumTokens: { name: msg`Smallest order`, write: amount },
  orderMaximumTokens: { name: msg`Largest order`, write: amount },
  listingDate: { name: msg`Listing date`, write: longDate },
  levels: { name: msg`Levels` },
  delivery: { name: msg`Delivery plan` },
  quoteMinutes: { name: msg`How long a quote holds, minutes` },
  expiryMinutes: { name: msg`How long an unpaid order keeps its place, minutes` },
  feedRateMaxMinutes: { name: msg`Age limit of a price source's rate, minutes` },
  retention: { name: msg`How long data is kept, days` },
  referral: { name: msg`Rewards for bringing buyers` },
  faq: { name: msg`FAQ` },
  comments: { name: msg`Comments of buyers` },
  followers: { name: msg`Announcements by mail` },
  secondOperator: { name: msg`Two operators for what moves money` },
  paused: { name: msg`Pause of the sale` },
  'stage.name': { name: msg`name` },
  'stage.goalUsd': { name: msg`goal`, write: wholeDollars },
  'stage.priceUsd': { name: msg`price`, write: price },
  'stage.startsAt': { name: msg`start`, write: moment },
  'stage.endsAt': { name: msg({ message: 'end', context: 'moment' }), write: moment },
}

/** The name of a changed setting, and its values, as the page's language writes them. */
export function useSettingChanges() {
  const { t } = useLingui()
  const { campaign, locale } = usePage()
  const liveWords = useLiveWords(campaign?.settings.symbol ?? '')
  const nameOfStage = (id: string) =>
    campaign?.stages.find((stage) => String(stage.id) === id)?.name ?? `#${id}`
  /** The page's words for a value that is a word of the software, such as `true` or `refund`. */
  const spoken = (path: string, value: unknown, said: Said): string | undefined => {
    if (value === true) return t`yes`
    if (value === false) return t`no`
    if (path === 'softCapPolicy')
      return value === 'refund' ? t`payments are owed back` : t`nothing is refunded on that account`
    if (path !== 'soldShare' && path !== 'bonusShare') return undefined
    const share = campaign?.settings.shares.find(({ key }) => key === value)
    return share && wordsOf(share.name, share.name, locale, said)
  }
  /** The periods that differ from the other side, each with its days. */
  const periodsOf = (value: unknown, other: unknown) => {
    const [these, those] = [value, other].map((side) => (side ?? {}) as Partial<RetentionDays>)
    return periods
      .filter((period) => these?.[period] !== those?.[period])
      .map((period) => `${periodName(period, locale)}: ${these?.[period] ?? '—'}`)
      .join('; ')
  }
  const termNames = {
    percent: t`For bringing a buyer, per cent`,
    mostTokensEach: t`Most tokens for one person`,
    mostTokens: t`Most tokens for all together`,
    countriesExcluded: t`Countries without rewards`,
  }
  /** The terms of the rewards that differ from the other side, each by its name. */
  const termsOf = (value: unknown, other: unknown) => {
    const [these, those] = [value, other].map((side) => (side ?? {}) as Record<string, unknown>)
    const regions = new Intl.DisplayNames([locale], { type: 'region', fallback: 'code' })
    return Object.entries(termNames)
      .filter(([term]) => these?.[term] !== undefined && !isSame(these[term], those?.[term]))
      .map(([term, name]) => {
        const kept = these?.[term]
        const words = Array.isArray(kept)
          ? kept.map((code: string) => regions.of(code)).join(', ')
          : written(kept, undefined, { locale, said: new Set() }, wayOf(term))
        return `${name}: ${words || '—'}`
      })
      .join('; ')
  }
  return {
    nameOf(path: string): string {
      const [head, id, field] = path.split('.')
      if (head !== 'stages' || !id) return settings[path] ? t(settings[path].name) : path
      const stage = pickText(nameOfStage(id), locale).text
      const known = settings[`stage.${field}`]
      return known ? `${stage}: ${t(known.name)}` : stage
    },
    /** One side of a change; of a list only the parts that differ from the other side. */
    valueOf(path: string, value: unknown, other: unknown) {
      const [head, , field] = path.split('.')
      const key = head === 'stages' && field ? `stage.${field}` : path
      const said: Said = new Set()
      const text =
        path === 'retention'
          ? periodsOf(value, other)
          : path === 'referral'
            ? termsOf(value, other)
            : path === 'faq'
              ? questionsOf(value, other, locale, liveWords)
              : (spoken(path, value, said) ?? written(value, other, { locale, said }, settings[key]?.write))
      return sideOf(text, said, locale)
    },
  }
}

/** A value as it is shown; `lang` where all of it is in another language than the page. */
function sideOf(text: string, said: Said, locale: PublicLocale) {
  const [lang, ...others] = said
  return {
    text: (text.length > valueMax ? `${text.slice(0, valueMax)}…` : text) || '—',
    lang: others.length > 0 || lang === locale ? undefined : lang,
  }
}

/** The program's own questions in its words: an entry of the setting holds none of them. */
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

/** The entries of the FAQ that differ from the other side; one that was moved has its place among those that both sides have. */
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

const isText = (value: unknown): value is LocalText =>
  typeof value === 'object' && value !== null && 'en' in value && 'ru' in value

/** A text in the page's language; where the change is in another one, in each. */
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

/** A list's parts and an object's values one after another, those of a stage each in its own way. */
function written(value: unknown, other: unknown, writing: Writing, write?: Write): string {
  const { locale, said } = writing
  if (value === null || value === undefined) return ''
  if (isText(value) || isText(other)) return wordsOf(value, other, locale, said)
  if (typeof value === 'string') {
    if (!write || !value) return value
    said.add(locale)
    return write(value, locale)
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
    .map(([key, part]) => written(part, before[key], writing, wayOf(key)))
    .filter(Boolean)
    .join(', ')
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

const keyOf = (part: unknown) => (part && typeof part === 'object' && 'key' in part ? part.key : part)

function wayOf(key: string): Write | undefined {
  if (/percent$/i.test(key)) return percent
  if (key === 'date') return longDate
  if (key === 'threshold' || key.startsWith('mostTokens')) return amount
  return settings[`stage.${key}`]?.write ?? settings[key]?.write
}
