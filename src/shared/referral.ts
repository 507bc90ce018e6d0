/** The cookie of a friend's link: the code alone, nothing of who opened it. */
export const REFERRAL_COOKIE = 'referral'

/** A random value of the browser, kept past signing out, by which two accounts of one browser are recognised. */
export const DEVICE_COOKIE = 'device'

/** The fixed figures of the referral programme; what an owner sets stands in its terms. */
export const referralRules = {
  /** How long a link that was opened counts. */
  linkDays: 30,
  /** How long a browser keeps its mark after it last signed in. */
  deviceDays: 180,
  /** An approval by hand brings nothing before it is so old; one by a chain, before it is final. */
  handDays: 14,
} as const

/** Why an order of a friend brought its referrer nothing, in the order in which it is looked for. */
export const referralRefusals = [
  'account_gone',
  'same_mailbox',
  'same_device',
  'same_address',
  'ring',
  'country_excluded',
  'country_unknown',
  'limit_reached',
  'supply_reached',
] as const
export type ReferralRefusal = (typeof referralRefusals)[number]

/** Where the programme is not open unless an owner says so: promoting a sale for a reward is forbidden there. */
export const referralCountriesExcluded = ['GB'] as const

const codePattern = /^[a-z2-7]{10}$/
export const isReferralCode = (text: string | undefined): text is string =>
  text !== undefined && codePattern.test(text)
