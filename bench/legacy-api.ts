import { addBuyers, emptyOrders, raiseGoal, tokenOf } from './fill.ts'
import { median, type Row, shown } from './rows.ts'
import type { Stage } from './stage.ts'
import { wrk } from './wrk.ts'

const BUYERS = 20_000
const CLIENTS = 16
const ADDRESS = '0x000000000000000000000000000000000000dEaD'

const LISTS = ['/api/v1/currencies', '/api/controllers/cryptos.php']

type Purchase = (url: string, buyer: number) => Promise<void>

async function post(
  url: string,
  path: string,
  buyer: number,
  body: object,
): Promise<Record<string, unknown>> {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokenOf(buyer)}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as Record<string, unknown>
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`)
  return answer
}

const byOwnApi: Purchase = async (url, buyer) => {
  const asked = { currency: 'USDT', amount: '40', unit: 'token', acceptTerms: true, ageConfirmed: true }
  await post(url, '/api/v1/orders', buyer, asked)
}

/** A purchase by the legacy API. */
const byContract: Purchase = async (url, buyer) => {
  await post(url, '/api/controllers/transactions.php', buyer, {
    userToken: tokenOf(buyer),
    cryptoToTransfer: 'USDT',
    amountToTransfer: '180',
    address: ADDRESS,
    amountToReceive: '42',
    bonus: '2',
    email: `buyer${buyer}@example.org`,
  })
}

/** The rate of clients without pauses. */
async function purchasesPerSecond(url: string, purchase: Purchase, seconds: number): Promise<number> {
  const endsAt = performance.now() + seconds * 1000
  const startedAt = performance.now()
  let done = 0
  const client = async (first: number) => {
    for (let buyer = first; performance.now() < endsAt; buyer += CLIENTS) {
      await purchase(url, 1 + (buyer % BUYERS))
      done += 1
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(index)))
  return done / ((performance.now() - startedAt) / 1000)
}

/** The legacy API against `/api/v1`: a purchase, and the list of currencies. */
export async function measure(stage: Stage): Promise<Row[]> {
  const rounds = stage.quick ? 2 : 5
  const seconds = stage.quick ? 3 : 5
  const database = await stage.database('legacy')
  await raiseGoal(database.client)
  await addBuyers(database.client, BUYERS)
  const server = await stage.server(database)
  try {
    const purchases: number[] = []
    const lists: number[] = []
    const notes: string[] = []
    // Before the purchases, whose mails go out seconds later and would slow this.
    for (let round = 0; round < rounds; round += 1) {
      const perSecond: number[] = []
      for (const side of round % 2 === 0 ? [0, 1] : [1, 0]) {
        const url = server.url + (LISTS[side] ?? '')
        const { perSecond: rate } = await wrk({ url, connections: CLIENTS, seconds: Math.min(3, seconds) })
        perSecond[side] = rate
      }
      lists.push((perSecond[1] ?? 0) / (perSecond[0] ?? 0))
    }
    for (let round = 1; round <= rounds; round += 1) {
      await emptyOrders(database.client)
      const own = await purchasesPerSecond(server.url, byOwnApi, seconds)
      const contract = await purchasesPerSecond(server.url, byContract, seconds)
      purchases.push(contract / own)
      notes.push(`${shown(contract, 0)} against ${shown(own, 0)} a second`)
    }
    const row = (what: string, values: number[], note: string): Row => ({
      what,
      target: '≥ 0.90',
      measured: shown(median(values)),
      passed: median(values) >= 0.9,
      runs: rounds,
      values,
      notes: note,
    })
    return [
      row('a purchase by the legacy API ÷ the same by /api/v1', purchases, notes.at(-1) ?? ''),
      row('list of currencies by the legacy API ÷ by /api/v1', lists, ''),
    ]
  } finally {
    await server.stop()
  }
}
