import { shownTime } from '../text.ts'
import type { TemplatesOf } from './template.ts'

/** What a winner of a giveaway is told. */
export const giveawayMails: TemplatesOf<'giveaway_won'> = {
  en: {
    giveaway_won: ({ name, prize, sponsor, confirmBy, link }) => ({
      subject: 'Your entry was drawn in the giveaway',
      blocks: [
        { p: `Hello ${name}, your entry was drawn. Anybody can repeat the draw from the published file.` },
        {
          facts: [
            ['Prize', prize],
            ['Sponsor', sponsor],
            ['To be confirmed by', shownTime(confirmBy)],
          ],
        },
        {
          must: 'Confirm by then in your account. Otherwise the prize goes to the next entry of the drawn order.',
        },
        { button: 'Open your account', href: link },
        {
          small:
            'The prize costs nothing: nobody will ever ask you for a payment, a fee, your phrase or key for it.',
        },
      ],
    }),
  },
  ru: {
    giveaway_won: ({ name, prize, sponsor, confirmBy, link }) => ({
      subject: 'Ваша заявка выиграла в розыгрыше',
      blocks: [
        {
          p: `Здравствуйте, ${name}! Ваша заявка выиграла. Жеребьёвку может повторить каждый по опубликованному файлу.`,
        },
        {
          facts: [
            ['Приз', prize],
            ['Спонсор', sponsor],
            ['Подтвердить до', shownTime(confirmBy)],
          ],
        },
        {
          must: 'Подтвердите приз в аккаунте до этого времени. Иначе он достанется следующей заявке по порядку жеребьёвки.',
        },
        { button: 'Открыть аккаунт', href: link },
        {
          small: 'Приз ничего не стоит: никто никогда не попросит за него платёж, комиссию, фразу или ключ.',
        },
      ],
    }),
  },
}
