import { shownTime } from '../text.ts'
import type { TemplatesOf } from './template.ts'

type Kind =
  | 'delivery_address_typed'
  | 'delivery_address_named'
  | 'round_announced'
  | 'delivery_change_withdrawn'

/** Mails about where a buyer’s tokens go. */
export const deliveryMails: TemplatesOf<Kind> = {
  en: {
    delivery_address_typed: ({ name, address, link }) => ({
      subject: 'Confirm where your tokens go',
      blocks: [
        { p: `Hello ${name}, this address was typed in your account as the one for your tokens.` },
        { facts: [['Address', address]] },
        { must: 'Compare it with your wallet, character by character, before you confirm.' },
        { button: 'Look at the address', href: link },
        {
          small:
            'The link works once, for 24 hours. If you did not ask for this, do not open it, and change your password now.',
        },
      ],
    }),
    delivery_address_named: ({ name, address, countsFrom }) => ({
      subject: 'Where your tokens go',
      blocks: [
        { p: `Hello ${name}, this address was named for your tokens.` },
        {
          facts: [
            ['Address', address],
            ['Counts from', shownTime(countsFrom)],
          ],
        },
        {
          must: 'If that was not you, change your password now: this takes back an address that does not count yet. Then look at the address in your account. Nobody will ever ask you for some of your tokens back, or for a phrase.',
        },
      ],
    }),
    round_announced: ({ name, freezeFrom, nameBy, waiting, elsewhere, link }, brand) => ({
      subject: waiting
        ? `Is this the address for your ${brand.symbol}?`
        : `Name an address for your ${brand.symbol}`,
      blocks: [
        {
          p: `Hello ${name}, the next delivery of tokens is about to be fixed, and no address counts for yours yet.`,
        },
        {
          facts: [
            ...(waiting
              ? ([
                  ['Named', waiting.address],
                  ['Counts from', shownTime(waiting.countsFrom)],
                ] as const)
              : []),
            ...(!waiting && elsewhere ? [['Named for another network', elsewhere] as const] : []),
            ['To be signed or confirmed by', shownTime(nameBy)],
            ['Fixed at the earliest on', shownTime(freezeFrom)],
          ],
        },
        {
          must: waiting
            ? 'If that address is yours, there is nothing to do. If it is not, change your password now: this takes it back. Then name your own.'
            : elsewhere
              ? 'The network of the delivery was changed since, and an address counts only on the network that it was named for. Name the same one or another again by then: it counts a day after you have signed or confirmed it. Otherwise your tokens stay yours and wait for a later delivery.'
              : 'Name an address of your own wallet in your account by then: it counts a day after you have signed or confirmed it. Otherwise your tokens stay yours and wait for a later delivery.',
        },
        { button: 'Open your account', href: link },
        { small: 'Nobody will ever ask for your phrase or key, or for tokens in return.' },
      ],
    }),
    delivery_change_withdrawn: ({ name, address }) => ({
      subject: 'A change of where your tokens go was taken back',
      blocks: [
        {
          p: `Hello ${name}, an address that was named for your tokens in your account, and did not count yet, was taken back.`,
        },
        { facts: [['Your tokens go to', address ?? 'no address yet']] },
        { must: 'If that was not you, change your password now. Then name your address again.' },
      ],
    }),
  },
  ru: {
    delivery_address_typed: ({ name, address, link }) => ({
      subject: 'Подтвердите, куда отправить ваши токены',
      blocks: [
        { p: `Здравствуйте, ${name}! В вашем аккаунте ввели этот адрес как адрес для ваших токенов.` },
        { facts: [['Адрес', address]] },
        { must: 'Прежде чем подтвердить, посимвольно сравните его со своим кошельком.' },
        { button: 'Посмотреть адрес', href: link },
        {
          small:
            'Ссылка действует один раз в течение 24 часов. Если вы об этом не просили, не открывайте её и сейчас же смените пароль.',
        },
      ],
    }),
    delivery_address_named: ({ name, address, countsFrom }) => ({
      subject: 'Куда поступят ваши токены',
      blocks: [
        { p: `Здравствуйте, ${name}! Для ваших токенов указали этот адрес.` },
        {
          facts: [
            ['Адрес', address],
            ['Действует с', shownTime(countsFrom)],
          ],
        },
        {
          must: 'Если это были не вы, сейчас же смените пароль: адрес, который ещё не действует, будет отменён. Затем проверьте адрес в своём аккаунте. Никто никогда не попросит вернуть часть токенов или сообщить фразу.',
        },
      ],
    }),
    round_announced: ({ name, freezeFrom, nameBy, waiting, elsewhere, link }, brand) => ({
      subject: waiting ? `Это адрес для ваших ${brand.symbol}?` : `Укажите адрес для ваших ${brand.symbol}`,
      blocks: [
        {
          p: `Здравствуйте, ${name}! Скоро будет зафиксирована очередная доставка токенов, а для ваших ещё не действует ни один адрес.`,
        },
        {
          facts: [
            ...(waiting
              ? ([
                  ['Указан', waiting.address],
                  ['Действует с', shownTime(waiting.countsFrom)],
                ] as const)
              : []),
            ...(!waiting && elsewhere ? [['Указан для другой сети', elsewhere] as const] : []),
            ['Подписать или подтвердить до', shownTime(nameBy)],
            ['Фиксация не раньше', shownTime(freezeFrom)],
          ],
        },
        {
          must: waiting
            ? 'Если это ваш адрес, делать ничего не нужно. Если нет, сейчас же смените пароль: этот адрес будет отменён. Затем укажите свой.'
            : elsewhere
              ? 'С тех пор сеть доставки изменилась, а адрес действует только в той сети, для которой указан. До этого времени укажите его ещё раз или выберите другой: он начнёт действовать через сутки после подписи или подтверждения. Иначе токены останутся вашими и дождутся следующей доставки.'
              : 'До этого времени укажите в аккаунте адрес своего кошелька: он начнёт действовать через сутки после подписи или подтверждения. Иначе токены останутся вашими и дождутся следующей доставки.',
        },
        { button: 'Открыть аккаунт', href: link },
        { small: 'Никто никогда не попросит вашу фразу, ключ или часть токенов.' },
      ],
    }),
    delivery_change_withdrawn: ({ name, address }) => ({
      subject: 'Смена адреса для ваших токенов отменена',
      blocks: [
        {
          p: `Здравствуйте, ${name}! В вашем аккаунте отменили адрес для ваших токенов, который ещё не действовал.`,
        },
        { facts: [['Ваши токены поступят на', address ?? 'адреса ещё нет']] },
        { must: 'Если это были не вы, сейчас же смените пароль. Затем укажите свой адрес снова.' },
      ],
    }),
  },
}
