import { z } from 'zod'
import { brandColors, type GroundFault, groundFault } from './brand.ts'
import { itemsMax, moneyBackDaysMin, softCapPolicies } from './campaign-settings.ts'
import { defaultFaq, faqMax, isLive, lastingQuestions } from './faq.ts'
import { frameOriginsMax, isFrameOrigin } from './frame-origins.ts'
import { defaultLanguage, isBlank, publicLocales } from './languages.ts'
import { defaultsOf, filledFrom, mayLeaveOut } from './left-out-inputs.ts'
import { compare, sum } from './money.ts'
import { languageShared } from './names.ts'
import { nameInLine, shownName } from './names-inputs.ts'
import { evmNetworks, networks } from './networks.ts'
import { type Period, periods, retentionBounds } from './retention.ts'
import { noTexts, textLanguages } from './texts.ts'
import { nameUpTo, textsOf, wordsOf } from './texts-inputs.ts'

// Rules: STAGE-2
/** A missing language falls back to another, marked with its `lang`. */
export const localText = textsOf(z.string().max(20_000))

/** ISO 3166-1 alpha-2, in upper case. */
export const countryCode = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/, 'country_format')

const positive = (decimals: number) =>
  z
    .string()
    .regex(
      new RegExp(`^\\d{1,18}(\\.\\d{1,${decimals}})?$`),
      // Later checks compare only numbers.
      { error: `decimal_format ${decimals}`, abort: true },
    )
    .refine((value) => compare(value, '0') > 0, 'not_positive')
export const tokenAmount = positive(6)
export const usdAmount = positive(2)
export const priceUsd = positive(8)
const percent = z
  .string()
  .regex(/^\d{1,3}(\.\d{1,2})?$/, { error: 'percentage_format 2', abort: true })
  .refine((value) => compare(value, '100') <= 0, 'too_large 100')

/** Questions that the program answers have no texts. */
const faqEntry = z.object({
  key: z.string().regex(/^[a-z][a-z0-9-]{1,30}$/),
  question: textsOf(z.string().trim().max(200)),
  /** A text with the markup of `src/shared/plain-markup.ts`. */
  answer: textsOf(z.string().max(4_000)),
})

// Rules: TEXT-15
function faqIssues(
  faq: readonly z.output<typeof faqEntry>[],
): { path: (string | number)[]; message: string }[] {
  const keys = faq.map(({ key }) => key)
  return [
    ...(lastingQuestions.every((key) => keys.includes(key))
      ? []
      : [{ path: ['faq'], message: 'faq_lasting' }]),
    ...faq.flatMap(({ key, question, answer }, at) => {
      if (keys.indexOf(key) !== at) return [{ path: ['faq', at, 'key'], message: 'key_taken' }]
      if (isLive(key)) {
        const words = isBlank(question) && isBlank(answer)
        return words ? [] : [{ path: ['faq', at, 'question'], message: 'faq_live' }]
      }
      return (['question', 'answer'] as const).flatMap((part) =>
        isBlank(part === 'question' ? question : answer)
          ? [{ path: ['faq', at, part], message: 'text_missing' }]
          : [],
      )
    }),
  ]
}

const origins = z.array(z.string().refine(isFrameOrigin, 'origin_format')).max(frameOriginsMax)

const colorSentence = 'color_format'

/** Used in a style attribute of every page. */
const textedColor = z
  .string()
  .max(60)
  .refine((color) => brandColors(color) !== null, colorSentence)

const groundSentence = (fault: GroundFault): string =>
  fault.why === 'spelling' ? colorSentence : `ink_contrast ${fault.contrast}`

const httpsAddress = z.url({ protocol: /^https$/, error: 'https_format' })

/** Only the server writes `firstPromisedFor` and `keptAt`; inputs are ignored. */
const perkSettings = z.object({
  /** Stays when the perk is reworded or moved to another level. */
  key: z.string().regex(/^[a-z][a-z0-9-]{1,30}$/),
  text: localText,
  link: httpsAddress.max(500).nullable().default(null),
  /** The day is in UTC. */
  promisedFor: z.iso.date().nullable().default(null),
  firstPromisedFor: z.iso.date().nullable().default(null),
  proof: httpsAddress.max(500).nullable().default(null),
  keptAt: z.iso.datetime().nullable().default(null),
})

export const levelSettings = z.object({
  /** The key is also the icon's name (`bronze`, …). */
  key: z.string().regex(/^[a-z][a-z0-9-]{1,30}$/),
  name: nameUpTo(40),
  threshold: tokenAmount,
  bonusPercent: percent,
  description: localText,
  perks: z.array(perkSettings).max(10),
})

export const shareSettings = z.object({
  key: z.string().regex(/^[a-z][a-z0-9-]{1,30}$/),
  name: localText,
  percent,
})

/**
 * Rewards in tokens of the bonus share; null: none. A friend's orders keep the terms of the day the friend
 * came.
 */
export const referralSettings = z.object({
  /** Percent of a friend's base tokens. */
  percent: percent
    .refine((value) => compare(value, '0') > 0, 'not_positive')
    .refine((value) => compare(value, '20') <= 0, 'too_large 20'),
  /** The maximum per person. */
  mostTokensEach: tokenAmount,
  /** The maximum for all together. */
  mostTokens: tokenAmount,
  countriesExcluded: z.array(countryCode).max(250),
})

/** Days by period; a missing period has its default. */
const retentionSettings = z.object(
  Object.fromEntries(
    periods.map((period) => {
      const { days, min, max } = retentionBounds[period]
      return [period, z.number().int().min(min).max(max).default(days)]
    }),
  ) as Record<Period, z.ZodDefault<z.ZodNumber>>,
)

// Rules: OPEN-4
/** Stages, currencies, price and pause have their own tables. */
export const campaignSettings = z
  .object({
    name: shownName(60),
    symbol: z
      .string()
      .trim()
      .regex(/^[A-Z0-9]{2,12}$/),
    tagline: localText,
    /** Empty: not shown on the landing page. */
    purpose: textsOf(z.string().max(2_000)).default(noTexts),
    seller: z.object({
      name: nameInLine(120),
      address: wordsOf(z.string().trim().max(300)),
      contact: wordsOf(z.string().trim().max(200)),
      country: z.string().trim().max(2),
    }),
    totalSupply: tokenAmount,
    hardCapUsd: usdAmount,
    softCapUsd: usdAmount,
    softCapPolicy: z.enum(softCapPolicies),
    shares: z.array(shareSettings).min(1).max(itemsMax),
    soldShare: z.string(),
    bonusShare: z.string(),
    buyers: z.object({
      countriesRefused: z.array(countryCode).max(250),
      minimumAge: z.number().int().min(0).max(99),
      phone: z.enum(['required', 'optional', 'not_asked']),
    }),
    /** Days after the last purchase; 0: never. */
    moneyBackDays: z.number().int().min(0).max(365).default(0),
    operatorUtcOffsetMinutes: z.number().int().min(-720).max(840),
    orderMinimumTokens: tokenAmount,
    orderMaximumTokens: tokenAmount,
    orderDefaultTokens: tokenAmount,
    listingDate: z.iso.date().nullable(),
    levels: z.array(levelSettings).min(1).max(itemsMax),
    delivery: z.object({
      network: z.string().max(60),
      /** Null: not chosen. */
      chain: z
        .enum(networks)
        .refine((network) => evmNetworks.includes(network), 'not_an_option')
        .nullable()
        .default(null),
      tokenContract: z.string().max(120).nullable(),
      date: z.iso.date().nullable(),
      vesting: localText,
    }),
    brand: z.object({
      /** The colour of controls. */
      accent: textedColor.nullable(),
      /** The light theme's; the dark one uses their hues. Null: the product's. */
      ink: z.string().max(60).nullable().default(null),
      paper: z.string().max(60).nullable().default(null),
      /** The colour of current events. */
      now: textedColor.nullable().default(null),
      /** The name of an upload. */
      logoUploadId: z
        .string()
        .regex(/^[\w-]{24}\.[a-z]{3,4}$/, 'image_missing')
        .nullable(),
    }),
    expiryMinutes: z.number().int().min(1).max(1440),
    feedRateMaxMinutes: z.number().int().min(1).max(1440),
    /** Dual control (docs/rules.md, “Dual control”). */
    secondOperator: z.boolean(),
    retention: retentionSettings.prefault({}),
    referral: referralSettings.nullable().default(null),
    /** Questions in display order. */
    faq: z.array(faqEntry).min(1).max(faqMax).default(defaultFaq),
    comments: z.boolean().default(false),
    followers: z.boolean().default(false),
    /** The first of `languageFacts` is always one. */
    languages: z
      .array(z.enum(publicLocales))
      .max(publicLocales.length)
      .refine((on) => on.includes(defaultLanguage) && new Set(on).size === on.length, 'not_an_option')
      .default([...textLanguages]),
    frameOrigins: origins.default([]),
    exchangeVideoUrl: httpsAddress.nullable(),
    /** Hosts whose videos may play in the page after a click. */
    videoOrigins: origins.default([]),
    /** Source code of this copy, with its changes, linked from every page. Null: not shown. */
    sourceUrl: httpsAddress.max(500).nullable().default(null),
  })
  .superRefine((settings, context) => {
    const issue = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message })
    const total = sum(settings.shares.map((share) => share.percent))
    if (compare(total, '100') !== 0) issue(['shares'], `shares_total ${total}`)
    for (const { path, message } of faqIssues(settings.faq)) issue(path, message)
    const fault = groundFault(settings.brand)
    if (fault) issue(['brand', fault.field], groundSentence(fault))
    const keys = settings.shares.map((share) => share.key)
    if (!keys.includes(settings.soldShare)) issue(['soldShare'], 'share_unknown')
    if (!keys.includes(settings.bonusShare)) issue(['bonusShare'], 'share_unknown')
    if (settings.soldShare === settings.bonusShare) issue(['bonusShare'], 'share_taken')
    if (compare(settings.softCapUsd, settings.hardCapUsd) > 0) issue(['softCapUsd'], 'soft_cap_above')
    if (compare(settings.orderMinimumTokens, settings.orderMaximumTokens) > 0)
      issue(['orderMinimumTokens'], 'minimum_above')
    if (
      compare(settings.orderDefaultTokens, settings.orderMinimumTokens) < 0 ||
      compare(settings.orderDefaultTokens, settings.orderMaximumTokens) > 0
    )
      issue(['orderDefaultTokens'], 'default_outside')
    if (settings.moneyBackDays > 0 && settings.moneyBackDays < moneyBackDaysMin)
      issue(['moneyBackDays'], `too_small ${moneyBackDaysMin}`)
    if (settings.referral && compare(settings.referral.mostTokensEach, settings.referral.mostTokens) > 0)
      issue(['referral', 'mostTokensEach'], 'each_above_all')
    const perkKeys = new Set<string>()
    settings.levels.forEach((level, index) => {
      for (const before of settings.levels.slice(0, index)) {
        const locale = languageShared(level.name, before.name)
        if (locale) issue(['levels', index, 'name', locale], 'name_taken')
      }
      level.perks.forEach(({ key }, place) => {
        if (perkKeys.has(key)) issue(['levels', index, 'perks', place, 'key'], 'key_taken')
        perkKeys.add(key)
      })
      const previous = settings.levels[index - 1]
      if (!previous) return
      if (compare(level.threshold, previous.threshold) <= 0)
        issue(['levels', index, 'threshold'], 'level_order')
      if (compare(level.bonusPercent, previous.bonusPercent) < 0)
        issue(['levels', index, 'bonusPercent'], 'level_bonus')
    })
  })

const defaults = defaultsOf(campaignSettings)

/** Fields added since the settings were stored have defaults. */
export const settingsOf = (stored: z.input<typeof campaignSettings>) =>
  filledFrom(defaults, stored) as z.output<typeof campaignSettings>

/** A missing field keeps its value. */
export const settingsChange = mayLeaveOut(campaignSettings)

/** `campaignSettings` must still validate the result. */
export const settingsAfter = (standing: z.output<typeof campaignSettings>, change: object) =>
  filledFrom(standing, change) as z.output<typeof settingsChange>

export const stageSettings = z
  .object({
    name: nameUpTo(60),
    goalUsd: usdAmount,
    priceUsd,
    startsAt: z.iso.datetime(),
    endsAt: z.iso.datetime(),
  })
  .refine((stage) => stage.startsAt < stage.endsAt, {
    path: ['endsAt'],
    message: 'end_before_start',
  })
