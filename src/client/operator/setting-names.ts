import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { isPublicLocale } from '../../shared/languages.ts'
import { type Period, periodName, periods } from '../../shared/retention.ts'

/** Settings by the name that their field in the form has. */
const names: Record<string, MessageDescriptor> = {
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
  operatorUtcOffsetMinutes: msg`Operators' time zone`,
  orderMinimumTokens: msg`Minimum per order`,
  orderMaximumTokens: msg`Maximum per order`,
  orderDefaultTokens: msg`Amount on the buy screen`,
  listingDate: msg`Listing date`,
  levels: msg`Levels`,
  delivery: msg`Delivery plan`,
  'delivery.network': msg`Delivery plan: network`,
  'delivery.date': msg`Delivery plan: date or vesting`,
  'legal.terms': msg`Terms`,
  'legal.risks': msg`Risk notice`,
  'legal.privacy': msg`Privacy policy`,
  goalUsd: msg`Goal`,
  startsAt: msg`Start`,
  endsAt: msg({ message: 'End', context: 'moment' }),
  brand: msg`Brand`,
  quoteMinutes: msg`How long a quote holds`,
  expiryMinutes: msg`How long an unpaid order keeps its place`,
  feedRateMaxMinutes: msg`Age limit of a feed's rate`,
  secondOperator: msg`Two pairs of eyes`,
  retention: msg`How long data is kept`,
  referral: msg`Rewards for bringing buyers`,
  'referral.percent': msg`For bringing a buyer, per cent`,
  'referral.mostTokensEach': msg`Most tokens for one person`,
  'referral.mostTokens': msg`Most tokens for all together`,
  'referral.countriesExcluded': msg`Countries without rewards`,
  faq: msg`FAQ`,
  comments: msg`Comments of buyers`,
  followers: msg`Announcements by mail`,
  languages: msg`Languages`,
  exchangeVideoUrl: msg`Video of the exchange guide`,
  videoOrigins: msg`Sites whose video plays in the page`,
  sourceUrl: msg`Source of this copy`,
  frameOrigins: msg`Sites that may frame the checkout`,
  priceUsd: msg`Main currency value`,
  currencies: msg`A currency with an address`,
  stages: msg`A stage`,
}

/** Parts of a setting, such as a level's, by the name that their field has. */
const parts: Record<string, MessageDescriptor> = {
  name: msg`Name`,
  threshold: msg`Tokens held from`,
  bonusPercent: msg`Bonus, per cent`,
  description: msg`Description`,
  perks: msg`Perk`,
  text: msg`Text`,
  link: msg`Link`,
  promisedFor: msg`Promised for`,
  proof: msg`Proof that it was kept`,
  percent: msg`Per cent`,
  minimumAge: msg`Minimum age`,
  phone: msg`Phone`,
  countriesRefused: msg`Refused countries`,
  chain: msg`Network of the buyers' addresses`,
  tokenContract: msg`Token contract`,
  vesting: msg`Vesting`,
  accent: msg`Accent colour`,
  now: msg`Colour of now`,
  ink: msg`Ink`,
  paper: msg`Paper`,
  logoUploadId: msg`Logo`,
  watched: msg`Unpaid expire, watched`,
  fixed: msg`Unpaid expire, fixed address`,
  question: msg`Question`,
  answer: msg`Answer`,
}

/** A word of a place in a setting: a language by its code, an item by its number, a part by its field's name. */
export function partName(i18n: I18n, word: string): string {
  if (isPublicLocale(word)) return word.toUpperCase()
  if (/^\d+$/.test(word)) return String(Number(word) + 1)
  const known = parts[word]
  return known ? i18n._(known) : word
}

const periodOf = (path: string): Period | undefined =>
  periods.find((period) => path === `retention.${period}`)

/** Whether the name says all of the place, down to the value. */
export const hasName = (path: string) => path in names || periodOf(path) !== undefined

export function settingName(i18n: I18n, path: string): string {
  const period = periodOf(path)
  if (period) return periodName(period, i18n.locale)
  const known = names[path] ?? names[path.split('.')[0] ?? '']
  return known ? i18n._(known) : path
}
