/**
 * Stable codes of field errors; messages are `issue.CODE` of `locales/LANGUAGE/server.po`. A schema's message
 * is a code plus an optional value: `too_long 40`. The first group is reported by the schema library itself.
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

  'number_format',
  'decimal_format',
  'percentage_format',
  'not_positive',

  'transaction_id_format',
  'signature_format',

  'key_format',

  'currency_short',
  'full_name_short',
  'address_short',
  'rate_not_positive',
  'api_key_missing',
  'location_missing',

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

  'mail_variable_unknown',
  'mail_braces',
  'mail_part_missing',
  'mail_part_alone',
  'mail_link',

  'last_rule_open',
  'rule_order',

  'bonus_differs',
  'email_differs',
  'amounts_differ',
  'address_differs',
  'amount_differs',
] as const

export type IssueCode = (typeof issueCodes)[number]
