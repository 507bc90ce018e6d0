import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { mailKinds } from '../../shared/api/mail-templates.ts'
import { roles } from '../../shared/roles.ts'
import { parseCatalogue } from '../texts.ts'
import type { MailContent, OwnerNotice } from './mail-kinds.ts'
import { sampleMail } from './mail-samples.ts'
import type { Template, Words } from './templates/template.ts'
import { templates } from './templates.ts'

const login = 'anna.example'
const summary = {}
const notices: OwnerNotice[] = [
  { what: 'wallet_changed', currency: 'BTC', before: '', after: 'bc1' },
  { what: 'wallet_announced', wallet: 'w', key: 'k' },
  { what: 'rate_source_changed', currency: '*', before: 'manual', after: 'feed' },
  { what: 'rate_source_changed', currency: 'ETH', before: 'feed', after: '' },
  { what: 'mail_server_changed', before: 'smtp.old.example', after: 'smtp.new.example' },
  { what: 'role_changed', login, before: 'owner', after: 'support' },
  { what: 'operator_invited', login, role: 'content' },
  { what: 'link_renewed', login },
  { what: 'second_factor_removed', login },
  { what: 'api_key_made', login },
  { what: 'api_key_renewed', login },
  { what: 'operator_disabled', login },
  { what: 'operator_enabled', login },
  { what: 'operator_email_changed', login },
  { what: 'people_read', login: 'sue', rows: '1200', list: 'users' },
  { what: 'approval_waiting', action: 'grant.add', summary },
  { what: 'approval_waiting', action: 'announcement.add', summary, dueAt: '2026-01-01T00:00:00.000Z' },
  { what: 'approval_confirmed', action: 'grant.add', summary, asked: 'boris.example' },
]
const waiting = { address: '0x1', countsFrom: '2030-01-02T03:04:00.000Z' }
/** Further contents of mails that change their text. */
const others: readonly object[] = [
  { kind: 'new_sign_in', device: '' },
  { kind: 'failed_attempts', networks: '' },
  ...['totp_off', 'passkey_added', 'passkey_removed', 'recovery_codes_new'].map((change) => ({
    kind: 'second_factor_changed',
    change,
  })),
  { kind: 'round_announced', waiting },
  { kind: 'round_announced', elsewhere: 'ethereum' },
  { kind: 'delivery_change_withdrawn', address: null },
  { kind: 'order_rejected', watched: true, byOperator: false },
  { kind: 'order_rejected', isOwed: true },
  { kind: 'account_deleting', link: '' },
  { kind: 'order_reversed', isTakenBack: true },
  { kind: 'refund_paid', isByWord: true },
  ...notices.map((notice) => ({ kind: 'owner_notice', notice })),
]

test('the catalogue has the texts that mails say and no others', () => {
  const said = new Set(['sent_by', 'demo', 'never'].map((line) => `mail.footer.${line}`))
  for (const other of [...mailKinds.map((kind) => ({ kind })), ...others]) {
    const { kind } = other as MailContent
    const words: Words = {
      language: 'en',
      brand: { name: 'Sale', symbol: 'TKN', seller: '', contact: '', isDemo: false },
      text: (block) => noted(`mail.${kind}.${block}`),
      shared: (name) => noted(`mail.shared.${name}`),
      fact: (name, value) => [noted(`mail.fact.${name}`), value],
    }
    const template = templates[kind] as Template<MailContent['kind']>
    template({ ...sampleMail(kind, 'en'), ...other } as MailContent, words)
  }
  function noted(id: string) {
    said.add(id)
    return id
  }
  for (const word of [...roles, 'manual', 'feed', 'approved', 'pending']) said.add(`mail.word.${word}`)
  const po = readFileSync(new URL('../../../locales/en/server.po', import.meta.url), 'utf8')
  const known = [...parseCatalogue(po).keys()].filter((id) => id.startsWith('mail.'))
  expect(known.toSorted()).toEqual([...said].toSorted())
})
