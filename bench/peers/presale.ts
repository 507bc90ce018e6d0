import { addBuyers, raiseGoal, tokenOf } from '../fill.ts'
import type { Stage } from '../stage.ts'
import type { Line, Peer } from './peer.ts'
import { countOf } from './vendure.ts'

const BUYERS = 20_000

/** This program, with its sale, on a database of its own. */
export async function presale(stage: Stage, byLoopback: (url: string) => string): Promise<Peer> {
  const database = await stage.database('peers')
  await raiseGoal(database.client)
  await addBuyers(database.client, BUYERS)
  const url = byLoopback(database.url)
  return {
    name: 'this one',
    requests: 2,
    reads: { goods: { path: '/api/v1/campaign' }, currencies: { path: '/api/v1/currencies' } },
    start: () => stage.server(database, { environment: { DATABASE_URL: url } }),
    buy,
    orders: () => countOf(database.url, 'select count(*) from orders'),
  }
}

async function buy(line: Line, serial: number): Promise<void> {
  const headers = (part: string) => ({
    authorization: `Bearer ${tokenOf(1 + (serial % BUYERS))}`,
    'idempotency-key': `peers-${part}-${serial}`,
  })
  const wanted = { currency: 'USDT', amount: '40', unit: 'token' }
  const { body: quote } = await line.post('/api/v1/quotes', wanted, headers('quote'))
  const asked = { quoteId: quote.id, acceptTerms: true, ageConfirmed: true }
  await line.post('/api/v1/orders', asked, headers('order'))
}
