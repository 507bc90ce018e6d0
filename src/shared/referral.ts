/** The cookie of a friend's link: the code alone, nothing about the visitor. */
export const REFERRAL_COOKIE = 'referral'

/** A random value of the browser that survives logout, to recognise two accounts of one browser. */
export const DEVICE_COOKIE = 'device'

/** Constants of the referral programme; the rest is in its terms. */
export const referralRules = {
  /** Validity of an opened link. */
  linkDays: 30,
  /** How long a browser keeps its mark after the last login. */
  deviceDays: 180,
  /** Age at which an approval by hand is rewarded; one by a chain is when it is final. */
  handDays: 14,
} as const

/** Why a friend's order brought no reward, in order of checking. */
export const referralRefusals = [
  'account_gone',
  'taken_over',
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

/** Countries excluded by default, where promoting a sale for a reward is forbidden. */
export const referralCountriesExcluded = ['GB'] as const

const codePattern = /^[a-z2-7]{10}$/
export const isReferralCode = (text: string | undefined): text is string =>
  text !== undefined && codePattern.test(text)
