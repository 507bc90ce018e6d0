/**
 * What can be wrong with a field: a stable code and one sentence for people in each language, `{}` standing for a number. The
 * schemas say theirs in English, which is how a message finds its code; the first group is what the schema library finds by itself.
 */
export interface IssueText {
  readonly en: string
  readonly ru: string
}

export const text = (en: string, ru: string): IssueText => ({ en, ru })

/** Those that buyers and visitors may see; operators and programs have theirs in `operator-issue-codes.ts`. */
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

  // payments
  transaction_id_format: text(
    'Enter the transaction id as your wallet shows it.',
    'Введите идентификатор транзакции так, как его показывает кошелёк.',
  ),
  signature_format: text(
    'Paste the signature: 0x and hexadecimal digits.',
    'Вставьте подпись: 0x и шестнадцатеричные цифры.',
  ),

  // headers
  key_format: text('One to {} printable characters.', 'От одного до {} печатных символов.'),
} as const satisfies Record<string, IssueText>
