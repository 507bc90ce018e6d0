// Approves an order with an API key with the scopes orders:read and orders:decide:
// SALE_URL=https://sale.example TOKEN=… node approve.mjs 42
import { Presale } from 'honest-presale-client'

const sale = new Presale({ url: process.env.SALE_URL, token: process.env.TOKEN })
const id = process.argv[2]
const seen = await sale.call('GET /operator/orders/{id}', { path: { id } })
// Decides on the state that was read; fails if somebody else was faster.
const order = await sale.call('POST /operator/orders/{id}/approve', {
  path: { id },
  body: { status: seen.status },
})
console.log(`Order ${order.id}: ${order.status}`)
