// Receives webhooks and processes every event once and in order, also those whose webhook got lost:
// SALE_URL=https://sale.example TOKEN=… WEBHOOK_SECRET=whsec_… PORT=8080 node receive-webhooks.mjs
import { createServer } from 'node:http'
import { Presale } from 'honest-presale-client'
import { EventReader } from 'honest-presale-client/events'
import { readWebhook, WebhookRefusal } from 'honest-presale-client/webhooks'

const { SALE_URL, TOKEN, WEBHOOK_SECRET, PORT } = process.env
const sale = new Presale({ url: SALE_URL, token: TOKEN })
// A shop stores the number in its database, in the transaction of the event's effect.
const reader = new EventReader(sale, 0, (event) => console.log(event.number, event.type))

createServer(async (request, response) => {
  try {
    const parts = []
    for await (const part of request) parts.push(part)
    const event = await readWebhook(WEBHOOK_SECRET, request.headers, Buffer.concat(parts).toString())
    await reader.notice(event)
    response.writeHead(204).end()
  } catch (error) {
    // Without a 2xx the webhook is sent again for a day.
    response.writeHead(error instanceof WebhookRefusal ? 400 : 503).end()
  }
}).listen(Number(PORT), '127.0.0.1', () => console.log('listening'))
