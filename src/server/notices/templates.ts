import type { PendingActionKind } from '../../shared/api/approvals.ts'
import { shortenedLabels } from '../../shared/retention.ts'
import type {
  Language,
  Mail,
  MailContent,
  OperatorEvent,
  OrderFacts,
  OwnerNotice,
  SecondFactorChange,
} from './mail-kinds.ts'
import { type MailText, shownTime } from './text.ts'

/** Names of the campaign that mails speak for. */
export interface Brand {
  name: string
  symbol: string
  seller: string
  contact: string
  isDemo: boolean
}

type Template<K extends MailContent['kind']> = (
  mail: Extract<MailContent, { kind: K }>,
  brand: Brand,
) => MailText
type Templates = { readonly [K in MailContent['kind']]: Template<K> }

/** Every mail in both languages; the type keeps either from lacking one. */
export function mailText(mail: Mail, brand: Brand): MailText {
  const template = templates[mail.language][mail.kind] as Template<MailContent['kind']>
  return template(mail, brand)
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

const en: Templates = {
  confirm_email: ({ name, link }, brand) => ({
    subject: `Confirm your address for ${brand.name}`,
    blocks: [
      { p: `Hello ${name}, please confirm that this address is yours.` },
      { button: 'Confirm address', href: link },
      {
        small: 'The link works once, for 7 days. If you did not register, ignore this mail: nothing happens.',
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
      { p: `Hello ${name}, somebody signed in to your account asked to change its address to ${newEmail}.` },
      { p: 'If that was not you, change your password now: this stops the change.' },
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
      { p: 'If that was not you, ask for a new password with “Forgot your password?” at once.' },
    ],
  }),
  operator_password_changed: ({ name, at }) => ({
    subject: 'Your operator password was set',
    blocks: [
      { p: `Hello ${name}, your operator password was set on ${shownTime(at)}. Other sessions were ended.` },
      { p: 'If that was not you, have an owner take your access away at once.' },
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
        p: 'If that was you, there is nothing to do. If not, change your password: this ends all other sessions.',
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
        p: 'If that was you, there is nothing to do. If not: nobody came in by these attempts, and guessing is slowed. A password that you use nowhere else and a second factor keep it so. Your account’s page lists the attempts.',
      },
      { small: 'You get this mail once a day at most.' },
    ],
  }),
  api_key_ends: ({ name, key, hint, at }) => ({
    subject: 'An API key of yours ends soon',
    blocks: [
      { p: `Hello ${name}, programs that use this key are refused once it ends.` },
      {
        facts: [
          ['Key', `${key} (${hint})`],
          ['Ends', shownTime(at)],
        ],
      },
      { p: 'Renew it on the page Integrations, or let it end if nothing uses it any more.' },
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
        p: 'If you pressed the button twice, there is nothing to do. If not, somebody has seen your code and knows your password: change the password now and end the other sessions.',
      },
      { small: 'You get this mail once a day at most.' },
    ],
  }),
  second_factor_changed: ({ name, change, at }) => ({
    subject: 'Your second factor was changed',
    blocks: [
      { p: `Hello ${name}. ${factorEn[change]} This was on ${shownTime(at)}.` },
      { p: 'If that was not you, change your password at once and look at your sessions.' },
    ],
  }),
  delivery_address_typed: ({ name, address, link }) => ({
    subject: 'Confirm where your tokens go',
    blocks: [
      { p: `Hello ${name}, this address was typed in your account as the one for your tokens.` },
      { facts: [['Address', address]] },
      { p: 'Compare it with your wallet, character by character, before you confirm.' },
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
        p: 'If that was not you, change your password now: this takes back an address that does not count yet. Then look at the address in your account. Nobody will ever ask you for some of your tokens back, or for a phrase.',
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
        p: waiting
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
      { p: 'If that was not you, change your password now. Then name your address again.' },
    ],
  }),
  order_created: (order, brand) => ({
    subject: `Order #${order.number} was created`,
    blocks: [
      { p: `Hello ${order.name}, your order is waiting for your payment.` },
      { facts: orderFactsEn(order, brand) },
      {
        p: 'The address to pay to is on the order’s page and nowhere else; never pay to an address from a mail.',
      },
      { button: 'Open the order', href: order.link },
    ],
  }),
  order_approved: (order, brand) => ({
    subject: `Order #${order.number} was approved`,
    blocks: [
      { p: `Hello ${order.name}, your order has been successfully completed.` },
      { facts: orderFactsEn(order, brand) },
      { button: 'Open the order', href: order.link },
    ],
  }),
  order_rejected: (order, brand) => ({
    subject: `Order #${order.number} was rejected`,
    blocks: [
      { p: `Hello ${order.name}, your order could not be processed and has been rejected.` },
      { facts: orderFactsEn(order, brand) },
      { p: 'Please check your payment details. If you have paid, write to us and name the order’s number.' },
      { button: 'Open the order', href: order.link },
    ],
  }),
  order_underpaid: (order, brand) => ({
    subject: `Order #${order.number}: a part of the amount is missing`,
    blocks: [
      { p: `Hello ${order.name}, less than the amount of this order has been seen.` },
      { facts: orderFactsEn(order, brand) },
      {
        p: 'The order’s page says how much is missing, until when it has your rate, and what happens if nothing follows.',
      },
      { button: 'Open the order', href: order.link },
    ],
  }),
  order_late: (order, brand) => ({
    subject: `Order #${order.number}: your payment came late, please choose`,
    blocks: [
      { p: `Hello ${order.name}, your payment came too late for the rate of this order.` },
      { facts: orderFactsEn(order, brand) },
      {
        p: 'Choose on the order’s page: tokens at today’s rate, or your money back. The page says until when.',
      },
      { button: 'Open the order', href: order.link },
    ],
  }),
  order_expired: (order, brand) => ({
    subject: `Order #${order.number}: the time to pay is over`,
    blocks: [
      { p: `Hello ${order.name}, nothing was paid in time: this order holds no tokens any more.` },
      { facts: orderFactsEn(order, brand) },
      {
        p: 'If you have not paid, send nothing to this order and make a new one. If you have paid, open the order: its page says what to do, and the payment is not lost.',
      },
      { button: 'Open the order', href: order.link },
    ],
  }),
  wallet_changed: (order) => ({
    subject: `Order #${order.number}: the wallet for ${order.currency} has changed`,
    blocks: [
      { p: `Hello ${order.name}, the seller has changed the wallet that receives ${order.currency}.` },
      {
        p: 'Your order keeps the address that it was given. If you have not paid yet, look at its page before you do.',
      },
      { button: 'Open the order', href: order.link },
    ],
  }),
  refund_due: (refund) => ({
    subject: `Order #${refund.number}: money is owed back to you`,
    blocks: [
      {
        p: `Hello ${refund.name}, what you paid for this order, or a part of it, could not become tokens. It is owed back to you.`,
      },
      {
        facts: [
          ['Owed to you', `${refund.amount} ${refund.currency}`],
          ['In dollars', `$${refund.usd}`],
        ],
      },
      {
        p: 'The order’s page says why, and there you name the address that it is to go to. Nobody will ask you for it by mail, and nobody ever needs a private key.',
      },
      { button: 'Open the order', href: refund.link },
    ],
  }),
  refund_claimed: (refund) => ({
    subject: `Order #${refund.number}: the address for your refund`,
    blocks: [
      { p: `Hello ${refund.name}, this address was named for what is owed back to you.` },
      {
        facts: [
          ['Owed to you', `${refund.amount} ${refund.currency}`],
          ['To the address', refund.address],
        ],
      },
      {
        p: 'The page of the order says until when it can be changed, unless the seller prepares the payment before. If it was not you, change the address and your password at once.',
      },
      { button: 'Open the order', href: refund.link },
    ],
  }),
  refund_paid: (refund) => ({
    subject: `Order #${refund.number}: your refund was paid`,
    blocks: [
      {
        p: refund.isByWord
          ? `Hello ${refund.name}, the seller says that this transaction paid you back. The chain shows what arrived; answer if it did not.`
          : `Hello ${refund.name}, the chain has confirmed the transaction that paid you back.`,
      },
      {
        facts: [
          ['Paid back', `${refund.amount} ${refund.currency}`],
          ['To the address', refund.address],
          ['Transaction', refund.transactionId],
        ],
      },
      { button: 'Open the order', href: refund.link },
    ],
  }),
  operator_invitation: ({ login, role, link }, brand) => ({
    subject: `Your operator account for ${brand.name}`,
    blocks: [
      { p: `An operator account was made for you. Login: ${login}, role: ${role}.` },
      { button: 'Set your password', href: link },
      { small: 'The link works once, for 24 hours.' },
    ],
  }),
  operator_link: ({ login, link }, brand) => ({
    subject: `A new link for your operator account at ${brand.name}`,
    blocks: [
      { p: `An owner had a new link made for the login ${login}. Your sessions have ended.` },
      { button: 'Set a new password', href: link },
      { small: 'The link works once, for 24 hours. If you did not ask for it, tell the other owners.' },
    ],
  }),
  owner_notice: ({ notice, by, at }) => ({
    subject: ownerSubjectEn(notice),
    blocks: [
      {
        facts: [...ownerFactsEn(notice), [doersEn[notice.what] ?? 'Changed by', by], ['When', shownTime(at)]],
      },
      { p: ownerAdviceEn(notice) },
    ],
  }),
}

const ru: Templates = {
  confirm_email: ({ name, link }, brand) => ({
    subject: `Подтвердите адрес для ${brand.name}`,
    blocks: [
      { p: `Здравствуйте, ${name}! Подтвердите, что это ваш адрес.` },
      { button: 'Подтвердить адрес', href: link },
      {
        small: 'Ссылка действует один раз в течение 7 дней. Если вы не регистрировались, ничего не делайте.',
      },
    ],
  }),
  change_email: ({ name, link }, brand) => ({
    subject: `Подтвердите новый адрес для ${brand.name}`,
    blocks: [
      { p: `Здравствуйте, ${name}! Перейдите по ссылке, чтобы этот адрес стал адресом вашего аккаунта.` },
      { button: 'Использовать этот адрес', href: link },
      {
        small: 'Ссылка действует один раз в течение 24 часов. Если вы об этом не просили, ничего не делайте.',
      },
    ],
  }),
  email_changing: ({ name, newEmail }) => ({
    subject: 'Адрес вашего аккаунта скоро изменится',
    blocks: [
      { p: `Здравствуйте, ${name}! Из вашего аккаунта попросили сменить его адрес на ${newEmail}.` },
      { p: 'Если это были не вы, сейчас же смените пароль: это отменит смену адреса.' },
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
      { p: 'Если это были не вы, сейчас же запросите новый пароль по ссылке «Забыли пароль?».' },
    ],
  }),
  operator_password_changed: ({ name, at }) => ({
    subject: 'Задан пароль оператора',
    blocks: [
      { p: `Здравствуйте, ${name}! Ваш пароль оператора задан ${shownTime(at)}. Другие сессии завершены.` },
      { p: 'Если это были не вы, сейчас же попросите владельца закрыть ваш доступ.' },
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
        p: 'Если это были вы, ничего делать не нужно. Если нет, смените пароль: остальные сессии завершатся.',
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
        p: 'Если это были вы, ничего делать не нужно. Если нет: с этими попытками никто не вошёл, а подбор замедляется. Пароль, которого больше нигде нет, и второй фактор сохранят это так. Попытки перечислены на странице аккаунта.',
      },
      { small: 'Такое письмо приходит не чаще раза в сутки.' },
    ],
  }),
  api_key_ends: ({ name, key, hint, at }) => ({
    subject: 'Скоро закончится ваш ключ API',
    blocks: [
      { p: `Здравствуйте, ${name}! Когда срок этого ключа истечёт, программам с ним будет отказано.` },
      {
        facts: [
          ['Ключ', `${key} (${hint})`],
          ['Действует до', shownTime(at)],
        ],
      },
      { p: 'Продлите его на странице «Интеграции» или дайте сроку истечь, если ключ больше не нужен.' },
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
        p: 'Если вы нажали кнопку дважды, ничего делать не нужно. Если нет, кто-то видел ваш код и знает пароль: сейчас же смените пароль и завершите остальные сессии.',
      },
      { small: 'Такое письмо приходит не чаще раза в сутки.' },
    ],
  }),
  second_factor_changed: ({ name, change, at }) => ({
    subject: 'Изменён второй фактор',
    blocks: [
      { p: `Здравствуйте, ${name}! ${factorRu[change]} Время: ${shownTime(at)}.` },
      { p: 'Если это были не вы, сейчас же смените пароль и проверьте сессии.' },
    ],
  }),
  delivery_address_typed: ({ name, address, link }) => ({
    subject: 'Подтвердите, куда отправить ваши токены',
    blocks: [
      { p: `Здравствуйте, ${name}! В вашем аккаунте ввели этот адрес как адрес для ваших токенов.` },
      { facts: [['Адрес', address]] },
      { p: 'Прежде чем подтвердить, посимвольно сравните его со своим кошельком.' },
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
        p: 'Если это были не вы, сейчас же смените пароль: адрес, который ещё не действует, будет отменён. Затем проверьте адрес в своём аккаунте. Никто никогда не попросит вернуть часть токенов или сообщить фразу.',
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
        p: waiting
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
      { p: 'Если это были не вы, сейчас же смените пароль. Затем укажите свой адрес снова.' },
    ],
  }),
  order_created: (order, brand) => ({
    subject: `Заказ №${order.number} создан`,
    blocks: [
      { p: `Здравствуйте, ${order.name}! Ваш заказ ждёт оплаты.` },
      { facts: orderFactsRu(order, brand) },
      { p: 'Адрес для оплаты указан только на странице заказа; никогда не платите на адрес из письма.' },
      { button: 'Открыть заказ', href: order.link },
    ],
  }),
  order_approved: (order, brand) => ({
    subject: `Заказ №${order.number} подтверждён`,
    blocks: [
      { p: `Здравствуйте, ${order.name}! Ваш заказ успешно выполнен.` },
      { facts: orderFactsRu(order, brand) },
      { button: 'Открыть заказ', href: order.link },
    ],
  }),
  order_rejected: (order, brand) => ({
    subject: `Заказ №${order.number} отклонён`,
    blocks: [
      { p: `Здравствуйте, ${order.name}! Ваш заказ не удалось обработать, он отклонён.` },
      { facts: orderFactsRu(order, brand) },
      { p: 'Проверьте данные платежа. Если вы уже заплатили, напишите нам и укажите номер заказа.' },
      { button: 'Открыть заказ', href: order.link },
    ],
  }),
  order_underpaid: (order, brand) => ({
    subject: `Заказ №${order.number}: пришла не вся сумма`,
    blocks: [
      { p: `Здравствуйте, ${order.name}! По этому заказу замечено меньше, чем нужно.` },
      { facts: orderFactsRu(order, brand) },
      {
        p: 'На странице заказа указано, сколько не хватает, до какого времени действует ваш курс и что будет, если ничего больше не придёт.',
      },
      { button: 'Открыть заказ', href: order.link },
    ],
  }),
  order_late: (order, brand) => ({
    subject: `Заказ №${order.number}: платёж опоздал, сделайте выбор`,
    blocks: [
      { p: `Здравствуйте, ${order.name}! Ваш платёж пришёл слишком поздно для курса этого заказа.` },
      { facts: orderFactsRu(order, brand) },
      {
        p: 'Выберите на странице заказа: токены по сегодняшнему курсу или возврат денег. Там же указано, до какого времени.',
      },
      { button: 'Открыть заказ', href: order.link },
    ],
  }),
  order_expired: (order, brand) => ({
    subject: `Заказ №${order.number}: время оплаты истекло`,
    blocks: [
      { p: `Здравствуйте, ${order.name}! Вовремя ничего не пришло: за этим заказом больше нет токенов.` },
      { facts: orderFactsRu(order, brand) },
      {
        p: 'Если вы не платили, ничего не отправляйте по этому заказу и создайте новый. Если платили, откройте заказ: на его странице сказано, что делать; платёж не пропадёт.',
      },
      { button: 'Открыть заказ', href: order.link },
    ],
  }),
  wallet_changed: (order) => ({
    subject: `Заказ №${order.number}: кошелёк для ${order.currency} изменился`,
    blocks: [
      { p: `Здравствуйте, ${order.name}! Продавец сменил кошелёк, на который принимает ${order.currency}.` },
      {
        p: 'Ваш заказ сохраняет адрес, который был указан в нём. Если вы ещё не заплатили, сначала откройте его страницу.',
      },
      { button: 'Открыть заказ', href: order.link },
    ],
  }),
  refund_due: (refund) => ({
    subject: `Заказ №${refund.number}: вам должны вернуть деньги`,
    blocks: [
      {
        p: `Здравствуйте, ${refund.name}! Оплата этого заказа или её часть не могла стать токенами. Она подлежит возврату.`,
      },
      {
        facts: [
          ['К возврату', `${refund.amount} ${refund.currency}`],
          ['В долларах', `$${refund.usd}`],
        ],
      },
      {
        p: 'Причина указана на странице заказа; там же вы указываете адрес, на который вернуть деньги. Никто не попросит об этом в письме, и никому никогда не нужен закрытый ключ.',
      },
      { button: 'Открыть заказ', href: refund.link },
    ],
  }),
  refund_claimed: (refund) => ({
    subject: `Заказ №${refund.number}: адрес для возврата`,
    blocks: [
      { p: `Здравствуйте, ${refund.name}! Для возврата денег указан этот адрес.` },
      {
        facts: [
          ['К возврату', `${refund.amount} ${refund.currency}`],
          ['На адрес', refund.address],
        ],
      },
      {
        p: 'До какого времени его можно изменить, сказано на странице заказа, если продавец не подготовит выплату раньше. Если это были не вы, сразу измените адрес и свой пароль.',
      },
      { button: 'Открыть заказ', href: refund.link },
    ],
  }),
  refund_paid: (refund) => ({
    subject: `Заказ №${refund.number}: деньги возвращены`,
    blocks: [
      {
        p: refund.isByWord
          ? `Здравствуйте, ${refund.name}! Продавец сообщает, что эта транзакция вернула вам деньги. Блокчейн показывает, что пришло; ответьте, если деньги не пришли.`
          : `Здравствуйте, ${refund.name}! Блокчейн подтвердил транзакцию, которой вам вернули деньги.`,
      },
      {
        facts: [
          ['Возвращено', `${refund.amount} ${refund.currency}`],
          ['На адрес', refund.address],
          ['Транзакция', refund.transactionId],
        ],
      },
      { button: 'Открыть заказ', href: refund.link },
    ],
  }),
  operator_invitation: ({ login, role, link }, brand) => ({
    subject: `Ваш аккаунт оператора ${brand.name}`,
    blocks: [
      { p: `Для вас создан аккаунт оператора. Логин: ${login}, роль: ${role}.` },
      { button: 'Задать пароль', href: link },
      { small: 'Ссылка действует один раз в течение 24 часов.' },
    ],
  }),
  operator_link: ({ login, link }, brand) => ({
    subject: `Новая ссылка для вашего аккаунта оператора ${brand.name}`,
    blocks: [
      { p: `Владелец запросил новую ссылку для логина ${login}. Ваши сеансы завершены.` },
      { button: 'Задать новый пароль', href: link },
      {
        small:
          'Ссылка действует один раз в течение 24 часов. Если вы о ней не просили, сообщите другим владельцам.',
      },
    ],
  }),
  owner_notice: ({ notice, by, at }) => ({
    subject: ownerSubjectRu(notice),
    blocks: [
      {
        facts: [
          ...ownerFactsRu(notice),
          [doersRu[notice.what] ?? 'Кто изменил', by],
          ['Когда', shownTime(at)],
        ],
      },
      { p: ownerAdviceRu(notice) },
    ],
  }),
}

const templates: Record<Language, Templates> = { en, ru }

type Facts = readonly (readonly [string, string])[]

function orderFactsEn(order: OrderFacts, brand: Brand): Facts {
  return [
    ['Amount', `${order.cryptoAmount} ${order.currency}`],
    ['Total', `${order.receiveTokens} ${brand.symbol}`],
    ['Bonus Tokens', `${order.bonusTokens} ${brand.symbol}`],
    ['In dollars', `$${order.usd}`],
  ]
}

function orderFactsRu(order: OrderFacts, brand: Brand): Facts {
  return [
    ['Сумма', `${order.cryptoAmount} ${order.currency}`],
    ['Всего', `${order.receiveTokens} ${brand.symbol}`],
    ['Бонусные токены', `${order.bonusTokens} ${brand.symbol}`],
    ['В долларах', `$${order.usd}`],
  ]
}

const actionsEn: Record<PendingActionKind, string> = {
  'currency.add': 'a new currency with its wallet',
  'currency.update': 'a changed wallet or rate',
  'currency.evm-wallet': 'a changed EVM wallet',
  'grant.add': 'a balance added by hand',
  'grant.reverse': 'a grant to be taken back',
  'campaign.update': 'changed settings of the campaign',
  'campaign.one-operator': 'no second operator any more',
  'order.approve': 'an approval without a payment in time',
  'currency.wallet': 'another wallet for a currency',
  'chain.confirmations': 'changed confirmations of a chain',
  'chain.resume': 'a stopped chain to go on',
  'payment.attach': 'a payment attached to an order',
  'payment.refund': 'a payment to be refunded',
  'refund.sent': 'the transaction of a refund',
  'refund.paid': 'a refund said to be paid',
  'refund.write-off': 'a refund to be written off',
  'payment.write-off': 'a payment to be written off',
  'chain.refund-senders': 'the addresses that refunds are paid from',
  'wallet.add': 'an account key',
  'price.change': 'another main currency value',
  'stage.add': 'a stage with another value',
  'stage.update': 'another value of a stage',
  'operator.invite': 'an invited operator',
  'operator.change': 'a change of an operator',
  'operator.renew-link': 'a new link for an operator',
  'round.announce': 'a delivery round to be announced',
  'round.freeze': 'a delivery round to be frozen',
  'round.go-live': 'a delivery round to be made live',
}

const actionsRu: Record<PendingActionKind, string> = {
  'currency.add': 'новая валюта со своим кошельком',
  'currency.update': 'смена кошелька или курса',
  'currency.evm-wallet': 'смена кошелька EVM',
  'grant.add': 'начисление вручную',
  'grant.reverse': 'отмена начисления',
  'campaign.update': 'изменение настроек кампании',
  'campaign.one-operator': 'отказ от второго оператора',
  'order.approve': 'одобрение без оплаты в срок',
  'currency.wallet': 'другой кошелёк для валюты',
  'chain.confirmations': 'другое число подтверждений в сети',
  'chain.resume': 'продолжение остановленной сети',
  'payment.attach': 'привязка платежа к заказу',
  'payment.refund': 'возврат платежа',
  'refund.sent': 'транзакция возврата',
  'refund.paid': 'возврат, названный выплаченным',
  'refund.write-off': 'списание возврата',
  'payment.write-off': 'списание платежа',
  'chain.refund-senders': 'адреса, с которых выплачиваются возвраты',
  'wallet.add': 'ключ счёта',
  'price.change': 'другая стоимость основной валюты',
  'stage.add': 'этап с другой стоимостью',
  'stage.update': 'другая стоимость этапа',
  'operator.invite': 'приглашение оператора',
  'operator.change': 'изменение оператора',
  'operator.renew-link': 'новая ссылка для оператора',
  'round.announce': 'объявление раунда доставки',
  'round.freeze': 'фиксация раунда доставки',
  'round.go-live': 'запуск раунда доставки',
}

const summaryEn: Record<string, string> = {
  ...shortenedLabels('en'),
  user: 'User',
  order: 'Order',
  currency: 'Currency',
  amount: 'Amount',
  usd: 'Dollars',
  tokens: 'Tokens',
  before: 'Before',
  bonus: 'Bonus',
  buyer: 'Buyer',
  network: 'Network',
  due: 'To pay',
  wallet: 'Wallet',
  addresses: 'First addresses',
  key: 'Account key',
  confirmations: 'Confirmations',
  transaction: 'Transaction',
  address: 'Address',
  contract: 'Contract',
  rate: 'Rate',
  source: 'Rate source',
  stage: 'Stage',
  login: 'Login',
  role: 'Role',
  email: 'Email',
  access: 'Access',
  secondFactor: 'Second factor',
  round: 'Round',
  cutAt: 'Approved or granted until',
  freezeFrom: 'Frozen at the earliest',
  startsAt: 'Unlocking from',
  startBps: 'Free at the start, in 1/10,000',
  cliffSeconds: 'Cliff, seconds',
  linearSeconds: 'Then evenly, seconds',
  leftoverTo: 'What nobody claims goes to',
  reason: 'Reason',
}

const summaryRu: Record<string, string> = {
  ...shortenedLabels('ru'),
  user: 'Пользователь',
  order: 'Заказ',
  currency: 'Валюта',
  amount: 'Сумма',
  usd: 'Доллары',
  tokens: 'Токены',
  before: 'Было',
  bonus: 'Бонус',
  buyer: 'Покупатель',
  network: 'Сеть',
  due: 'К оплате',
  wallet: 'Кошелёк',
  addresses: 'Первые адреса',
  key: 'Ключ счёта',
  confirmations: 'Подтверждения',
  transaction: 'Транзакция',
  address: 'Адрес',
  contract: 'Контракт',
  rate: 'Курс',
  source: 'Источник курса',
  stage: 'Этап',
  login: 'Логин',
  role: 'Роль',
  email: 'Почта',
  access: 'Доступ',
  secondFactor: 'Второй фактор',
  round: 'Раунд',
  cutAt: 'Подтверждено или начислено до',
  freezeFrom: 'Фиксация не раньше',
  startsAt: 'Разблокировка с',
  startBps: 'Доступно сразу, в 1/10 000',
  cliffSeconds: 'Клифф, секунд',
  linearSeconds: 'Затем равномерно, секунд',
  leftoverTo: 'Невостребованное поступит на',
  reason: 'Причина',
}

/** As the confirmation shows it: amounts, addresses before and after. */
const summaryFacts = (summary: Record<string, string>, labels: Record<string, string>): Facts =>
  Object.entries(summary).map(([label, value]) => [labels[label] ?? label, value || '—'])

const doersEn: Partial<Record<OwnerNotice['what'], string>> = {
  action_waiting: 'Asked by',
  action_confirmed: 'Confirmed by',
}
const doersRu: Partial<Record<OwnerNotice['what'], string>> = {
  action_waiting: 'Кто запросил',
  action_confirmed: 'Кто подтвердил',
}

function ownerAdviceEn({ what }: OwnerNotice): string {
  if (what === 'action_waiting')
    return 'Every owner and whoever asked get this mail. Nothing is done until another operator confirms it on the Approvals page; if it was not agreed, refuse it there.'
  return 'Every owner and the operator concerned get this mail. If it was not agreed, pause the sale and look at the audit log.'
}

function ownerAdviceRu({ what }: OwnerNotice): string {
  if (what === 'action_waiting')
    return 'Это письмо получает каждый владелец и тот, кто запросил действие. Ничего не произойдёт, пока другой оператор не подтвердит его на странице «Подтверждения»; если оно не согласовано, отклоните его там.'
  return 'Это письмо получает каждый владелец и оператор, которого это касается. Если это не согласовано, приостановите продажу и откройте журнал.'
}

const eventsEn: Record<OperatorEvent, (login: string) => string> = {
  link_renewed: (login) => `A new one-time link was made for ${login}`,
  second_factor_removed: (login) => `The second factor of ${login} was removed, and a new link made`,
  operator_disabled: (login) => `The access of ${login} was taken away`,
  operator_enabled: (login) => `${login} was given access again`,
  operator_email_changed: (login) => `The address for notices to ${login} was changed`,
}

const eventsRu: Record<OperatorEvent, (login: string) => string> = {
  link_renewed: (login) => `Для ${login} сделана новая одноразовая ссылка`,
  second_factor_removed: (login) => `Второй фактор ${login} удалён, сделана новая ссылка`,
  operator_disabled: (login) => `Доступ ${login} закрыт`,
  operator_enabled: (login) => `Доступ ${login} снова открыт`,
  operator_email_changed: (login) => `Изменён адрес для уведомлений ${login}`,
}

function ownerSubjectEn(notice: OwnerNotice): string {
  switch (notice.what) {
    case 'wallet_changed':
      return `The wallet for ${notice.currency} was changed`
    case 'rate_source_changed':
      return `The rate source of ${notice.currency} was changed`
    case 'role_changed':
      return `The role of ${notice.login} was changed`
    case 'operator_invited':
      return `${notice.login} was invited as an operator`
    case 'action_waiting':
      return `Waits for a second operator: ${actionsEn[notice.action]}`
    case 'action_confirmed':
      return `Confirmed by a second operator: ${actionsEn[notice.action]}`
    default:
      return eventsEn[notice.what](notice.login)
  }
}

function ownerSubjectRu(notice: OwnerNotice): string {
  switch (notice.what) {
    case 'wallet_changed':
      return `Изменён кошелёк для ${notice.currency}`
    case 'rate_source_changed':
      return `Изменён источник курса ${notice.currency}`
    case 'role_changed':
      return `Изменена роль оператора ${notice.login}`
    case 'operator_invited':
      return `Приглашён оператор ${notice.login}`
    case 'action_waiting':
      return `Ждёт второго оператора: ${actionsRu[notice.action]}`
    case 'action_confirmed':
      return `Подтверждено вторым оператором: ${actionsRu[notice.action]}`
    default:
      return eventsRu[notice.what](notice.login)
  }
}

function ownerFactsEn(notice: OwnerNotice): Facts {
  if (notice.what === 'action_waiting') return summaryFacts(notice.summary, summaryEn)
  if (notice.what === 'action_confirmed')
    return [...summaryFacts(notice.summary, summaryEn), ['Asked by', notice.asked]]
  if (notice.what === 'operator_invited') return [['Role', notice.role]]
  if (!('before' in notice)) return [['Login', notice.login]]
  return [
    ['Before', notice.before || 'none'],
    ['After', notice.after || 'none'],
  ]
}

function ownerFactsRu(notice: OwnerNotice): Facts {
  if (notice.what === 'action_waiting') return summaryFacts(notice.summary, summaryRu)
  if (notice.what === 'action_confirmed')
    return [...summaryFacts(notice.summary, summaryRu), ['Кто запросил', notice.asked]]
  if (notice.what === 'operator_invited') return [['Роль', notice.role]]
  if (!('before' in notice)) return [['Логин', notice.login]]
  return [
    ['Было', notice.before || 'нет'],
    ['Стало', notice.after || 'нет'],
  ]
}
