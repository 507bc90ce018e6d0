import { expect, test } from 'vitest'
import type { Mail, MailContent, OwnerNotice } from './mail-kinds.ts'
import { renderMail } from './render.ts'
import type { Brand } from './templates/template.ts'
import { mailText } from './templates.ts'

const hostile = `<img src=x onerror=alert(1)>\r\nBcc: evil@example.org`
const at = '2026-08-05T14:03:09.000Z'
const link = 'https://sale.example.org/x#token=a"b'
const order = {
  name: hostile,
  number: '7',
  currency: 'BTC',
  cryptoAmount: '0.5',
  receiveTokens: '42',
  bonusTokens: '2',
  usd: '180.00',
  link,
}
const refund = { name: hostile, number: '7', currency: 'BTC', amount: '0.5', usd: '180.00', link }
const contents: MailContent[] = [
  { kind: 'confirm_email', name: hostile, link },
  { kind: 'change_email', name: hostile, link },
  { kind: 'email_changing', name: hostile, newEmail: 'new@example.org', link },
  { kind: 'reset_password', name: hostile, link },
  { kind: 'password_changed', name: hostile, at },
  { kind: 'taken_back', name: hostile, factors: true, delivery: true, refunds: true },
  { kind: 'account_deleting', name: hostile, at, link },
  { kind: 'account_deleting', name: hostile, at, link: '' },
  { kind: 'account_deleted', name: hostile },
  { kind: 'new_sign_in', name: hostile, device: hostile, network: '192.0.2.1', at },
  { kind: 'failed_attempts', name: hostile, attempts: 7, networks: '192.0.2.0/24', at },
  { kind: 'api_key_ends', name: hostile, key: hostile, hint: 'psk_abcd…', at },
  { kind: 'code_used_again', name: hostile, network: '192.0.2.0/24', at },
  { kind: 'second_factor_changed', name: hostile, change: 'totp_on', at, link },
  { kind: 'operator_second_factor_changed', name: hostile, change: 'totp_on', at },
  { kind: 'delivery_address_typed', name: hostile, address: hostile, link },
  {
    kind: 'round_announced',
    name: hostile,
    freezeFrom: at,
    nameBy: at,
    waiting: null,
    elsewhere: null,
    link,
  },
  {
    kind: 'round_announced',
    name: hostile,
    freezeFrom: at,
    nameBy: at,
    waiting: { address: hostile, countsFrom: at },
    elsewhere: null,
    link,
  },
  {
    kind: 'round_announced',
    name: hostile,
    freezeFrom: at,
    nameBy: at,
    waiting: null,
    elsewhere: hostile,
    link,
  },
  { kind: 'delivery_address_named', name: hostile, address: hostile, countsFrom: at },
  { kind: 'delivery_change_withdrawn', name: hostile, address: hostile },
  { kind: 'follow_confirm', link },
  { kind: 'order_created', ...order, until: at, watched: true },
  { kind: 'order_approved', ...order, watched: false },
  { kind: 'order_rejected', ...order, watched: true, byOperator: false, isOwed: false },
  { kind: 'order_rejected', ...order, watched: false, byOperator: true, isOwed: false },
  { kind: 'order_rejected', ...order, watched: false, byOperator: true, isOwed: true },
  { kind: 'order_reversed', ...order, isTakenBack: false },
  { kind: 'order_reversed', ...order, isTakenBack: true },
  { kind: 'order_underpaid', ...order, bought: '40', asked: '80', until: at },
  { kind: 'wallet_changed', ...order },
  { kind: 'refund_due', ...refund },
  { kind: 'refund_claimed', ...refund, address: hostile },
  { kind: 'refund_paid', ...refund, address: hostile, transactionId: 'ab'.repeat(32), isByWord: false },
  { kind: 'refund_paid', ...refund, address: hostile, transactionId: 'ab'.repeat(32), isByWord: true },
  { kind: 'operator_invitation', login: hostile, role: 'finance', link },
  {
    kind: 'owner_notice',
    notice: { what: 'wallet_changed', currency: 'BTC', before: '', after: 'b' },
    by: hostile,
    at,
  },
  {
    kind: 'owner_notice',
    notice: { what: 'role_changed', login: hostile, before: 'a', after: 'b' },
    by: 'x',
    at,
  },
]
const brand: Brand = {
  name: 'iToken',
  symbol: 'ITOKEN',
  seller: hostile,
  contact: 'hello@example.org',
  isDemo: false,
}
const rendered = (mail: Mail, with_: Brand = brand) => renderMail(mailText(mail, with_), with_, mail.language)

test.each(
  contents.flatMap((content) => [
    { ...content, language: 'en' as const },
    { ...content, language: 'ru' as const },
  ]),
)('$kind in $language is whole, escaped and in its language', (content) => {
  const { subject, text, html } = rendered({ ...content, to: 'ann@example.org' })
  for (const part of [subject, text, html]) expect(part).not.toMatch(/undefined|\[object|null/)
  expect(subject).not.toMatch(/[\r\n]/)
  expect(html).not.toContain('<img')
  // A reader's dark background is as dark as a button: its edge is what tells them apart.
  for (const [button] of html.matchAll(/<a [^>]*background:#111[^>]*>/g))
    expect(button).toContain('border:1px solid #888')
  expect(html).not.toContain('a"b')
  expect(html).not.toMatch(/https?:\/\/(?!sale\.example\.org)/)
  expect(html).toContain(`<html lang="${content.language}">`)
  expect(/[а-яё]/i.test(subject)).toBe(content.language === 'ru')
  if ('link' in content) expect(text).toContain(content.link)
})

test('figures stand as the language writes them, and the amount to send as wallets read it', () => {
  const facts = { ...order, name: 'Ann', cryptoAmount: '0.0031', receiveTokens: '1041.5', usd: '1249.75' }
  const textOf = (language: 'en' | 'ru' | 'es', content: MailContent) =>
    rendered({ ...content, to: 'ann@example.org', language }).text.replace(/\s/g, ' ')
  const created = (language: 'en' | 'ru' | 'es') =>
    textOf(language, { kind: 'order_created', ...facts, until: at, watched: true })
  for (const said of ['0.0031 BTC', '1,041.5 ITOKEN', '$1,249.75']) expect(created('en')).toContain(said)
  for (const said of ['0.0031 BTC', '1 041,5 ITOKEN', '1 249,75 $']) expect(created('ru')).toContain(said)
  for (const said of ['0.0031 BTC', '1.041,5 ITOKEN', '1.249,75 $']) expect(created('es')).toContain(said)
  const due = textOf('ru', { kind: 'refund_due', ...refund, amount: '12.5' })
  for (const said of ['12,5 BTC', '180,00 $']) expect(due).toContain(said)
})

test('a mail of an order says by when to pay, who decided, what the buyer gets, and what comes next', () => {
  const textOf = (content: MailContent) =>
    rendered({ ...content, to: 'ann@example.org', language: 'en' }).text
  const facts = { ...order, name: 'Ann', receiveTokens: '267.5', bonusTokens: '17.5' }
  const created = textOf({ kind: 'order_created', ...facts, until: at, watched: true })
  for (const said of [
    'You get: 267.5 ITOKEN: 250 + 17.5 bonus',
    'Pay by: 2026-08-05 14:03 UTC',
    'Confirmed by: the network, by itself',
    'Next: open the order and send the payment',
  ])
    expect(created).toContain(said)
  const approved = textOf({ kind: 'order_approved', ...facts, watched: false })
  for (const said of ['Confirmed by: an operator, by hand', 'Next: name the wallet'])
    expect(approved).toContain(said)
  const rejected = (how: { watched: boolean; byOperator: boolean; isOwed: boolean }) =>
    textOf({ kind: 'order_rejected', ...facts, ...how })
  const byHand = rejected({ watched: false, byOperator: true, isOwed: false })
  expect(byHand).toContain('Decided by: an operator, by hand')
  expect(byHand).toMatch(/write to the seller \(.*hello@example\.org\) and name order #7/s)
  expect(byHand).not.toContain('its page says what becomes of the payment')
  expect(rejected({ watched: false, byOperator: true, isOwed: true })).toContain(
    'Your payment is owed back to you',
  )
  const byRules = rejected({ watched: true, byOperator: false, isOwed: false })
  expect(byRules).toContain('Decided by: the rules of the sale')
  expect(byRules).toContain('A payment that arrives all the same is owed back to you')
})

test('owners read of roles and rate sources in their language', () => {
  const textOf = (notice: OwnerNotice, language: 'ru' | 'es') =>
    rendered({ kind: 'owner_notice', notice, by: 'ann', at, to: 'ben@example.org', language }).text
  const role: OwnerNotice = { what: 'role_changed', login: 'finn', before: 'support', after: 'finance' }
  const source: OwnerNotice = {
    what: 'rate_source_changed',
    currency: 'ETH',
    before: 'manual',
    after: 'feed',
  }
  expect(textOf(role, 'ru')).toMatch(/Было: поддержка\nСтало: финансы/)
  expect(textOf(role, 'es')).toMatch(/Antes: soporte\nDespués: finanzas/)
  expect(textOf(source, 'ru')).toMatch(/Было: вручную\nСтало: источник/)
  expect(textOf(source, 'es')).toMatch(/Antes: manual\nDespués: fuente de precios/)
  const waits: OwnerNotice = {
    what: 'approval_waiting',
    action: 'operator.change',
    summary: { role: 'owner' },
  }
  expect(textOf(waits, 'ru')).toContain('владелец')
  expect(textOf({ what: 'operator_invited', login: 'finn', role: 'owner' }, 'ru')).toContain('Роль: владелец')
})

test('what waits for a second operator is labelled in the reader’s language', () => {
  const summary = {
    user: 'u_1',
    amount: '5',
    before: 'a',
    address: 'b',
    reason: 'prize',
    usd: '1',
    tokens: '2',
  }
  const notice = { what: 'approval_waiting', action: 'grant.add', summary } as const
  const textOf = (language: 'en' | 'ru') =>
    rendered({ kind: 'owner_notice', notice, by: 'ann', at, to: 'ben@example.org', language }).text
  expect(textOf('en')).toMatch(/User: u_1[^]*Amount: 5[^]*Before: a[^]*Reason: prize/)
  const russian = textOf('ru')
  expect(russian).toMatch(/Пользователь: u_1[^]*Сумма: 5[^]*Было: a[^]*Причина: prize/)
  expect(russian).not.toMatch(/\b(user|amount|before|address|reason|usd|tokens):/i)
})

test('a mail of a demo says so in its subject and at its end', () => {
  const mail: Mail = {
    kind: 'order_created',
    ...order,
    until: at,
    watched: true,
    to: 'ann@example.org',
    language: 'en',
  }
  const { subject, text } = rendered(mail, { ...brand, isDemo: true })
  expect(subject).toMatch(/^\[DEMO\]/)
  expect(text).toContain('nothing is for sale')
})

test('no mail names an address to pay to', () => {
  const mail: Mail = {
    kind: 'order_created',
    ...order,
    until: at,
    watched: true,
    to: 'ann@example.org',
    language: 'en',
  }
  expect(rendered(mail).text).toContain('never pay to an address from a mail')
})

test('a name that whoever registers an address gives makes no link in a mail to that address', () => {
  for (const name of [
    'https://evil.example/claim',
    'Your refund waits at evil.example/claim',
    'www.evil.example',
  ]) {
    const { text, html } = rendered({
      kind: 'confirm_email',
      name,
      link,
      language: 'en',
      to: 'victim@example.org',
    })
    for (const part of [text, html]) expect(part).not.toMatch(/evil\.example/)
  }
  const { text } = rendered({
    kind: 'confirm_email',
    name: 'Dr. J. Smith-O’Hara',
    link,
    language: 'en',
    to: 'v@example.org',
  })
  expect(text).toContain('Dr. J. Smith-O’Hara')
})
