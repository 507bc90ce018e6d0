import { say } from '../texts.ts'
import type { Language, Mail, MailContent } from './mail-kinds.ts'
import type { Brand } from './templates/template.ts'
import { mailText, nameIn } from './templates.ts'
import { shownTime } from './text.ts'

type Kind = MailContent['kind']
type ContentOf<K extends Kind> = Extract<MailContent, { kind: K }>

interface Sample<K extends Kind> {
  /** An example mail; person, order and link are fictitious. */
  readonly mail: Omit<ContentOf<K>, 'kind'>
  /** Placeholders `{name}` of operators' texts: fields of the mail, or values by `valueOf`. */
  readonly variables: readonly string[]
}

const name = 'Anna Example'
const at = '2030-01-02T03:04:00.000Z'
const link = 'https://example.org/example-link'
const login = 'anna.example'
const address = '0x0000000000000000000000000000000000000e9a'
const order = {
  name,
  number: '1024',
  currency: 'USDT',
  cryptoAmount: '180',
  receiveTokens: '42',
  bonusTokens: '2',
  usd: '180.00',
  link,
}
const refund = { name, number: '1024', currency: 'USDT', amount: '12.5', usd: '12.50', link }
const orderSample = { mail: order, variables: ['name', 'number', 'currency'] }
const refundVariables = ['name', 'number', 'currency', 'amount']

const samples: { readonly [K in Kind]: Sample<K> } = {
  confirm_email: { mail: { name, link }, variables: ['name'] },
  change_email: { mail: { name, link }, variables: ['name'] },
  email_changing: { mail: { name, newEmail: 'new@example.org', link }, variables: ['name', 'newEmail'] },
  reset_password: { mail: { name, link }, variables: ['name'] },
  debt_link: { mail: { link }, variables: [] },
  debt_claimed: { mail: { addresses: `ethereum: ${address}`, link }, variables: [] },
  password_changed: { mail: { name, at }, variables: ['name', 'at'] },
  taken_back: { mail: { name, factors: true, delivery: true, refunds: true }, variables: ['name'] },
  moved_back: { mail: { name }, variables: ['name'] },
  account_deleting: { mail: { name, at, link }, variables: ['name'] },
  account_deleted: { mail: { name }, variables: ['name'] },
  new_sign_in: {
    mail: { name, device: 'Firefox, Linux', network: '192.0.2.0/24', at },
    variables: ['name'],
  },
  failed_attempts: {
    mail: { name, attempts: 17, networks: '192.0.2.0/24', at },
    variables: ['name', 'attempts'],
  },
  code_used_again: { mail: { name, network: '192.0.2.0/24', at }, variables: ['name'] },
  second_factor_changed: { mail: { name, change: 'totp_on', at, link }, variables: ['name', 'change', 'at'] },
  order_created: { ...orderSample, mail: { ...order, until: at, watched: true } },
  order_approved: { ...orderSample, mail: { ...order, watched: true } },
  order_rejected: { ...orderSample, mail: { ...order, watched: false, byOperator: true, isOwed: false } },
  order_reversed: { ...orderSample, mail: { ...order, isTakenBack: false } },
  order_underpaid: {
    mail: { ...order, bought: '40', asked: '80', until: at },
    variables: [...orderSample.variables, 'bought', 'asked'],
  },
  wallet_changed: orderSample,
  refund_due: { mail: refund, variables: refundVariables },
  refund_claimed: { mail: { ...refund, address }, variables: refundVariables },
  refund_paid: {
    mail: { ...refund, address, transactionId: `0x${'e9a'.repeat(21)}0`, isByWord: false },
    variables: refundVariables,
  },
  delivery_address_typed: { mail: { name, address, link }, variables: ['name'] },
  delivery_address_named: { mail: { name, address, countsFrom: at }, variables: ['name'] },
  delivery_change_withdrawn: { mail: { name, address }, variables: ['name'] },
  round_announced: {
    mail: { name, freezeFrom: at, nameBy: at, waiting: null, elsewhere: null, link },
    variables: ['name'],
  },
  giveaway_won: {
    mail: { name, prize: 'An example', sponsor: 'Example Ltd', confirmBy: at, link },
    variables: ['name', 'prize', 'sponsor'],
  },
  follow_confirm: { mail: { link }, variables: [] },
  announcement: {
    mail: {
      title: 'An example title',
      beginning: 'The beginning of an example.',
      link,
      leaveLink: 'https://example.org/example-leaving',
    },
    variables: ['title', 'beginning'],
  },
  operator_invitation: { mail: { login, role: 'finance', link }, variables: ['login', 'role'] },
  operator_link: { mail: { login, link }, variables: ['login'] },
  operator_second_factor_changed: {
    mail: { name, change: 'totp_on', at },
    variables: ['name', 'change', 'at'],
  },
  operator_password_changed: { mail: { name, at }, variables: ['name', 'at'] },
  api_key_ends: {
    mail: { name, key: 'Example key', hint: 'psk_abcd…', at },
    variables: ['name', 'key', 'at'],
  },
  operator_notice: { mail: { lines: ['New orders: 2, the last is #1024'], link }, variables: [] },
  owner_notice: {
    mail: { notice: { what: 'link_renewed', login }, by: 'boris.example', at },
    variables: ['what', 'by'],
  },
}

/** Placeholders of every mail. */
const brandVariables = ['brand', 'symbol'] as const
const times: ReadonlySet<string> = new Set(['at'])

export function sampleMail(kind: Kind, language: Language, to = 'anna@example.org'): Mail {
  return { ...samples[kind].mail, kind, to, language } as Mail
}

export function variableNamesOf(kind: Kind): readonly string[] {
  return [...samples[kind].variables, ...brandVariables]
}

export function variablesOf(mail: Mail, brand: Brand): Record<string, string> {
  const own = samples[mail.kind].variables.map((variable) => [variable, valueOf(mail, variable, brand)])
  return { brand: brand.name, symbol: brand.symbol, ...Object.fromEntries(own) }
}

function valueOf(mail: Mail, variable: string, brand: Brand): string {
  if ('change' in mail && variable === 'change') return say(mail.language, `mail.shared.${mail.change}`)
  if (mail.kind === 'owner_notice' && variable === 'what') return mailText(mail, brand).subject
  const value = String((mail as unknown as Record<string, unknown>)[variable])
  if (variable === 'name' && 'name' in mail) return nameIn(mail)
  return times.has(variable) ? shownTime(value) : value
}
