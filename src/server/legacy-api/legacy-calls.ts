export interface LegacyCall {
  readonly call: string
  readonly who: string
  readonly takes: string
  readonly answers: string
}

export const legacyCalls: readonly LegacyCall[] = [
  {
    call: 'POST users.php',
    who: 'anyone',
    takes: 'type=login, email, pass (code with the second factor)',
    answers: 'status, user.token, user.email',
  },
  {
    call: 'POST users.php',
    who: 'anyone',
    takes: 'type=reg, name, email, phone, pass',
    answers: 'status, token',
  },
  {
    call: 'GET users.php',
    who: 'buyer: Bearer or ?token=',
    takes: '',
    answers: 'user: id, name, email, phone_number, balance, bonusTokens, created_at, token',
  },
  {
    call: 'GET users.php',
    who: 'operator: Bearer',
    takes: '',
    answers: 'users, oldest first; token is the public reference',
  },
  {
    call: 'PUT users.php',
    who: 'buyer',
    takes: 'token and name, email, phone_number; or token and pass',
    answers: 'status, message',
  },
  {
    call: 'PUT users.php',
    who: 'operator: Bearer or admin_token',
    takes: 'token, balance, bonusTokens',
    answers: 'success; nothing changes, the approval has credited',
  },
  {
    call: 'PUT users.php',
    who: 'operator: Bearer or admin_token, fresh login',
    takes: 'email, balance',
    answers: 'status, message; adds that many tokens',
  },
  { call: 'GET mainCurrency.php', who: 'anyone', takes: '', answers: 'data: [{id: 1, value}]' },
  {
    call: 'PUT mainCurrency.php',
    who: 'operator: Bearer, fresh login',
    takes: 'id 1, value',
    answers: 'status, message',
  },
  {
    call: 'GET cryptos.php',
    who: 'anyone',
    takes: '',
    answers: 'data: [{id, currency, fullName, rate, address}]; a watched currency has no address here',
  },
  {
    call: 'POST cryptos.php',
    who: 'operator: Bearer, fresh login',
    takes: 'currency, fullName, rate, address',
    answers: 'status, message',
  },
  {
    call: 'PUT cryptos.php',
    who: 'operator: Bearer, fresh login',
    takes: 'one or an array; all or nothing',
    answers: 'status, message, currencies: the whole list',
  },
  {
    call: 'DELETE cryptos.php',
    who: 'operator: Bearer, fresh login',
    takes: 'currency',
    answers: 'status, success, message',
  },
  {
    call: 'POST transactions.php',
    who: 'buyer: Bearer or userToken',
    takes: 'userToken, cryptoToTransfer, amountToTransfer, address, amountToReceive, bonus, email',
    answers:
      'orderToken, address; amounts must be the server’s to one unit of the sixth decimal, at the rate in force, or a feed’s one before it for two minutes',
  },
  {
    call: 'GET transactions.php',
    who: 'operator: Bearer; buyer: Bearer or ?token= (own)',
    takes: '',
    answers:
      'transactions, oldest first; of a buyer the latest 100, and with ?before= an id the 100 before it',
  },
  {
    call: 'GET transactions.php?orderToken=',
    who: 'who holds it',
    takes: '',
    answers: 'transactions: one or none; e-mail masked, user_token empty',
  },
  {
    call: 'PUT transactions.php',
    who: 'operator: Bearer',
    takes: 'id, status (approved, rejected)',
    answers: 'status',
  },
  { call: 'DELETE transactions.php?id=', who: 'operator: Bearer', takes: '', answers: 'status' },
  {
    call: 'POST admin.php',
    who: 'anyone',
    takes: 'login, password (code with the second factor)',
    answers: 'status, token',
  },
  { call: 'GET admin.php', who: 'operator: Bearer', takes: '', answers: '200 or 401' },
  {
    call: 'PUT admin.php',
    who: 'operator',
    takes: 'admin_token, login, oldPassword, newPassword (code with the second factor)',
    answers: 'status, token (new; the old ones end), message',
  },
  { call: 'GET pixels.php', who: 'operator: Bearer', takes: '', answers: 'status, api_keys' },
  {
    call: 'POST / PUT ?id= / DELETE ?api= pixels.php',
    who: 'operator: Bearer',
    takes: 'api_key, api_key_secondary, location; api: the key or its id',
    answers: 'status, id',
  },
]
