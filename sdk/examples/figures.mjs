// Reads the public data; the same lines work on a page of another site:
// SALE_URL=https://sale.example node figures.mjs
import { Presale } from 'honest-presale-client'

const sale = new Presale({ url: process.env.SALE_URL })
const { settings, priceUsd } = await sale.call('GET /campaign')
console.log(`1 ${settings.symbol} costs $${priceUsd}`)
