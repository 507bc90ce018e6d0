import { shownTime } from '../text.ts'
import type { Templates } from './template.ts'

type Kind =
  | 'confirm_email'
  | 'change_email'
  | 'email_changing'
  | 'reset_password'
  | 'debt_link'
  | 'debt_claimed'
  | 'password_changed'
  | 'taken_back'
  | 'moved_back'
  | 'account_deleting'
  | 'account_deleted'
  | 'new_sign_in'
  | 'failed_attempts'
  | 'code_used_again'
  | 'second_factor_changed'

export const accountMails: Templates<Kind> = {
  confirm_email: ({ link }, { text }) => ({
    subject: text('subject'),
    blocks: [{ p: text('ask') }, { button: text('button'), href: link }, { small: text('note') }],
  }),
  change_email: ({ link }, { text }) => ({
    subject: text('subject'),
    blocks: [{ p: text('ask') }, { button: text('button'), href: link }, { small: text('note') }],
  }),
  email_changing: ({ link }, { text, shared }) => ({
    subject: text('subject'),
    blocks: [
      { p: text('news') },
      { must: text('advice') },
      { button: shared('take_back'), href: link },
      { small: shared('take_back_note') },
    ],
  }),
  reset_password: ({ link }, { text }) => ({
    subject: text('subject'),
    blocks: [{ p: text('ask') }, { button: text('button'), href: link }, { small: text('note') }],
  }),
  debt_link: ({ link }, { text }) => ({
    subject: text('subject'),
    blocks: [{ p: text('ask') }, { button: text('button'), href: link }, { small: text('note') }],
  }),
  debt_claimed: ({ addresses, link }, { text, fact }) => ({
    subject: text('subject'),
    blocks: [
      { p: text('news') },
      { facts: [fact('address', addresses)] },
      { must: text('advice') },
      { button: text('button'), href: link },
    ],
  }),
  password_changed: (_mail, { text }) => ({
    subject: text('subject'),
    blocks: [{ p: text('news') }, { must: text('advice') }],
  }),
  taken_back: ({ factors, delivery, refunds }, { text, fact }) => ({
    subject: text('subject'),
    blocks: [
      { p: text('news') },
      {
        facts: [
          ...(factors ? [fact('second_factor', text('off'))] : []),
          ...(delivery ? [fact('tokens_go_to', text('no_address'))] : []),
          ...(refunds ? [fact('refunds_go_to', text('no_address'))] : []),
        ],
      },
      { must: text('advice') },
    ],
  }),
  moved_back: (_mail, { text }) => ({
    subject: text('subject'),
    blocks: [{ p: text('news') }, { must: text('advice') }],
  }),
  account_deleting: ({ at, link }, { text, shared, fact }) => ({
    subject: text('subject'),
    blocks: [
      { p: text('news') },
      { facts: [fact('when', shownTime(at))] },
      { must: text(link ? 'advice' : 'advice_without_link') },
      ...(link ? [{ button: shared('take_back'), href: link }, { small: shared('take_back_note') }] : []),
    ],
  }),
  account_deleted: (_mail, { text }) => ({
    subject: text('subject'),
    blocks: [{ p: text('news') }, { must: text('advice') }],
  }),
  new_sign_in: ({ device, network, at }, { text, fact }) => ({
    subject: text('subject'),
    blocks: [
      { p: text('news') },
      {
        facts: [
          fact('when', shownTime(at)),
          fact('device', device || text('unknown')),
          fact('network', network),
        ],
      },
      { must: text('advice') },
    ],
  }),
  failed_attempts: ({ networks, at }, { text, shared, fact }) => ({
    subject: text('subject'),
    blocks: [
      { p: text('news') },
      { facts: [fact('last', shownTime(at)), fact('networks', networks || shared('in_session'))] },
      { must: text('advice') },
      { small: shared('once_a_day') },
    ],
  }),
  code_used_again: ({ network, at }, { text, shared, fact }) => ({
    subject: text('subject'),
    blocks: [
      { p: text('news') },
      { facts: [fact('when', shownTime(at)), fact('network', network || shared('in_session'))] },
      { must: text('advice') },
      { small: shared('once_a_day') },
    ],
  }),
  second_factor_changed: ({ change, link }, { text, shared }) => ({
    subject: text('subject'),
    blocks: [
      { p: text('news', { what: shared(change) }) },
      { must: text('advice') },
      { button: shared('take_back'), href: link },
      { small: shared('take_back_note') },
    ],
  }),
}
