/**
 * What can be wrong with a field: a stable code and one sentence for people in each language, `{}` standing for a number. The
 * schemas say theirs in English, which is how a message finds its code; the first group is what the schema library finds by itself.
 */
interface IssueText {
  readonly en: string
  readonly ru: string
}

const text = (en: string, ru: string): IssueText => ({ en, ru })

export const issueCodes = {
  required: text('This field is required.', 'Это поле обязательно.'),
  wrong_type: text(
    'This is not the kind of value that is asked for.',
    'Здесь ожидается значение другого вида.',
  ),
  wrong_format: text('This is not in the right form.', 'Неверный формат.'),
  not_an_option: text('Choose one of the options.', 'Выберите один из вариантов.'),
  unknown_field: text('This field is not known here.', 'Такого поля здесь нет.'),
  too_short: text('At least {} characters.', 'Не меньше {} символов.'),
  too_long: text('At most {} characters.', 'Не больше {} символов.'),
  too_small: text('At least {}.', 'Не меньше {}.'),
  too_large: text('At most {}.', 'Не больше {}.'),
  too_few: text('Add more: at least {} are needed.', 'Добавьте ещё: нужно не меньше {}.'),
  too_many: text('Too many: {} at most.', 'Слишком много: не больше {}.'),
  invalid: text('This value is not right.', 'Это значение не подходит.'),

  // people and their credentials
  name_missing: text('Enter your name.', 'Введите имя.'),
  email_missing: text('Enter your e-mail address.', 'Введите адрес электронной почты.'),
  email_format: text('Enter an e-mail address.', 'Введите адрес электронной почты.'),
  phone_format: text('Enter a phone number.', 'Введите номер телефона.'),
  login_missing: text('Enter your login.', 'Введите логин.'),
  password_missing: text('Enter your password.', 'Введите пароль.'),
  passwords_differ: text('Passwords do not match.', 'Пароли не совпадают.'),
  code_format: text('Enter the code.', 'Введите код.'),
  proof_missing: text('Give the password, a code or a passkey.', 'Укажите пароль, код или ключ доступа.'),
  nickname_format: text('2 to 30 letters or digits.', 'От 2 до 30 букв или цифр.'),
  text_missing: text('Write something.', 'Напишите что-нибудь.'),
  faq_lasting: text(
    'What is said of delivery, refunds and risks stays.',
    'Ответы о доставке, возвратах и рисках остаются.',
  ),
  faq_live: text('The program writes this entry.', 'Этот ответ пишет программа.'),
  moment_past: text('Choose a time that is still to come.', 'Выберите время, которое ещё не наступило.'),
  closes_too_early: text('It closes before it opens.', 'Закрытие раньше открытия.'),
  label_missing: text('Enter a name.', 'Введите название.'),
  control_characters: text('Remove the control characters.', 'Уберите управляющие символы.'),
  country_format: text('Enter the two letters of a country.', 'Введите двухбуквенный код страны.'),

  // numbers
  number_format: text('Invalid number format', 'Неверный формат числа'),
  decimal_format: text(
    'Enter a plain number with at most {} decimals.',
    'Введите обычное число, не больше {} знаков после запятой.',
  ),
  percentage_format: text(
    'Enter a percentage with at most {} decimals.',
    'Введите процент, не больше {} знаков после запятой.',
  ),
  not_positive: text('Must be a positive number.', 'Нужно положительное число.'),

  // currencies, analytics keys, transaction ids
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
  transaction_id_format: text(
    'Enter the transaction id as your wallet shows it.',
    'Введите идентификатор транзакции так, как его показывает кошелёк.',
  ),

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
    'Введите #rrggbb или oklch(0.7 0.15 20): на этом цвете тёмный или белый текст должен читаться (4.5 : 1).',
  ),
  ink_contrast: text(
    'The paper is {} : 1 lighter than the ink; 4.5 is needed.',
    'Бумага светлее чернил в отношении {} : 1; нужно 4.5.',
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

  signature_format: text(
    'Paste the signature: 0x and hexadecimal digits.',
    'Вставьте подпись: 0x и шестнадцатеричные цифры.',
  ),

  // the original contract and headers
  key_format: text('One to {} printable characters.', 'От одного до {} печатных символов.'),
  bonus_differs: text('The bonus does not fit the amount.', 'Бонус не подходит к сумме.'),
  email_differs: text('This is another e-mail address.', 'Это другой адрес электронной почты.'),
  amounts_differ: text('The amounts do not fit together.', 'Суммы не согласуются между собой.'),
  address_differs: text('This is not the address to pay to.', 'Это не тот адрес для оплаты.'),
  amount_differs: text('The amounts do not fit the rate.', 'Суммы не соответствуют курсу.'),
} as const satisfies Record<string, IssueText>

export type IssueCode = keyof typeof issueCodes
export const issueCodeNames = Object.keys(issueCodes) as [IssueCode, ...IssueCode[]]
