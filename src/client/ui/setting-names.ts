import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { CampaignSettings } from '../../shared/campaign-settings.ts'
import { isPublicLocale } from '../../shared/languages.ts'
import { periodName, periods } from '../../shared/retention.ts'

/** Every setting, its parts and what else belongs to the campaign, by its path without items of lists and languages. */
const settingNames: Readonly<Record<string, MessageDescriptor>> = {
  name: msg`Token's name`,
  symbol: msg`Symbol`,
  tagline: msg`Tagline`,
  purpose: msg`What it is for`,
  seller: msg`Seller`,
  'seller.name': msg`Seller's name`,
  'seller.address': msg`Seller's address`,
  'seller.contact': msg`Seller's contact`,
  'seller.country': msg`Seller's country`,
  totalSupply: msg`Total supply`,
  hardCapUsd: msg`Hard cap`,
  softCapUsd: msg`Soft cap`,
  softCapPolicy: msg`If the soft cap is missed`,
  shares: msg`Token distribution`,
  soldShare: msg`Share that is sold`,
  bonusShare: msg`Share that pays bonuses and grants`,
  buyers: msg`Who may buy`,
  'buyers.countriesRefused': msg`Refused countries`,
  'buyers.minimumAge': msg`Minimum age`,
  'buyers.phone': msg`Phone`,
  operatorUtcOffsetMinutes: msg`Operators' time zone`,
  orderMinimumTokens: msg`Smallest order`,
  orderMaximumTokens: msg`Largest order`,
  orderDefaultTokens: msg`Amount on the buy screen`,
  listingDate: msg`Listing date`,
  levels: msg`Levels`,
  'levels.threshold': msg`Tokens held from`,
  'levels.bonusPercent': msg`Bonus, per cent`,
  'levels.perks': msg`Perks`,
  'levels.perks.promisedFor': msg`Promised for`,
  'levels.perks.firstPromisedFor': msg`First promised for`,
  'levels.perks.proof': msg`Proof that it was kept`,
  'levels.perks.keptAt': msg`Proof given`,
  delivery: msg`Delivery plan`,
  'delivery.network': msg`Delivery network`,
  'delivery.chain': msg`Network of the buyers' addresses`,
  'delivery.tokenContract': msg`Token contract`,
  'delivery.date': msg`Delivery date`,
  'delivery.vesting': msg`Vesting`,
  brand: msg`Brand`,
  'brand.accent': msg`Accent colour`,
  'brand.ink': msg`Ink`,
  'brand.paper': msg`Paper`,
  'brand.now': msg`Colour of now`,
  'brand.logoUploadId': msg`Logo`,
  quoteMinutes: msg`How long a quote holds`,
  expiryMinutes: msg`How long an unpaid order keeps its place`,
  'expiryMinutes.watched': msg`Unpaid orders expire, watched address`,
  'expiryMinutes.fixed': msg`Unpaid orders expire, fixed address`,
  feedRateMaxMinutes: msg`Age limit of a price source's rate`,
  secondOperator: msg`Two operators for what moves money`,
  retention: msg`How long data is kept`,
  referral: msg`Rewards for bringing buyers`,
  'referral.percent': msg`Per cent of the friend's base tokens`,
  'referral.mostTokensEach': msg`Most tokens for one person`,
  'referral.mostTokens': msg`Most tokens for all together`,
  'referral.countriesExcluded': msg`Countries without rewards`,
  faq: msg`FAQ`,
  'faq.question': msg`Question`,
  'faq.answer': msg`Answer`,
  comments: msg`Buyers may comment on announcements`,
  followers: msg`Anybody may get announcements by mail`,
  languages: msg`Languages of the pages`,
  frameOrigins: msg`Sites that may frame the checkout`,
  exchangeVideoUrl: msg`Video of the exchange guide`,
  videoOrigins: msg`Sites whose video plays in the page`,
  sourceUrl: msg`Source of this copy`,
  priceUsd: msg`Main currency value`,
  currencies: msg`A currency with an address`,
  stages: msg`A stage`,
  'stages.name': msg`Name`,
  'stages.goalUsd': msg`Goal`,
  'stages.priceUsd': msg`Price`,
  'stages.startsAt': msg`Start`,
  'stages.endsAt': msg({ message: 'End', context: 'moment' }),
  'stages.firstEndsAt': msg`First end`,
  'legal.terms': msg`Terms`,
  'legal.risks': msg`Risk notice`,
  'legal.privacy': msg`Privacy policy`,
  paused: msg`Pause of the sale`,
} satisfies Record<keyof CampaignSettings, MessageDescriptor> & Record<string, MessageDescriptor>

const isItem = (word: string) => /^\d+$/.test(word) || isPublicLocale(word)

/**
 * The name of a setting, of a part of one (`levels.0.threshold`) or of what belongs to the campaign beside them (`stages.1.goalUsd`, `paused`);
 * undefined where it has none.
 */
export function ownNameOf(i18n: I18n, path: string): string | undefined {
  const period = periods.find((known) => path === `retention.${known}`)
  if (period) return periodName(period, i18n.locale)
  const words = path.split('.').filter((word) => !isItem(word))
  const name = settingNames[words.join('.')] ?? settingNames[['stages', ...words].join('.')]
  return name && i18n._(name)
}

/** Whether the name of the setting says all of the path, down to the value: no item of a list, no language. */
export const isNamedWhole = (i18n: I18n, path: string) =>
  !path.split('.').some(isItem) && ownNameOf(i18n, path) !== undefined

/** The name of what the path leads to; of an item, or what has no name, that of the setting. */
export function settingName(i18n: I18n, path: string): string {
  const own = isNamedWhole(i18n, path) ? ownNameOf(i18n, path) : undefined
  return own ?? ownNameOf(i18n, path.split('.')[0] ?? '') ?? path
}
