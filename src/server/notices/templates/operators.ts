import type { PendingActionKind } from '../../../shared/api/approvals.ts'
import { shortenedLabels } from '../../../shared/retention.ts'
import type { OperatorEvent, OwnerNotice } from '../mail-kinds.ts'
import { shownTime } from '../text.ts'
import type { Facts, TemplatesOf } from './template.ts'

type Kind =
  | 'operator_password_changed'
  | 'api_key_ends'
  | 'operator_invitation'
  | 'operator_link'
  | 'operator_notice'
  | 'owner_notice'

/** Mails to operators. */
export const operatorMails: TemplatesOf<Kind> = {
  en: {
    operator_password_changed: ({ name, at }) => ({
      subject: 'Your operator password was set',
      blocks: [
        {
          p: `Hello ${name}, your operator password was set on ${shownTime(at)}. Other sessions were ended.`,
        },
        { must: 'If that was not you, have an owner take your access away at once.' },
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
    operator_notice: ({ lines, link }, brand) => ({
      subject: `${brand.name}: something happened`,
      blocks: [...lines.map((must) => ({ must })), { button: 'Open the operators’ area', href: link }],
    }),
    owner_notice: ({ notice, by, at }) => ({
      subject: ownerSubjectEn(notice),
      blocks: [
        {
          facts: [
            ...ownerFactsEn(notice),
            [doersEn[notice.what] ?? 'Changed by', by],
            ['When', shownTime(at)],
          ],
        },
        { must: ownerAdviceEn(notice) },
      ],
    }),
  },
  ru: {
    operator_password_changed: ({ name, at }) => ({
      subject: 'Задан пароль оператора',
      blocks: [
        { p: `Здравствуйте, ${name}! Ваш пароль оператора задан ${shownTime(at)}. Другие сессии завершены.` },
        { must: 'Если это были не вы, сейчас же попросите владельца закрыть ваш доступ.' },
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
    operator_invitation: ({ login, role, link }, brand) => ({
      subject: `Ваш аккаунт оператора ${brand.name}`,
      blocks: [
        { p: `Для вас создан аккаунт оператора. Логин: ${login}, роль: ${wordRu(role)}.` },
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
    operator_notice: ({ lines, link }, brand) => ({
      subject: `${brand.name}: новые события`,
      blocks: [...lines.map((must) => ({ must })), { button: 'Открыть панель операторов', href: link }],
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
        { must: ownerAdviceRu(notice) },
      ],
    }),
  },
}

const actionsEn: Record<PendingActionKind, string> = {
  'currency.add': 'a new currency with its wallet',
  'currency.update': 'a changed wallet or rate',
  'currency.evm-wallet': 'a changed EVM wallet',
  'mail.publish': 'words of a mail',
  'grant.add': 'a balance added by hand',
  'grant.reverse': 'a grant to be taken back',
  'campaign.update': 'changed settings of the campaign',
  'campaign.one-operator': 'no second operator any more',
  'order.approve': 'an approval without a payment in time',
  'order.reject': 'an order to be rejected that is approved or paid',
  'currency.escrow': 'a currency paid into an escrow, or no longer',
  'currency.wallet': 'another wallet for a currency',
  'chain.confirmations': 'changed confirmations of a chain',
  'chain.resume': 'a stopped chain to go on',
  'chain.node': 'another node of a chain',
  'chain.node-remove': 'a node of a chain to be removed',
  'rate-source.set': 'another source of rates',
  'rate-source.remove': 'a source of rates to be removed',
  'rate-source.leave-out': 'a source of rates to be left out, or asked again',
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
  'giveaway.publish': 'a giveaway to be published',
  'round.announce': 'a delivery round to be announced',
  'round.freeze': 'a delivery round to be frozen',
  'round.go-live': 'a delivery round to be made live',
  'escrow.announce': 'the terms of an escrow',
  'escrow.enter': 'an escrow to be put in force',
}

const actionsRu: Record<PendingActionKind, string> = {
  'currency.add': 'новая валюта со своим кошельком',
  'currency.update': 'смена кошелька или курса',
  'currency.evm-wallet': 'смена кошелька EVM',
  'mail.publish': 'слова письма',
  'grant.add': 'начисление вручную',
  'grant.reverse': 'отмена начисления',
  'campaign.update': 'изменение настроек кампании',
  'campaign.one-operator': 'отказ от второго оператора',
  'order.approve': 'одобрение без оплаты в срок',
  'order.reject': 'отклонение заказа, который одобрен или оплачен',
  'currency.escrow': 'оплата валюты в эскроу или на адрес',
  'currency.wallet': 'другой кошелёк для валюты',
  'chain.confirmations': 'другое число подтверждений в сети',
  'chain.resume': 'продолжение остановленной сети',
  'chain.node': 'другой узел сети',
  'chain.node-remove': 'удаление узла сети',
  'rate-source.set': 'другой источник курсов',
  'rate-source.remove': 'удаление источника курсов',
  'rate-source.leave-out': 'отключение источника курсов или возврат к нему',
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
  'giveaway.publish': 'публикация розыгрыша',
  'round.announce': 'объявление раунда доставки',
  'round.freeze': 'фиксация раунда доставки',
  'round.go-live': 'запуск раунда доставки',
  'escrow.announce': 'условия эскроу',
  'escrow.enter': 'ввод эскроу в действие',
}

const summaryEn: Record<string, string> = {
  ...shortenedLabels('en'),
  user: 'User',
  order: 'Order',
  mail: 'Mail',
  language: 'Language',
  subject: 'Subject',
  text: 'Text',
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
  startPercent: 'Free at the start, %',
  cliffSeconds: 'Cliff, seconds',
  linearSeconds: 'Then evenly, seconds',
  inEscrow: 'Paid into the escrow',
  leftoverTo: 'What nobody claims goes to',
  seller: "Seller's account",
  treasury: 'Proceeds go to',
  closesAt: 'Payments end',
  deliverBy: 'Delivered at the latest',
  reviewSeconds: 'Review by the seller, seconds',
  locksFirst: 'Tokens are locked first',
  total: 'Tokens',
  block: 'Seen in the final block',
  code: 'Hash of the code there',
  reason: 'Reason',
}

const summaryRu: Record<string, string> = {
  ...shortenedLabels('ru'),
  user: 'Пользователь',
  order: 'Заказ',
  mail: 'Письмо',
  language: 'Язык',
  subject: 'Тема',
  text: 'Текст',
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
  startPercent: 'Доступно сразу, %',
  cliffSeconds: 'Клифф, секунд',
  linearSeconds: 'Затем равномерно, секунд',
  inEscrow: 'Оплата в эскроу',
  leftoverTo: 'Невостребованное поступит на',
  seller: 'Счёт продавца',
  treasury: 'Выручка поступит на',
  closesAt: 'Приём платежей до',
  deliverBy: 'Доставка не позже',
  reviewSeconds: 'Проверка продавцом, секунд',
  locksFirst: 'Токены вносятся заранее',
  total: 'Токены',
  block: 'Видно в окончательном блоке',
  code: 'Хеш кода',
  reason: 'Причина',
}

/** As the confirmation shows it: amounts, addresses before and after. */
const summaryFacts = (
  summary: Record<string, string>,
  labels: Record<string, string>,
  wordOf = (role: string) => role,
): Facts =>
  Object.entries(summary).map(([label, value]) => [
    labels[label] ?? label,
    (label === 'role' ? wordOf(value) : value) || '—',
  ])

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
    case 'wallet_announced':
      return `The journal announced a new wallet: ${notice.wallet}`
    case 'rate_source_changed':
      if (notice.currency === '*') return 'The sources of rates were changed'
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
    case 'wallet_announced':
      return `Журнал объявил новый кошелёк: ${notice.wallet}`
    case 'rate_source_changed':
      if (notice.currency === '*') return 'Изменены источники курсов'
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
  if (notice.what === 'wallet_announced')
    return [
      ['Wallet', notice.wallet],
      ['Fingerprint of its account key', notice.key],
    ]
  if (!('before' in notice)) return [['Login', notice.login]]
  return [
    ['Before', notice.before || 'none'],
    ['After', notice.after || 'none'],
  ]
}

/** Roles, and where a rate is from, as the pages call them. */
const wordsRu: Record<string, string> = {
  owner: 'владелец',
  finance: 'финансы',
  content: 'контент',
  support: 'поддержка',
  manual: 'вручную',
  feed: 'источник',
}
const wordRu = (code: string) => wordsRu[code] ?? code

function ownerFactsRu(notice: OwnerNotice): Facts {
  if (notice.what === 'action_waiting') return summaryFacts(notice.summary, summaryRu, wordRu)
  if (notice.what === 'action_confirmed')
    return [...summaryFacts(notice.summary, summaryRu, wordRu), ['Кто запросил', notice.asked]]
  if (notice.what === 'operator_invited') return [['Роль', wordRu(notice.role)]]
  if (notice.what === 'wallet_announced')
    return [
      ['Кошелёк', notice.wallet],
      ['Отпечаток ключа его счёта', notice.key],
    ]
  if (!('before' in notice)) return [['Логин', notice.login]]
  return [
    ['Было', wordRu(notice.before) || 'нет'],
    ['Стало', wordRu(notice.after) || 'нет'],
  ]
}
