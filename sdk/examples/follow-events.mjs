// Prints every event once, even after a stop of days, with an API key with the scope events:read:
// SALE_URL=https://sale.example TOKEN=… node follow-events.mjs last-number.txt
import { readFile, writeFile } from 'node:fs/promises'
import { Presale } from 'honest-presale-client'
import { eventsOf } from 'honest-presale-client/events'

const sale = new Presale({ url: process.env.SALE_URL, token: process.env.TOKEN })
const file = process.argv[2]
const kept = await readFile(file, 'utf8').catch(() => undefined)
for await (const event of eventsOf(sale, { after: kept && Number(kept) })) {
  console.log(event.number, event.type, JSON.stringify(event.data))
  await writeFile(file, String(event.number))
}
