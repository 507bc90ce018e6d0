import { shownTime } from '../text.ts'
import type { Templates } from './template.ts'

type Kind =
  | 'delivery_address_typed'
  | 'delivery_address_named'
  | 'round_announced'
  | 'delivery_change_withdrawn'

export const deliveryMails: Templates<Kind> = {
  delivery_address_typed: ({ address, link }, { text, fact }) => ({
    subject: text('subject'),
    blocks: [
      { p: text('news') },
      { facts: [fact('address', address)] },
      { must: text('advice') },
      { button: text('button'), href: link },
      { small: text('note') },
    ],
  }),
  delivery_address_named: ({ address, countsFrom }, { text, fact }) => ({
    subject: text('subject'),
    blocks: [
      { p: text('news') },
      { facts: [fact('address', address), fact('counts_from', shownTime(countsFrom))] },
      { must: text('advice') },
    ],
  }),
  round_announced: ({ freezeFrom, nameBy, waiting, elsewhere, link }, { text, shared, fact }) => {
    const state = waiting ? 'waiting' : elsewhere ? 'elsewhere' : 'none'
    return {
      subject: text(waiting ? 'subject_waiting' : 'subject'),
      blocks: [
        { p: text('news') },
        {
          facts: [
            ...(waiting
              ? [fact('named', waiting.address), fact('counts_from', shownTime(waiting.countsFrom))]
              : []),
            ...(!waiting && elsewhere ? [fact('named_elsewhere', elsewhere)] : []),
            fact('sign_by', shownTime(nameBy)),
            fact('fixed_from', shownTime(freezeFrom)),
          ],
        },
        { must: text(`advice_${state}`) },
        { button: shared('open_account'), href: link },
        { small: text('note') },
      ],
    }
  },
  delivery_change_withdrawn: ({ address }, { text, fact }) => ({
    subject: text('subject'),
    blocks: [
      { p: text('news') },
      { facts: [fact('tokens_go_to', address ?? text('no_address'))] },
      { must: text('advice') },
    ],
  }),
}
