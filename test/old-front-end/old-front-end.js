/* Old style on purpose: this is how the front ends that exist call the legacy API. */
const api = `${new URLSearchParams(location.search).get('api')}/api/controllers/`
let user = null
let adminToken = null
let cryptos = []
const levels = [
  [50000, 20],
  [5000, 15],
  [1000, 12],
  [500, 10],
  [200, 7],
  [40, 5],
]

const byId = (id) => document.getElementById(id)
const fields = (form) => Object.fromEntries(new FormData(form))
const fail = (message) => {
  byId('error').textContent = message
}

async function call(method, file, body, token) {
  const response = await fetch(api + file, {
    method,
    // The old calls sent JSON as text, which needs no preflight.
    headers: { 'Content-Type': 'text/plain', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const answer = await response.json()
  if (answer.status !== 'success') throw new Error(answer.message)
  return answer
}

byId('register').onsubmit = async (event) => {
  event.preventDefault()
  try {
    const input = fields(event.target)
    const { token } = await call('POST', 'users.php', { type: 'reg', ...input })
    user = (await call('GET', `users.php?token=${token}`)).user
    cryptos = (await call('GET', 'cryptos.php')).data
    byId('buy').elements.currency.replaceChildren(
      ...cryptos.map((crypto) => new Option(crypto.fullName, crypto.currency)),
    )
    byId('buy').hidden = false
  } catch (error) {
    fail(error.message)
  }
}

byId('buy').onsubmit = async (event) => {
  event.preventDefault()
  try {
    const { currency, amount } = fields(event.target)
    const crypto = cryptos.find((one) => one.currency === currency)
    const base = Number(amount)
    const percent = levels.find(([threshold]) => base >= threshold)?.[1] ?? 5
    const bonus = (base * percent) / 100
    const send = (base / Number(crypto.rate)).toFixed(6)
    const { orderToken, address } = await call('POST', 'transactions.php', {
      userToken: user.token,
      cryptoToTransfer: currency,
      amountToTransfer: send,
      address: crypto.address,
      amountToReceive: String(base + bonus),
      bonus: String(bonus),
      email: user.email,
    })
    byId('send').textContent = `${send} ${currency}`
    byId('address').textContent = address
    byId('order').hidden = false
    watch(orderToken)
  } catch (error) {
    fail(error.message)
  }
}

async function watch(orderToken) {
  const { transactions } = await call('GET', `transactions.php?orderToken=${orderToken}`)
  byId('status').textContent = transactions[0].status
  if (transactions[0].status !== 'pending') {
    // The old page read its own list and filtered it by its own token.
    const own = (await call('GET', `transactions.php?token=${user.token}`)).transactions
    if (!own.some((one) => one.user_token === user.token)) fail('own order not found')
    const { user: fresh } = await call('GET', 'users.php', undefined, user.token)
    byId('tokens').textContent = fresh.balance
    byId('bonus').textContent = fresh.bonusTokens
    byId('balance').hidden = false
    return
  }
  setTimeout(() => watch(orderToken), 200)
}

byId('admin').onsubmit = async (event) => {
  event.preventDefault()
  try {
    adminToken = (await call('POST', 'admin.php', fields(event.target))).token
    await listTransactions()
  } catch (error) {
    fail(error.message)
  }
}

async function listTransactions() {
  const { transactions } = await call('GET', 'transactions.php', undefined, adminToken)
  byId('transactions').replaceChildren(
    ...transactions.map((one) => {
      const row = document.createElement('tr')
      const cell = document.createElement('td')
      cell.textContent = `${one.email} ${one.amount_to_transfer} ${one.crypto_to_transfer} ${one.status}`
      const button = document.createElement('button')
      button.textContent = 'Approve payment'
      button.onclick = async () => {
        await call('PUT', 'transactions.php', { id: one.id, status: 'approved' }, adminToken)
        // The old page then credited by itself; the server has done so already and changes nothing.
        const credited = {
          token: one.user_token,
          balance: one.amount_to_receive,
          bonusTokens: one.bonus,
          admin_token: adminToken,
        }
        await call('PUT', 'users.php', credited)
        await listTransactions()
      }
      row.append(cell, button)
      return row
    }),
  )
}
