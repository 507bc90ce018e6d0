/**
 * What can be wrong with a field: stable codes, whose sentences are `issue.CODE` of `locales/LANGUAGE/server.po`. A schema's message is a code,
 * with the value that its sentence names behind a space: `too_long 40`. The first group is what the schema library finds by itself.
 */
export const issueCodes = [
  'required',
  'wrong_type',
  'wrong_format',
  'not_an_option',
  'unknown_field',
  'too_short',
  'too_long',
  'too_small',
  'too_large',
  'too_few',
  'too_many',
  'invalid',

  // people and their credentials
  'name_missing',
  'email_missing',
  'email_format',
  'phone_format',
  'login_missing',
  'password_missing',
  'passwords_differ',
  'code_format',
  'proof_missing',
  'nickname_format',
  'text_missing',
  'faq_lasting',
  'faq_live',
  'moment_past',
  'closes_too_early',
  'label_missing',
  'control_characters',
  'country_format',

  // numbers
  'number_format',
  'decimal_format',
  'percentage_format',
  'not_positive',

  // payments
  'transaction_id_format',
  'signature_format',

  // headers
  'key_format',

  // currencies and analytics keys
  'currency_short',
  'full_name_short',
  'address_short',
  'rate_not_positive',
  'api_key_missing',
  'location_missing',

  // the campaign
  'shares_total',
  'share_unknown',
  'share_taken',
  'soft_cap_above',
  'minimum_above',
  'each_above_all',
  'default_outside',
  'name_taken',
  'key_taken',
  'level_order',
  'level_bonus',
  'end_before_start',
  'color_format',
  'ink_contrast',
  'image_missing',
  'https_format',
  'origin_format',

  // the words of mails
  'mail_variable_unknown',
  'mail_braces',
  'mail_part_missing',
  'mail_part_alone',
  'mail_link',

  // chains
  'last_rule_open',
  'rule_order',

  // the legacy API and headers
  'bonus_differs',
  'email_differs',
  'amounts_differ',
  'address_differs',
  'amount_differs',
] as const

export type IssueCode = (typeof issueCodes)[number]
