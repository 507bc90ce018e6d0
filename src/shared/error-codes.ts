/**
 * Every refusal that a caller can meet: its HTTP status and one sentence for people in each language.
 * A code is stable: clients switch on it, so a code is never renamed or reused for another meaning.
 */
interface ErrorText {
  readonly status: number
  readonly en: string
  readonly ru: string
}

const text = (status: number, en: string, ru: string): ErrorText => ({ status, en, ru })

export const errorCodes = {
  // transport
  malformed_request: text(400, 'The request could not be read.', 'Не удалось прочитать запрос.'),
  invalid_input: text(422, 'Please check the marked fields.', 'Проверьте отмеченные поля.'),
  not_found: text(404, 'Not found.', 'Не найдено.'),
  method_not_allowed: text(405, 'This method is not allowed here.', 'Этот метод здесь не разрешён.'),
  too_large: text(413, 'This is too large.', 'Слишком большой объём данных.'),
  unsupported_media_type: text(
    415,
    'A body of this content type is not taken here.',
    'Тело такого типа здесь не принимается.',
  ),
  too_many_requests: text(
    429,
    'Too many attempts. Please wait a little.',
    'Слишком много попыток. Подождите немного.',
  ),
  internal: text(
    500,
    'Something broke on our side. Nothing was charged.',
    'Ошибка на нашей стороне. Ничего не списано.',
  ),
  unavailable: text(
    503,
    'The service is catching its breath. Please try again in a moment.',
    'Сервис временно недоступен. Повторите через минуту.',
  ),
  cross_site_request: text(
    403,
    'This request came from another site and was refused.',
    'Запрос пришёл с другого сайта и отклонён.',
  ),

  // access
  not_signed_in: text(401, 'Please log in.', 'Войдите в аккаунт.'),
  session_ended: text(
    401,
    'Your session has ended. Please log in again.',
    'Сессия завершена. Войдите снова.',
  ),
  not_for_your_role: text(403, 'Not for your role', 'Недоступно для вашей роли'),
  step_up_required: text(401, 'Please confirm that it is you.', 'Подтвердите, что это вы.'),
  second_factor_required: text(
    401,
    'Enter the code from your second factor.',
    'Введите код второго фактора.',
  ),
  second_factor_missing: text(
    403,
    'Your role needs a second factor. Please set one up first.',
    'Для вашей роли нужен второй фактор. Сначала включите его.',
  ),
  second_factor_wrong: text(
    401,
    'That code is wrong or was used already.',
    'Код неверный или уже использован.',
  ),
  passkey_refused: text(401, 'This passkey was not accepted.', 'Этот ключ доступа не принят.'),
  login_failed: text(401, 'Login failed.', 'Не удалось войти.'),
  registration_failed: text(409, 'Registration failed.', 'Не удалось зарегистрироваться.'),
  password_wrong: text(422, 'The current password is wrong.', 'Текущий пароль неверный.'),
  password_too_common: text(
    422,
    'This password is among the most common ones. Choose another.',
    'Этот пароль слишком распространён. Выберите другой.',
  ),
  link_expired: text(
    410,
    'This link has expired or was used already.',
    'Ссылка устарела или уже использована.',
  ),
  events_gone: text(
    410,
    'Not every event after this number is kept. Compare with the orders, then go on from the newest event.',
    'Не все события после этого номера сохранены. Сверьтесь с заказами и продолжайте с последнего события.',
  ),
  last_owner: text(409, 'The last owner cannot be removed.', 'Последнего владельца нельзя удалить.'),
  login_taken: text(
    409,
    'This login is taken, or looks like one that is.',
    'Этот логин занят, или есть похожий на вид.',
  ),
  channels_full: text(
    409,
    'You have as many channels as there can be. Remove one first.',
    'У вас уже наибольшее число каналов. Сначала удалите один.',
  ),
  own_email_missing: text(
    409,
    'Your operator account has no e-mail address. Give it one on the page Operators.',
    'У вашего аккаунта оператора нет адреса почты. Укажите его на странице «Операторы».',
  ),
  email_taken: text(409, 'This address cannot be used.', 'Этот адрес нельзя использовать.'),
  nickname_taken: text(
    409,
    'Somebody has, or lately had, this nickname or one that looks like it.',
    'Этот псевдоним или похожий на вид занят или недавно был занят.',
  ),
  account_has_pending: text(
    409,
    'Something is still pending or owed on this account.',
    'По этому аккаунту есть незавершённые операции или долг.',
  ),
  referral_closed: text(409, 'Links for friends are not given.', 'Ссылки для друзей не выдаются.'),
  conflict: text(409, 'Somebody else changed this meanwhile.', 'Это уже изменил кто-то другой.'),

  // idempotency
  idempotency_key_reused: text(
    409,
    'This Idempotency-Key was used with another request.',
    'Этот Idempotency-Key уже использован с другим запросом.',
  ),
  idempotency_in_progress: text(
    409,
    'The same request is still running.',
    'Такой же запрос ещё выполняется.',
  ),

  // sale
  sale_not_ready: text(
    409,
    'This sale is not open: seller, contact, terms, risks or delivery plan are missing.',
    'Продажа не открыта: не указаны продавец, контакт, условия, риски или план выдачи.',
  ),
  sale_paused: text(409, 'The sale is paused.', 'Продажа приостановлена.'),
  currency_paused: text(409, 'This currency is paused.', 'Эта валюта приостановлена.'),
  currency_off: text(409, 'This currency is not accepted now.', 'Эта валюта сейчас не принимается.'),
  currency_unknown: text(404, 'There is no such currency.', 'Такой валюты нет.'),
  rate_stale: text(
    409,
    'There is no fresh rate for this currency just now.',
    'Сейчас нет свежего курса этой валюты.',
  ),
  address_missing: text(409, 'Address not specified', 'Адрес не указан'),
  stage_not_started: text(409, 'The sale has not started yet.', 'Продажа ещё не началась.'),
  stage_closed: text(409, 'This stage of the sale is over.', 'Этот этап продажи завершён.'),
  cap_reached: text(
    409,
    'There is not enough left of this stage or of the hard cap.',
    'На этом этапе или до предела сборов осталось меньше.',
  ),
  soft_cap_missed: text(
    409,
    'The sale ended below its soft cap: what was paid is owed back, and nothing is approved any more.',
    'Продажа закончилась ниже мягкого предела: оплаченное подлежит возврату, и заказы больше не одобряются.',
  ),
  supply_reached: text(
    409,
    'There are not enough tokens left for this.',
    'Для этого осталось недостаточно токенов.',
  ),
  amount_invalid: text(
    422,
    'Enter a plain number with at most 6 decimals.',
    'Введите обычное число не более чем с 6 знаками после точки.',
  ),
  amount_below_minimum: text(422, 'This is below the minimum.', 'Это меньше минимума.'),
  amount_above_maximum: text(422, 'This is above the maximum.', 'Это больше максимума.'),
  quote_unknown: text(404, 'There is no such quote.', 'Такого расчёта нет.'),
  quote_expired: text(
    409,
    'This quote has expired. Ask for a new one.',
    'Срок расчёта истёк. Запросите новый.',
  ),
  quote_used: text(409, 'This quote has already made an order.', 'По этому расчёту уже создан заказ.'),
  terms_not_accepted: text(
    422,
    'Please accept the terms and the risk notice.',
    'Примите условия и уведомление о рисках.',
  ),
  terms_changed: text(
    409,
    'The terms have changed. Please read them again.',
    'Условия изменились. Прочитайте их снова.',
  ),
  country_refused: text(403, 'This sale is not open to your country.', 'Продажа закрыта для вашей страны.'),
  declaration_missing: text(
    422,
    'Please declare your country and age.',
    'Укажите страну и подтвердите возраст.',
  ),
  phone_required: text(422, 'A phone number is required.', 'Требуется номер телефона.'),
  too_many_open_orders: text(
    409,
    'You have 20 open orders. Pay or cancel one first.',
    'У вас 20 открытых заказов. Оплатите или отмените один из них.',
  ),
  place_not_held: text(
    409,
    'A place can no longer be held for this order. Get a new quote: it says what holds now.',
    'Удержать место для этого заказа уже нельзя. Запросите новый расчёт: в нём указано, что действует теперь.',
  ),

  // orders
  order_unknown: text(404, "Transaction doesn't exist", 'Такой транзакции не существует'),
  order_not_cancellable: text(
    409,
    'This order can no longer be cancelled.',
    'Этот заказ уже нельзя отменить.',
  ),
  order_changed: text(
    409,
    'Somebody decided about this order meanwhile. Look at it again.',
    'Об этом заказе уже принято решение. Посмотрите на него ещё раз.',
  ),
  order_state: text(
    409,
    'The order is not in a state that allows this.',
    'Состояние заказа этого не позволяет.',
  ),
  order_not_declared: text(
    409,
    'A payment made this order, and its buyer has not confirmed it yet: terms, risks, age and country.',
    'Этот заказ создан платежом, и покупатель ещё не подтвердил его: условия, риски, возраст и страну.',
  ),
  order_not_hidable: text(
    409,
    'Reject or refund this order first.',
    'Сначала отклоните заказ или верните деньги.',
  ),
  transaction_id_taken: text(
    409,
    'This transaction belongs to an approved order already.',
    'Эта транзакция уже принадлежит одобренному заказу.',
  ),
  transaction_id_not_needed: text(
    409,
    'This order is watched on its chain and needs no transaction id.',
    'Этот заказ отслеживается в сети, идентификатор не нужен.',
  ),
  tokens_claimed: text(409, 'The balance would fall below zero.', 'Баланс стал бы отрицательным.'),
  two_owners_needed: text(
    409,
    'Two pairs of eyes need two owners who can log in.',
    'Чтобы решения принимали двое, нужны два владельца, которые могут войти.',
  ),
  operator_email_needed: text(
    422,
    'Where two operators decide, a one-time link goes by mail alone: give an address first.',
    'Когда решают двое, одноразовая ссылка уходит только по почте: сначала укажите адрес.',
  ),
  second_operator_required: text(
    409,
    'A second operator has to confirm this.',
    'Это должен подтвердить второй оператор.',
  ),

  // operator
  currency_exists: text(409, 'This currency exists already.', 'Такая валюта уже есть.'),
  currency_watched: text(
    409,
    'Payments of this currency are watched: take its wallet off before its network or contract changes.',
    'Платежи этой валюты отслеживаются: прежде чем менять сеть или контракт, отключите её кошелёк.',
  ),
  currency_in_use: text(
    409,
    'Its network and contract stay once an order of this currency is approved, and while orders, refunds or watched quotes of it are open.',
    'Сеть и контракт нельзя менять, когда одобрен заказ в этой валюте, и пока открыты заказы, возвраты или расчёты с отслеживаемым адресом.',
  ),
  token_contract_missing: text(
    409,
    'Enter the contract of this token first: without it the network’s own coin would be counted.',
    'Сначала укажите контракт токена: без него засчитывалась бы собственная монета сети.',
  ),
  address_invalid: text(422, 'This is not an address of that network.', 'Это не адрес указанной сети.'),
  delivery_chain_missing: text(
    409,
    'The network on which tokens are delivered is not chosen yet.',
    'Сеть, в которой будут доставлены токены, ещё не выбрана.',
  ),
  delivery_network_other: text(
    409,
    'The network of the delivery was changed meanwhile. Name the address again for the new one.',
    'Сеть доставки тем временем изменилась. Укажите адрес ещё раз, уже для новой.',
  ),
  delivery_address_ours: text(
    422,
    'This is an address of the sale. Enter one of your own.',
    'Это адрес самой продажи. Укажите свой собственный.',
  ),
  delivery_address_same: text(
    409,
    'Your tokens go to this address already.',
    'Ваши токены и так поступят на этот адрес.',
  ),
  delivery_text_expired: text(
    409,
    'This text was used or is too old. Ask for a new one and sign that.',
    'Этот текст уже использован или устарел. Запросите новый и подпишите его.',
  ),
  smart_account_missing: text(
    422,
    'This address is a smart account that does not stand on this network yet: tokens could not be moved from it. Create it there first, by any transaction from that wallet, and sign again.',
    'Этот адрес — смарт-аккаунт, которого в этой сети ещё нет: токены с него нельзя было бы перевести. Сначала создайте его там любой транзакцией этого кошелька и подпишите снова.',
  ),
  permit_wrong: text(
    422,
    'This signature does not let the escrow take the amount. Sign with the wallet that pays, or let it by a transaction.',
    'Эта подпись не разрешает эскроу взять сумму. Подпишите кошельком, с которого платите, или дайте разрешение транзакцией.',
  ),
  signature_wrong: text(
    422,
    'This signature does not prove the address. Sign with the wallet of that address, or type the address.',
    'Эта подпись не подтверждает адрес. Подпишите кошельком этого адреса или введите адрес вручную.',
  ),
  tokens_allocated: text(
    409,
    'These tokens are in the list of a delivery round already.',
    'Эти токены уже включены в список раунда доставки.',
  ),
  delivery_token_missing: text(
    409,
    'The delivery plan does not name the token contract yet.',
    'В плане доставки ещё не указан контракт токена.',
  ),
  giveaway_unknown: text(404, 'There is no such giveaway.', 'Такого розыгрыша нет.'),
  giveaway_published: text(
    409,
    'A published giveaway stays as it is. A change is a new giveaway.',
    'Опубликованный розыгрыш не меняется. Изменение – это новый розыгрыш.',
  ),
  giveaway_incomplete: text(
    422,
    'The giveaway lacks something that its rules need in each language of the campaign.',
    'В розыгрыше не хватает того, что правилам нужно на каждом языке кампании.',
  ),
  giveaway_times: text(
    422,
    'A giveaway closes after it opens, and in the future.',
    'Розыгрыш закрывается после открытия и в будущем.',
  ),
  giveaway_running: text(
    409,
    'Another giveaway is published and not closed yet.',
    'Другой розыгрыш опубликован и ещё не закрыт.',
  ),
  giveaway_rules_other: text(
    409,
    'These are not the rules of this giveaway. Read them again.',
    'Это не правила этого розыгрыша. Прочитайте их ещё раз.',
  ),
  giveaway_not_open: text(
    409,
    'This giveaway takes no entries now.',
    'Сейчас этот розыгрыш не принимает заявки.',
  ),
  giveaway_unconfirmed: text(
    403,
    'Confirm your e-mail address first, by the link in your mail.',
    'Сначала подтвердите адрес почты по ссылке в письме.',
  ),
  comments_off: text(403, 'Comments are switched off here.', 'Комментарии здесь выключены.'),
  comment_unconfirmed: text(
    403,
    'Confirm your e-mail address first, by the link in your mail.',
    'Сначала подтвердите адрес почты по ссылке в письме.',
  ),
  followers_off: text(
    403,
    'Announcements are not sent by mail here.',
    'Здесь объявления не присылают по почте.',
  ),
  follow_address: text(422, 'Enter an e-mail address.', 'Введите адрес электронной почты.'),
  giveaway_country: text(
    403,
    'The rules do not open this giveaway to your country.',
    'По правилам этот розыгрыш закрыт для вашей страны.',
  ),
  giveaway_entered: text(
    409,
    'This person has entered already: one entry a person and a mailbox.',
    'Этот человек уже участвует: одна заявка на человека и почтовый ящик.',
  ),
  giveaway_not_won: text(
    409,
    'There is no prize to confirm here, or the days for it are over.',
    'Здесь нечего подтверждать, или срок для этого истёк.',
  ),
  giveaway_not_confirmed: text(
    409,
    'No prize is open here: its winner has not confirmed, or it was handed over already.',
    'Здесь нет открытого приза: победитель не подтвердил его, или приз уже вручён.',
  ),
  round_unknown: text(404, 'There is no such delivery round.', 'Такого раунда доставки нет.'),
  round_open: text(
    409,
    'Another delivery round is announced: freeze or cancel it first.',
    'Уже объявлен другой раунд доставки: сначала зафиксируйте или отмените его.',
  ),
  round_state: text(
    409,
    'The delivery round is not in a state that allows this.',
    'Состояние раунда доставки этого не позволяет.',
  ),
  round_network: text(
    409,
    'The delivery plan has another network than this round was announced for. Cancel it and announce another, so that everybody without an address there is told in time.',
    'В плане доставки указана не та сеть, для которой объявлен раунд. Отмените его и объявите другой, чтобы вовремя предупредить всех, у кого нет адреса в новой сети.',
  ),
  round_too_early: text(
    409,
    'Too early: everybody who lacks an address is told 72 hours before the freeze.',
    'Слишком рано: всем, у кого нет адреса, сообщают за 72 часа до фиксации.',
  ),
  round_cut: text(422, 'The cut has to be before the freeze.', 'Граница раунда должна быть раньше фиксации.'),
  escrow_missing: text(
    409,
    'No escrow in force takes this currency on this stage.',
    'На этом этапе нет действующего эскроу, которое принимает эту валюту.',
  ),
  escrow_needs_wallet: text(
    409,
    'Payments of this currency are not watched yet: give it a wallet first.',
    'Платежи этой валюты ещё не отслеживаются: сначала подключите ей кошелёк.',
  ),
  currency_has_orders: text(
    409,
    'This currency has orders: how it is paid can no longer be switched.',
    'По этой валюте есть заказы: способ её оплаты больше нельзя переключить.',
  ),
  currency_in_escrow: text(
    409,
    'This currency is paid into an escrow, and keeps the wallet by which it is watched.',
    'Эта валюта оплачивается в эскроу: кошелёк, по которому за ней следят, остаётся.',
  ),
  escrow_payer_missing: text(
    422,
    'This currency is paid into an escrow: connect the wallet that pays.',
    'Эта валюта оплачивается в эскроу: подключите кошелёк, с которого будете платить.',
  ),
  escrow_not_held: text(
    409,
    'An order that is paid into the escrow needs a place that is held for it, and none can be held just now. Pay or cancel your open orders, confirm your e-mail address, or buy less.',
    'Заказу с оплатой в эскроу нужно удержанное место, а сейчас его удержать нельзя. Оплатите или отмените открытые заказы, подтвердите почту или купите меньше.',
  ),
  order_not_escrowed: text(
    409,
    'This order is not paid into an escrow.',
    'Этот заказ оплачивается не в эскроу.',
  ),
  escrow_full: text(
    409,
    'The escrow has no room for this order: its tokens are promised to others.',
    'В эскроу нет места для этого заказа: его токены обещаны другим.',
  ),
  order_in_escrow: text(
    409,
    'The money of this order lies in an escrow: its chain alone approves it, and it is not rejected before it is cancelled there, by the transaction that its page shows.',
    'Деньги этого заказа лежат в эскроу: одобряет его только сеть, а отклонить его можно лишь после отмены там, транзакцией, которую показывает его страница.',
  ),
  order_signed: text(
    409,
    'A payment into the escrow was signed for this order and may still arrive. It can be decided about once the order’s time is over and a final block shows that nothing came.',
    'Для этого заказа подписан платёж в эскроу, и он ещё может прийти. Решить о заказе можно, когда его время выйдет и окончательный блок покажет, что ничего не пришло.',
  ),
  escrow_unknown: text(404, 'There is no such escrow.', 'Такого эскроу нет.'),
  escrow_state: text(
    409,
    'The escrow is not in a state that allows this.',
    'Состояние эскроу этого не позволяет.',
  ),
  escrow_open: text(
    409,
    'This stage has an escrow already: withdraw its terms first if they are not in force.',
    'У этого этапа уже есть эскроу: сначала отзовите его условия, если они ещё не действуют.',
  ),
  escrow_soft_cap: text(
    409,
    'A sale that pays the money back below its soft cap has no escrow: the contract knows no soft cap, and whoever delivers it frees the money all the same. Choose one of the two.',
    'Продажа, которая возвращает деньги ниже софт-капа, не может иметь эскроу: контракт не знает о софт-капе, и доставка всё равно освободит деньги. Выберите что-то одно.',
  ),
  escrow_times: text(
    422,
    'Payments have to end within 366 days. Delivery may end a day after the review at the earliest, 180 days after the payments at the latest.',
    'Приём платежей должен закончиться в течение 366 дней. Доставка может закончиться не раньше чем через день после проверки и не позже чем через 180 дней после конца приёма.',
  ),
  escrow_currency: text(
    422,
    'An escrow takes coins of its own network whose contract is known, and never the token that is sold.',
    'Эскроу принимает только монеты своей сети с известным контрактом и никогда — продаваемый токен.',
  ),
  escrow_token_unknown: text(
    409,
    'The token factory did not make this token, so that nobody knows what its code does. An escrow takes tokens of the factory alone.',
    'Этот токен создан не фабрикой токенов, и что делает его код, неизвестно. Эскроу принимает только токены фабрики.',
  ),
  escrow_not_made: text(
    409,
    'The escrow does not stand in a final block. Make it, or wait until its block is final.',
    'В окончательном блоке эскроу ещё нет. Создайте его или подождите, пока его блок станет окончательным.',
  ),
  escrow_not_open: text(
    409,
    'The escrow takes no payments: it was closed, cancelled or delivered.',
    'Эскроу не принимает платежи: оно закрыто, отменено или доставлено.',
  ),
  escrow_other_key: text(
    409,
    'The escrow takes quotes of another key than the server signs with. The seller has to name the new key there.',
    'Эскроу принимает расчёты с другим ключом, чем тот, которым подписывает сервер. Продавцу нужно указать в нём новый ключ.',
  ),
  escrow_not_locked: text(
    409,
    'Not all tokens of the cap lie in the escrow in a final block.',
    'В окончательном блоке в эскроу лежат ещё не все токены его предела.',
  ),
  node_silent: text(
    503,
    'The node of this network does not answer, or not to this. Nothing was decided: try again.',
    'Узел этой сети не отвечает или не отвечает на этот вопрос. Ничего не решено: повторите позже.',
  ),
  node_other_network: text(
    409,
    'The node is on another network. Check the address of the node.',
    'Узел работает в другой сети. Проверьте адрес узла.',
  ),
  node_address_refused: text(
    422,
    'A node is reached by https on the public internet, or at a host that NODE_HOSTS in the environment lists.',
    'Узел доступен по https в открытом интернете или на хосте из списка NODE_HOSTS в настройках сервера.',
  ),
  node_in_both_places: text(
    409,
    'The other node of this network is at that host or of that domain, too. The second one is somebody else’s, or it confirms nothing.',
    'Другой узел этой сети — на том же хосте или в том же домене. Второй узел должен быть чужим, иначе он ничего не подтверждает.',
  ),
  node_of_environment: text(
    409,
    'The environment of the server names this node. It is changed there.',
    'Этот узел задан в настройках сервера. Меняется он там.',
  ),
  node_unknown: text(404, 'No node is named there.', 'Здесь узел не задан.'),
  rate_source_address_refused: text(
    422,
    'A rate source is reached by https on the public internet, or at a host that PRICE_HOSTS in the environment lists.',
    'Источник курсов доступен по https в открытом интернете или на хосте из списка PRICE_HOSTS в настройках сервера.',
  ),
  rate_source_silent: text(
    503,
    'The source gives no price that would count. Nothing was changed.',
    'Источник не даёт ни одной цены, которая бы учитывалась. Ничего не изменено.',
  ),
  rate_source_unknown: text(
    404,
    'There is no such rate source, or it is not asked.',
    'Такого источника курсов нет, или его не опрашивают.',
  ),
  rate_source_of_environment: text(
    409,
    'The environment of the server names this rate source. It is changed there.',
    'Этот источник курсов задан в настройках сервера. Меняется он там.',
  ),
  rate_source_twice: text(
    409,
    'Another rate source answers below the same domain. Two that are one would agree about anything.',
    'В этом же домене уже есть источник курсов. Два источника, которые на деле один, согласятся в чём угодно.',
  ),
  rate_sources_full: text(
    409,
    'There are ten rate sources already. Remove one first.',
    'Источников курсов уже десять. Сначала удалите один.',
  ),
  nodes_disagree: text(
    409,
    'The two nodes of this network say different things. Nothing was decided: find out which of them is wrong.',
    'Два узла этой сети говорят разное. Ничего не решено: выясните, какой из них ошибается.',
  ),
  distributor_missing: text(
    409,
    'No contract stands at this address in a final block. Deploy it, or wait until its block is final.',
    'По этому адресу в окончательном блоке нет контракта. Разверните его или подождите, пока его блок станет окончательным.',
  ),
  distributor_other_code: text(
    409,
    'Another contract stands at this address, such as a proxy: its code is not the published one.',
    'По этому адресу стоит другой контракт, например прокси: его код не совпадает с опубликованным.',
  ),
  distributor_other_token: text(
    409,
    'This distributor hands out another token than the list says.',
    'Этот контракт раздаёт не тот токен, который указан в списке.',
  ),
  distributor_other_root: text(
    409,
    'This distributor was made for another list: its root is not the published one.',
    'Этот контракт создан для другого списка: его корень не совпадает с опубликованным.',
  ),
  distributor_other_terms: text(
    409,
    'This distributor has another total, schedule or address for leftovers than the list says.',
    'Сумма, график или адрес для остатка у этого контракта не те, что указаны в списке.',
  ),
  distributor_other_maker: text(
    409,
    'This contract has the published code, but was not made by the published transactions: whoever made it may have claimed in it for others, or may take its tokens.',
    'Код этого контракта опубликованный, но создан он не опубликованными транзакциями: тот, кто его создал, мог заранее отметить чужие токены полученными или оставить себе право их забрать.',
  ),
  distributor_not_funded: text(
    409,
    'The distributor is not funded in a final block: claims open once the whole total was brought by “fund”.',
    'В окончательном блоке контракт не пополнен: получение откроется, когда вызов «fund» внесёт всю сумму.',
  ),
  distributor_short: text(
    409,
    'The distributor holds fewer tokens than its list still owes.',
    'В контракте меньше токенов, чем по списку ещё причитается.',
  ),
  distributor_reorganised: text(
    409,
    'The block in which this was seen is no longer on the chain. Look again and ask anew.',
    'Блока, в котором это было видно, больше нет в цепочке. Проверьте ещё раз и начните заново.',
  ),
  round_empty: text(
    409,
    'Nobody with an address holds tokens of this cut.',
    'Ни у кого с указанным адресом нет токенов до этой границы.',
  ),
  soft_cap_open: text(
    409,
    'The soft cap is not reached: this money may still go back.',
    'Минимальный объём не набран: эти деньги ещё могут вернуться покупателям.',
  ),
  refund_address_ours: text(
    422,
    'This is an address of the seller. Enter one of your own.',
    'Это адрес продавца. Укажите свой собственный.',
  ),
  private_key_refused: text(
    422,
    'This is a private key. It is never needed here; treat it as exposed.',
    'Это приватный ключ. Он здесь не нужен; считайте его раскрытым.',
  ),
  rates_unavailable: text(503, 'Failed to fetch crypto rates', 'Не удалось получить курсы криптовалют'),
  setting_locked: text(
    409,
    'After the first approved order this may not be changed that way.',
    'После первого одобренного заказа это так менять нельзя.',
  ),
  user_unknown: text(404, 'There is no such user.', 'Такого пользователя нет.'),
  grant_unknown: text(404, 'There is no such grant.', 'Такого начисления нет.'),
  already_reversed: text(409, 'This was reversed already.', 'Это уже отменено.'),

  // campaign, content and integrations, as operators edit them
  stages_overlap: text(409, 'Stages may not overlap.', 'Этапы не могут пересекаться.'),
  stage_in_use: text(
    409,
    'Quotes or orders name this stage already.',
    'На этот этап уже есть расчёты или заказы.',
  ),
  reason_required: text(
    422,
    'Give a reason that everybody may read.',
    'Укажите причину, которую увидят все.',
  ),
  upload_type_refused: text(
    422,
    'Only PDF, PNG, JPEG and WebP files are taken.',
    'Принимаются только файлы PDF, PNG, JPEG и WebP.',
  ),
  uploads_full: text(
    409,
    'No more files can be kept. Remove documents or pictures first: what nothing uses is deleted after a day.',
    'Больше файлов хранить нельзя. Сначала удалите документы или картинки: то, что нигде не используется, удаляется через сутки.',
  ),
  upload_unreadable: text(
    422,
    'This file is damaged or is not what it says.',
    'Файл повреждён или не того типа.',
  ),
  upload_unknown: text(404, 'There is no such file.', 'Такого файла нет.'),
  text_required: text(
    422,
    'Write the text in at least one language.',
    'Напишите текст хотя бы на одном языке.',
  ),
  key_exists: text(409, 'This key is on that location already.', 'Этот ключ уже есть на этой странице.'),
  location_refused: text(
    422,
    'Analytics never run on order or operator pages.',
    'Аналитика не работает на страницах заказов и операторов.',
  ),
  action_decided: text(409, 'This was decided already.', 'Это решение уже принято.'),
  action_own: text(409, 'Another operator has to confirm this.', 'Это должен подтвердить другой оператор.'),
  action_related: text(
    409,
    'One of you two made the other’s one-time link within the last 7 days, or one person began both: somebody else has to confirm this.',
    'За последние 7 дней один из вас сделал другому одноразовую ссылку, или обе ссылки начал один человек: подтвердить должен кто-то ещё.',
  ),
  action_expired: text(
    409,
    'This waited too long. Please start it again.',
    'Срок ожидания истёк. Начните заново.',
  ),
  webhook_url_refused: text(
    422,
    'Give an https address on the public internet.',
    'Укажите адрес https в открытом интернете.',
  ),
  push_address_refused: text(
    422,
    'This browser gave an address that nothing can be sent to.',
    'Браузер указал адрес, на который ничего нельзя отправить.',
  ),
  push_devices_full: text(
    409,
    'You have as many browsers with notices as there can be. Remove one first.',
    'У вас уже наибольшее число браузеров с уведомлениями. Сначала удалите один.',
  ),
  busy_exporting: text(
    429,
    'Too many exports are running. Please wait for one to finish.',
    'Слишком много выгрузок сразу. Дождитесь окончания одной из них.',
  ),

  // payments on chains
  account_key_invalid: text(
    422,
    'This is not an account public key (xpub, ypub, zpub and their kin).',
    'Это не публичный ключ аккаунта (xpub, ypub, zpub и подобные).',
  ),
  account_key_network: text(
    422,
    'This account key belongs to another coin or network.',
    'Этот ключ аккаунта относится к другой монете или сети.',
  ),
  wallet_unknown: text(404, 'There is no such wallet.', 'Такого кошелька нет.'),
  wallet_not_checked: text(
    409,
    'Compare the first three addresses with your wallet first.',
    'Сначала сравните первые три адреса со своим кошельком.',
  ),
  wallet_addresses_differ: text(
    409,
    'These addresses are not those of this key. Do not use it.',
    'Эти адреса не соответствуют ключу. Не используйте его.',
  ),
  chain_unknown: text(404, 'No such chain is followed.', 'Такая сеть не отслеживается.'),
  chain_not_followed: text(
    409,
    'This network is not followed yet: configure its node first.',
    'Эта сеть ещё не отслеживается: сначала настройте её узел.',
  ),
  token_decimals: text(
    409,
    'A token with more than 18 decimals cannot be followed.',
    'Токен с более чем 18 знаками после запятой отслеживать нельзя.',
  ),
  payment_unknown: text(404, 'There is no such payment.', 'Такого платежа нет.'),
  payment_state: text(
    409,
    'The payment is not in a state that allows this.',
    'Состояние платежа этого не позволяет.',
  ),
  refund_unknown: text(404, 'There is no such refund.', 'Такого возврата нет.'),
  refund_state: text(409, 'Nothing is left to claim here.', 'Здесь нечего возвращать.'),
  refund_address_fixed: text(
    409,
    'The time in which this address can be changed is over. Write to the seller if it is wrong.',
    'Время, когда этот адрес можно изменить, вышло. Если он неверен, напишите продавцу.',
  ),
  refund_prepared: text(
    409,
    'A refund among these was prepared before. If both files are signed, it is paid twice.',
    'Один из этих возвратов уже подготовлен. Если подписать оба файла, он будет выплачен дважды.',
  ),
  refund_file_unknown: text(404, 'There is no such file of refunds.', 'Такого файла возвратов нет.'),
  refund_too_small: text(
    409,
    'These refunds are too small for a transaction of this network. Take the CSV and pay them another way.',
    'Эти возвраты слишком малы для транзакции этой сети. Возьмите CSV и выплатите их иначе.',
  ),
  refund_funds_missing: text(
    409,
    'The unspent payments of this wallet do not cover these refunds.',
    'Непотраченных платежей этого кошелька не хватает на возвраты.',
  ),
} as const satisfies Record<string, ErrorText>

export type ErrorCode = keyof typeof errorCodes
export const errorCodeNames = Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]
