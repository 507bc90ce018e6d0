import { type IssueText, text } from './issue-codes.ts'
import { alsoSay } from './issues.ts'

/** What can be wrong with what operators and programs send: beside `issueCodes`, so that no page of a buyer carries it. */
export const operatorIssueCodes = {
  // currencies and analytics keys
  currency_short: text(
    'Currency must be at least {} characters.',
    'Код валюты должен быть не короче {} символов.',
  ),
  full_name_short: text(
    'Full name must be at least {} characters.',
    'Полное название должно быть не короче {} символов.',
  ),
  address_short: text('Address must be at least {} characters.', 'Адрес должен быть не короче {} символов.'),
  rate_not_positive: text('Rate must be a positive number.', 'Курс должен быть положительным числом.'),
  api_key_missing: text('API Key is required', 'Нужен ключ API.'),
  location_missing: text('Location is required', 'Нужен путь.'),

  // the campaign
  shares_total: text(
    'The shares add up to {} %, not to exactly 100 %.',
    'Доли в сумме дают {} %, а должны ровно 100 %.',
  ),
  share_unknown: text('Choose one of the shares.', 'Выберите одну из долей.'),
  share_taken: text('Bonuses need a share of their own.', 'Бонусам нужна отдельная доля.'),
  soft_cap_above: text('The soft cap is above the hard cap.', 'Софт-кап выше хард-капа.'),
  minimum_above: text('The minimum is above the maximum.', 'Минимум больше максимума.'),
  default_outside: text('The default lies outside the limits.', 'Значение по умолчанию вне пределов.'),
  name_taken: text('Another one has this name.', 'Это название уже занято.'),
  level_order: text(
    'Each level starts above the one before it.',
    'Каждый уровень начинается выше предыдущего.',
  ),
  level_bonus: text(
    'A higher level never has a smaller bonus.',
    'У более высокого уровня бонус не бывает меньше.',
  ),
  end_before_start: text('The end lies before the start.', 'Окончание раньше начала.'),
  color_format: text(
    'Enter #rrggbb or oklch(0.7 0.15 20), on which dark or white text is readable (4.5 : 1).',
    'Введите #rrggbb или oklch(0.7 0.15 20): на этом цвете тёмный или белый текст должен читаться (4,5 : 1).',
  ),
  ink_contrast: text(
    'The paper is {} : 1 lighter than the ink; 4.5 is needed.',
    'Бумага светлее чернил в отношении {} : 1; нужно 4,5.',
  ),
  image_missing: text('Choose an uploaded image.', 'Выберите загруженное изображение.'),
  https_format: text('Enter an https address.', 'Введите адрес, который начинается с https.'),
  origin_format: text(
    'Enter an origin like https://shop.example, without a path.',
    'Введите источник вида https://shop.example, без пути.',
  ),

  // the words of mails
  mail_variable_unknown: text('{} is not known in this mail.', '{} в этом письме неизвестно.'),
  mail_braces: text(
    'Braces stand only around the name of a variable.',
    'Фигурные скобки бывают только вокруг имени переменной.',
  ),
  mail_part_missing: text('{} has to stay in this mail.', '{} должно остаться в этом письме.'),
  mail_part_alone: text(
    '{} stands once, in a paragraph of its own.',
    '{} стоит один раз, отдельным абзацем.',
  ),
  mail_link: text(
    'A mail has no link but its button. Mail programs make one of words like example.org, too.',
    'В письме нет других ссылок, кроме его кнопки. Почтовые программы делают ссылку и из слов вроде example.org.',
  ),

  // chains
  last_rule_open: text(
    'The last rule must fit every sum.',
    'Последнее правило должно подходить любой сумме.',
  ),
  rule_order: text(
    'Each rule reaches further than the one before it.',
    'Каждое правило охватывает больше предыдущего.',
  ),

  // the original contract and headers
  bonus_differs: text('The bonus does not fit the amount.', 'Бонус не подходит к сумме.'),
  email_differs: text('This is another e-mail address.', 'Это другой адрес электронной почты.'),
  amounts_differ: text('The amounts do not fit together.', 'Суммы не согласуются между собой.'),
  address_differs: text('This is not the address to pay to.', 'Это не тот адрес для оплаты.'),
  amount_differs: text('The amounts do not fit the rate.', 'Суммы не соответствуют курсу.'),
} as const satisfies Record<string, IssueText>

alsoSay(operatorIssueCodes)
