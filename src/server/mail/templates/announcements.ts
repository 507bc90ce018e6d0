import type { Templates } from './template.ts'

export const announcementMails: Templates<'follow_confirm' | 'announcement'> = {
  follow_confirm: ({ link }, { text }) => ({
    subject: text('subject'),
    blocks: [{ p: text('ask') }, { button: text('button'), href: link }, { must: text('note') }],
  }),
  announcement: ({ title, beginning, link, leaveLink }, { text }) => ({
    subject: title,
    blocks: [
      { p: beginning },
      { button: text('button'), href: link },
      { small: text('leave'), href: leaveLink },
    ],
  }),
}
