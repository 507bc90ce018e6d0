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
import { nameUpTo, textsOf } from './texts-inputs.ts'

// Rules: STAGE-2
/** A text that an operator writes: one field per language; a missing one shows another, marked with its `lang`. */
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
      // Checking ends here, so that later checks compare numbers only.
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

/** A question of the landing page; what the program answers itself holds no words. */
const faqEntry = z.object({
  key: z.string().regex(/^[a-z][a-z0-9-]{1,30}$/),
  question: textsOf(z.string().trim().max(200)),
  /** Plain text with the markup of `src/shared/plain-markup.ts`. */
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

/** `#rrggbb` or `oklch(l c h)`: it stands in a style attribute of every page, and its text must be readable. */
const textedColor = z
  .string()
  .max(60)
  .refine((color) => brandColors(color) !== null, colorSentence)

const groundSentence = (fault: GroundFault): string =>
  fault.why === 'spelling' ? colorSentence : `ink_contrast ${fault.contrast}`

const httpsAddress = z.url({ protocol: /^https$/, error: 'https_format' })

/** What a level promises. The server alone writes `firstPromisedFor` and `keptAt`; what is sent of them is not taken. */
const perkSettings = z.object({
  /** Stays when the perk is written anew or moves to another level. */
  key: z.string().regex(/^[a-z][a-z0-9-]{1,30}$/),
  text: localText,
  link: httpsAddress.max(500).nullable().default(null),
  /** The day, in UTC, until which it is to be kept. */
  promisedFor: z.iso.date().nullable().default(null),
  /** The first day that was ever named. */
  firstPromisedFor: z.iso.date().nullable().default(null),
  /** Where everybody can see that it was kept. */
  proof: httpsAddress.max(500).nullable().default(null),
  /** When the proof was given. */
  keptAt: z.iso.datetime().nullable().default(null),
})

export const levelSettings = z.object({
  /** Stable key: also names the icon (`bronze`, …). */
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
 * The terms on which who brings a buyer is rewarded, in tokens of the share that pays bonuses and grants; null: nobody is. A friend's orders
 * keep the terms of the day on which the friend came.
 */
export const referralSettings = z.object({
  /** Of the base tokens of a friend's orders. */
  percent: percent
    .refine((value) => compare(value, '0') > 0, 'not_positive')
    .refine((value) => compare(value, '20') <= 0, 'too_large 20'),
  /** What one person can get in all. */
  mostTokensEach: tokenAmount,
  /** What all together can get. */
  mostTokens: tokenAmount,
  countriesExcluded: z.array(countryCode).max(250),
})

/** Days by period; one that is left out, as in a file of an older version, has its default. */
const retentionSettings = z.object(
  Object.fromEntries(
    periods.map((period) => {
      const { days, min, max } = retentionBounds[period]
      return [period, z.number().int().min(min).max(max).default(days)]
    }),
  ) as Record<Period, z.ZodDefault<z.ZodNumber>>,
)

// Rules: OPEN-4
/**
 * The campaign's settings but for stages, currencies, price and pause, which have rows of their own. One source for
 * everything shown; validated here for the form and for the server alike.
 */
export const campaignSettings = z
  .object({
    name: shownName(60),
    symbol: z
      .string()
      .trim()
      .regex(/^[A-Z0-9]{2,12}$/),
    tagline: localText,
    /** What the token is for, in the seller's words; without one the landing page says nothing of it. */
    purpose: textsOf(z.string().max(2_000)).default(noTexts),
    seller: z.object({
      name: nameInLine(120),
      address: z.string().trim().max(300),
      contact: z.string().trim().max(200),
      country: z.string().trim().max(2),
    }),
    totalSupply: tokenAmount,
    hardCapUsd: usdAmount,
    softCapUsd: usdAmount,
    softCapPolicy: z.enum(softCapPolicies),
    shares: z.array(shareSettings).min(1).max(itemsMax),
    /** Keys of the shares that are sold and that pay bonuses and grants. */
    soldShare: z.string(),
    bonusShare: z.string(),
    buyers: z.object({
      countriesRefused: z.array(countryCode).max(250),
      minimumAge: z.number().int().min(0).max(99),
      phone: z.enum(['required', 'optional', 'not_asked']),
    }),
    /** Days within which a buyer may take an order back, from what was bought last; 0: never. */
    moneyBackDays: z.number().int().min(0).max(365).default(0),
    operatorUtcOffsetMinutes: z.number().int().min(-720).max(840),
    orderMinimumTokens: tokenAmount,
    orderMaximumTokens: tokenAmount,
    orderDefaultTokens: tokenAmount,
    listingDate: z.iso.date().nullable(),
    levels: z.array(levelSettings).min(1).max(itemsMax),
    delivery: z.object({
      network: z.string().max(60),
      /** The EVM network on which buyers name their addresses; null: not chosen yet. */
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
      /** What is pressed. */
      accent: textedColor.nullable(),
      /** Texts and surfaces of the light theme; the dark one has their hues. Null: the product's own. */
      ink: z.string().max(60).nullable().default(null),
      paper: z.string().max(60).nullable().default(null),
      /** What is happening now. */
      now: textedColor.nullable().default(null),
      /** The name of an uploaded image. */
      logoUploadId: z
        .string()
        .regex(/^[\w-]{24}\.[a-z]{3,4}$/, 'image_missing')
        .nullable(),
    }),
    expiryMinutes: z.number().int().min(1).max(1440),
    feedRateMaxMinutes: z.number().int().min(1).max(1440),
    /** Whether what can move money waits for a second operator (docs/rules.md, “Dual control”). */
    secondOperator: z.boolean(),
    retention: retentionSettings.prefault({}),
    referral: referralSettings.nullable().default(null),
    /** What the landing page answers, in this order. */
    faq: z.array(faqEntry).min(1).max(faqMax).default(defaultFaq),
    /** Whether buyers may comment on announcements. */
    comments: z.boolean().default(false),
    /** Whether anybody may get announcements by mail. */
    followers: z.boolean().default(false),
    /** Those in which pages come; the first of `languageFacts` is always one of them. */
    languages: z
      .array(z.enum(publicLocales))
      .max(publicLocales.length)
      .refine((on) => on.includes(defaultLanguage) && new Set(on).size === on.length, 'not_an_option')
      .default([...textLanguages]),
    /** Whose pages may show the checkout in a frame. */
    frameOrigins: origins.default([]),
    exchangeVideoUrl: httpsAddress.nullable(),
    /** From whose hosts that video may be played in the page, once its reader asks for it. */
    videoOrigins: origins.default([]),
    /** Where the source of this copy of the program lies, for its changed parts, too; every page leads there. Null: no page says so. */
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

/** The settings that were stored, with the default of each field that there was not yet when they were. */
export const settingsOf = (stored: z.input<typeof campaignSettings>) =>
  filledFrom(defaults, stored) as z.output<typeof campaignSettings>

/** Settings as they are sent: what is left out, as a newer field by an older client, stays as it is. */
export const settingsChange = mayLeaveOut(campaignSettings)

/** What a change makes of the settings, to be checked by `campaignSettings`. */
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
