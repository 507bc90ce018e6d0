import { inOrder } from '../../../shared/audit-fields.ts'
import { factsOf } from '../../../shared/languages.ts'
import { isPeriod } from '../../../shared/retention.ts'
import { settingIds } from '../../../shared/setting-ids.ts'
import { textOfKey } from '../../../shared/shown-texts.ts'
import { knows, say } from '../../texts.ts'
import type { Language, OwnerNotice } from '../mail-kinds.ts'
import { shownTime } from '../text.ts'
import type { Fact, Templates, Words } from './template.ts'

type Kind =
  | 'operator_password_changed'
  | 'operator_second_factor_changed'
  | 'api_key_ends'
  | 'operator_invitation'
  | 'operator_link'
  | 'operator_notice'
  | 'owner_notice'

export const operatorMails: Templates<Kind> = {
  operator_password_changed: (_mail, { text }) => ({
    subject: text('subject'),
    blocks: [{ p: text('news') }, { must: text('advice') }],
  }),
  operator_second_factor_changed: ({ change }, { text, shared }) => ({
    subject: text('subject'),
    blocks: [{ p: text('news', { what: shared(change) }) }, { must: text('advice') }],
  }),
  api_key_ends: ({ key, hint, at }, { text, fact }) => ({
    subject: text('subject'),
    blocks: [
      { p: text('news') },
      { facts: [fact('key', `${key} (${hint})`), fact('ends', shownTime(at))] },
      { p: text('advice') },
    ],
  }),
  operator_invitation: ({ role, link }, { text, language }) => ({
    subject: text('subject'),
    blocks: [
      { p: text('news', { role: wordOf(role, language) }) },
      { button: text('button'), href: link },
      { small: text('note') },
    ],
  }),
  operator_link: ({ link }, { text }) => ({
    subject: text('subject'),
    blocks: [{ p: text('news') }, { button: text('button'), href: link }, { small: text('note') }],
  }),
  operator_notice: ({ lines, link }, { text }) => ({
    subject: text('subject'),
    blocks: [...lines.map((must) => ({ must })), { button: text('button'), href: link }],
  }),
  owner_notice: ({ notice, by, at }, words) => ({
    subject: ownerSubject(notice, words),
    blocks: [
      {
        facts: [
          ...ownerFacts(notice, words),
          words.fact(doers[notice.what] ?? 'changed_by', by),
          words.fact('when', shownTime(at)),
        ],
      },
      { must: adviceOn(notice, words) },
    ],
  }),
}

function adviceOn(notice: OwnerNotice, { text }: Words): string {
  if (notice.what === 'people_read') return text('advice_people')
  if (notice.what !== 'approval_waiting') return text('advice')
  return notice.dueAt ? text('advice_due', { time: shownTime(notice.dueAt) }) : text('advice_waiting')
}

const doers: Partial<Record<OwnerNotice['what'], string>> = {
  approval_waiting: 'asked_by',
  approval_confirmed: 'confirmed_by',
}

function ownerSubject(notice: OwnerNotice, { text, language }: Words): string {
  if ('action' in notice) return text(notice.what, { action: say(language, `action.${notice.action}`) })
  if (notice.what === 'wallet_announced') return text(notice.what, { wallet: notice.wallet })
  if ('login' in notice) return text(notice.what, { login: notice.login })
  if (notice.what === 'mail_server_changed') return text(notice.what)
  const { what, currency } = notice
  // All rate sources at once.
  return currency === '*' ? text('rate_sources_changed') : text(what, { currency })
}

function ownerFacts(notice: OwnerNotice, words: Words): readonly Fact[] {
  const { fact, text, language } = words
  if ('summary' in notice) {
    const asked = 'asked' in notice ? [fact('asked_by', notice.asked)] : []
    return [...summaryFacts(notice.summary, language), ...asked]
  }
  if (notice.what === 'operator_invited') return [fact('role', wordOf(notice.role, language))]
  if (notice.what === 'wallet_announced')
    return [fact('wallet', notice.wallet), fact('key_fingerprint', notice.key)]
  if (notice.what === 'people_read')
    return [fact('login', notice.login), fact('list', notice.list), fact('rows', notice.rows)]
  if (!('before' in notice)) return [fact('login', notice.login)]
  return [
    fact('before', wordOf(notice.before, language) || text('none')),
    fact('after', wordOf(notice.after, language) || text('none')),
  ]
}

/** The approval request's facts: amounts, addresses before and after. */
function summaryFacts(summary: Readonly<Record<string, string>>, language: Language): readonly Fact[] {
  const nameOf = (field: string) => {
    if (isPeriod(field)) {
      const [id] = settingIds(`retention.${field}`)
      return say(language, 'approval.shortened', { period: say(language, id) })
    }
    const id = [`field.${field.split('.').at(-1)}`, ...settingIds(field)].find(knows)
    return id ? say(language, id) : field
  }
  return inOrder(summary).map(([name, value]) => {
    const shown = textOfKey(name)
    if (shown) {
      const label = nameOf(shown.place)
      return [shown.language ? `${factsOf(shown.language).name}: ${label}` : label, value || '—']
    }
    const [field = '', code] = name.split(' ').toReversed()
    const label = code ? `${code}: ${nameOf(field)}` : nameOf(field)
    return [label, (worded.has(field) ? wordOf(value, language) : value) || '—']
  })
}

const worded: ReadonlySet<string> = new Set(['role', 'status'])

/** As on pages. */
const wordOf = (code: string, language: Language) =>
  knows(`mail.word.${code}`) ? say(language, `mail.word.${code}`) : code
