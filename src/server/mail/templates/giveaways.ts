import { shownTime } from '../text.ts'
import type { Templates } from './template.ts'

export const giveawayMails: Templates<'giveaway_won'> = {
  giveaway_won: ({ prize, sponsor, confirmBy, link }, { text, shared, fact }) => ({
    subject: text('subject'),
    blocks: [
      { p: text('news') },
      {
        facts: [fact('prize', prize), fact('sponsor', sponsor), fact('confirm_by', shownTime(confirmBy))],
      },
      { must: text('advice') },
      { button: shared('open_account'), href: link },
      { small: text('note') },
    ],
  }),
}
