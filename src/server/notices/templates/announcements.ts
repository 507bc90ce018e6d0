import type { TemplatesOf } from './template.ts'

/** What whoever follows the announcements by mail gets. */
export const announcementMails: TemplatesOf<'follow_confirm' | 'announcement'> = {
  en: {
    follow_confirm: ({ link }) => ({
      subject: 'Confirm that you want announcements by mail',
      blocks: [
        { p: 'Somebody typed this address on our site to get one mail for each announcement.' },
        { button: 'Yes, send them', href: link },
        {
          must: 'If it was not you, do nothing: no mail will come, and the address is forgotten after seven days.',
        },
      ],
    }),
    announcement: ({ title, beginning, link, leaveLink }) => ({
      subject: title,
      blocks: [
        { p: beginning },
        { button: 'Read the announcement', href: link },
        { small: 'You asked for one mail for each announcement. One click ends that:', href: leaveLink },
      ],
    }),
  },
  ru: {
    follow_confirm: ({ link }) => ({
      subject: 'Подтвердите, что хотите получать объявления по почте',
      blocks: [
        { p: 'Кто-то указал этот адрес на нашем сайте, чтобы получать по письму на каждое объявление.' },
        { button: 'Да, присылайте', href: link },
        {
          must: 'Если это были не вы, ничего не делайте: писем не будет, а адрес забудется через семь дней.',
        },
      ],
    }),
    announcement: ({ title, beginning, link, leaveLink }) => ({
      subject: title,
      blocks: [
        { p: beginning },
        { button: 'Читать объявление', href: link },
        { small: 'Вы просили письмо о каждом объявлении. Отказаться — один щелчок:', href: leaveLink },
      ],
    }),
  },
}
