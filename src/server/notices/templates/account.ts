import { secondFactor } from '../locales/es/second-factor.ts'
import type { Language, SecondFactorChange } from '../mail-kinds.ts'
import { shownTime } from '../text.ts'
import type { TemplatesOf } from './template.ts'

type Kind =
  | 'confirm_email'
  | 'change_email'
  | 'email_changing'
  | 'reset_password'
  | 'password_changed'
  | 'new_sign_in'
  | 'failed_attempts'
  | 'code_used_again'
  | 'second_factor_changed'

/** Mails about an account, its address and its sign-ins. */
export const accountMails: TemplatesOf<Kind> = {
  en: {
    confirm_email: ({ name, link }, brand) => ({
      subject: `Confirm your address for ${brand.name}`,
      blocks: [
        { p: `Hello ${name}, please confirm that this address is yours.` },
        { button: 'Confirm address', href: link },
        {
          small:
            'The link works once, for 7 days. If you did not register, ignore this mail: nothing happens.',
        },
      ],
    }),
    change_email: ({ name, link }, brand) => ({
      subject: `Confirm your new address for ${brand.name}`,
      blocks: [
        { p: `Hello ${name}, follow the link to use this address for your account from now on.` },
        { button: 'Use this address', href: link },
        { small: 'The link works once, for 24 hours. If you did not ask for this, ignore this mail.' },
      ],
    }),
    email_changing: ({ name, newEmail }) => ({
      subject: 'Your address is about to change',
      blocks: [
        {
          p: `Hello ${name}, somebody signed in to your account asked to change its address to ${newEmail}.`,
        },
        { must: 'If that was not you, change your password now: this stops the change.' },
      ],
    }),
    reset_password: ({ name, link }, brand) => ({
      subject: `New password for ${brand.name}`,
      blocks: [
        { p: `Hello ${name}, follow the link to choose a new password. All open sessions will end.` },
        { button: 'Choose a new password', href: link },
        {
          small:
            'The link works once, for one hour. If you did not ask for it, ignore this mail: your password stays.',
        },
      ],
    }),
    password_changed: ({ name, at }) => ({
      subject: 'Your password was changed',
      blocks: [
        { p: `Hello ${name}, your password was changed on ${shownTime(at)}. Other sessions were ended.` },
        { must: 'If that was not you, ask for a new password with “Forgot your password?” at once.' },
      ],
    }),
    new_sign_in: ({ name, device, network, at }) => ({
      subject: 'New sign-in to your account',
      blocks: [
        { p: `Hello ${name}, somebody signed in to your account from a place that we have not seen before.` },
        {
          facts: [
            ['When', shownTime(at)],
            ['Device', device || 'unknown'],
            ['Network', network],
          ],
        },
        {
          must: 'If that was you, there is nothing to do. If not, change your password: this ends all other sessions.',
        },
      ],
    }),
    failed_attempts: ({ name, attempts, networks, at }) => ({
      subject: 'Failed attempts to log in to your account',
      blocks: [
        {
          p: `Hello ${name}, a wrong password or code was given for your account ${attempts} times within a day.`,
        },
        {
          facts: [
            ['The last', shownTime(at)],
            ['Networks', networks || 'inside an open session'],
          ],
        },
        {
          must: 'If that was you, there is nothing to do. If not: nobody came in by these attempts, and guessing is slowed. A password that you use nowhere else and a second factor keep it so. Your account’s page lists the attempts.',
        },
        { small: 'You get this mail once a day at most.' },
      ],
    }),
    code_used_again: ({ name, network, at }) => ({
      subject: 'A code of your second factor was used a second time',
      blocks: [
        { p: `Hello ${name}, a code that had let you in was given once more, and was refused.` },
        {
          facts: [
            ['When', shownTime(at)],
            ['Network', network || 'inside an open session'],
          ],
        },
        {
          must: 'If you pressed the button twice, there is nothing to do. If not, somebody has seen your code and knows your password: change the password now and end the other sessions.',
        },
        { small: 'You get this mail once a day at most.' },
      ],
    }),
    second_factor_changed: ({ name, change, at }) => ({
      subject: 'Your second factor was changed',
      blocks: [
        { p: `Hello ${name}. ${factorEn[change]} This was on ${shownTime(at)}.` },
        { must: 'If that was not you, change your password at once and look at your sessions.' },
      ],
    }),
  },
  ru: {
    confirm_email: ({ name, link }, brand) => ({
      subject: `Подтвердите адрес для ${brand.name}`,
      blocks: [
        { p: `Здравствуйте, ${name}! Подтвердите, что это ваш адрес.` },
        { button: 'Подтвердить адрес', href: link },
        {
          small:
            'Ссылка действует один раз в течение 7 дней. Если вы не регистрировались, ничего не делайте.',
        },
      ],
    }),
    change_email: ({ name, link }, brand) => ({
      subject: `Подтвердите новый адрес для ${brand.name}`,
      blocks: [
        { p: `Здравствуйте, ${name}! Перейдите по ссылке, чтобы этот адрес стал адресом вашего аккаунта.` },
        { button: 'Использовать этот адрес', href: link },
        {
          small:
            'Ссылка действует один раз в течение 24 часов. Если вы об этом не просили, ничего не делайте.',
        },
      ],
    }),
    email_changing: ({ name, newEmail }) => ({
      subject: 'Адрес вашего аккаунта скоро изменится',
      blocks: [
        { p: `Здравствуйте, ${name}! Из вашего аккаунта попросили сменить его адрес на ${newEmail}.` },
        { must: 'Если это были не вы, сейчас же смените пароль: это отменит смену адреса.' },
      ],
    }),
    reset_password: ({ name, link }, brand) => ({
      subject: `Новый пароль для ${brand.name}`,
      blocks: [
        {
          p: `Здравствуйте, ${name}! Перейдите по ссылке, чтобы задать новый пароль. Все открытые сессии завершатся.`,
        },
        { button: 'Задать новый пароль', href: link },
        {
          small:
            'Ссылка действует один раз в течение часа. Если вы об этом не просили, ничего не делайте: пароль не изменится.',
        },
      ],
    }),
    password_changed: ({ name, at }) => ({
      subject: 'Ваш пароль изменён',
      blocks: [
        { p: `Здравствуйте, ${name}! Ваш пароль изменён ${shownTime(at)}. Другие сессии завершены.` },
        { must: 'Если это были не вы, сейчас же запросите новый пароль по ссылке «Забыли пароль?».' },
      ],
    }),
    new_sign_in: ({ name, device, network, at }) => ({
      subject: 'Новый вход в ваш аккаунт',
      blocks: [
        { p: `Здравствуйте, ${name}! В ваш аккаунт вошли из места, откуда раньше не входили.` },
        {
          facts: [
            ['Когда', shownTime(at)],
            ['Устройство', device || 'неизвестно'],
            ['Сеть', network],
          ],
        },
        {
          must: 'Если это были вы, ничего делать не нужно. Если нет, смените пароль: остальные сессии завершатся.',
        },
      ],
    }),
    failed_attempts: ({ name, attempts, networks, at }) => ({
      subject: 'Неудачные попытки войти в ваш аккаунт',
      blocks: [
        {
          p: `Здравствуйте, ${name}! За сутки для вашего аккаунта вводили неверный пароль или код. Попыток: ${attempts}.`,
        },
        {
          facts: [
            ['Последняя', shownTime(at)],
            ['Сети', networks || 'внутри открытой сессии'],
          ],
        },
        {
          must: 'Если это были вы, ничего делать не нужно. Если нет: с этими попытками никто не вошёл, а подбор замедляется. Пароль, которого больше нигде нет, и второй фактор сохранят это так. Попытки перечислены на странице аккаунта.',
        },
        { small: 'Такое письмо приходит не чаще раза в сутки.' },
      ],
    }),
    code_used_again: ({ name, network, at }) => ({
      subject: 'Код второго фактора ввели повторно',
      blocks: [
        { p: `Здравствуйте, ${name}! Код, по которому вы вошли, ввели ещё раз; он не принят.` },
        {
          facts: [
            ['Когда', shownTime(at)],
            ['Сеть', network || 'внутри открытой сессии'],
          ],
        },
        {
          must: 'Если вы нажали кнопку дважды, ничего делать не нужно. Если нет, кто-то видел ваш код и знает пароль: сейчас же смените пароль и завершите остальные сессии.',
        },
        { small: 'Такое письмо приходит не чаще раза в сутки.' },
      ],
    }),
    second_factor_changed: ({ name, change, at }) => ({
      subject: 'Изменён второй фактор',
      blocks: [
        { p: `Здравствуйте, ${name}! ${factorRu[change]} Время: ${shownTime(at)}.` },
        { must: 'Если это были не вы, сейчас же смените пароль и проверьте сессии.' },
      ],
    }),
  },
}

const factorEn: Record<SecondFactorChange, string> = {
  totp_on: 'An authenticator app was switched on.',
  totp_off: 'The authenticator app was switched off.',
  passkey_added: 'A passkey was added.',
  passkey_removed: 'A passkey was removed.',
  recovery_codes_new: 'New recovery codes were made; the old ones no longer work.',
}

const factorRu: Record<SecondFactorChange, string> = {
  totp_on: 'Включено приложение-аутентификатор.',
  totp_off: 'Приложение-аутентификатор выключено.',
  passkey_added: 'Добавлен ключ доступа.',
  passkey_removed: 'Ключ доступа удалён.',
  recovery_codes_new: 'Созданы новые коды восстановления; старые больше не действуют.',
}

/** What happened to a second factor, as a mail says it. */
export const secondFactorWords: Readonly<Record<Language, Record<SecondFactorChange, string>>> = {
  en: factorEn,
  ru: factorRu,
  es: secondFactor,
}
