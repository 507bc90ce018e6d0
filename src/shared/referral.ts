/** The cookie holds the code alone, nothing about the visitor. */
export const REFERRAL_COOKIE = 'referral'

/** A random value that survives logout: recognises two accounts of one browser. */
export const DEVICE_COOKIE = 'device'

/** The other rules are in the programme's terms. */
export const referralRules = {
  /** Days that an opened link counts. */
  linkDays: 30,
  /** Days after the last login. */
  deviceDays: 180,
  /** An approval by hand is rewarded then, one by a chain once it is final. */
  handDays: 14,
} as const

/** Reasons in order of checking. */
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

/** Countries where promoting a sale for a reward is forbidden. */
export const referralCountriesExcluded = ['GB'] as const

const codePattern = /^[a-z2-7]{10}$/
export const isReferralCode = (text: string | undefined): text is string =>
  text !== undefined && codePattern.test(text)
