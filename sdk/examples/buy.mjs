// Orders tokens for a signed-in buyer and prints where to pay:
// SALE_URL=https://sale.example TOKEN=… node buy.mjs BTC 200 EE
import { Presale, PresaleRefusal } from 'honest-presale-client'

const [currency, amount, country] = process.argv.slice(2)
const sale = new Presale({ url: process.env.SALE_URL, token: process.env.TOKEN })

try {
  const asked = { currency, amount, unit: 'token' }
  const { rate, priceUsd } = await sale.call('POST /orders/preview', { body: asked })
  const campaign = await sale.call('GET /campaign')
  // An order accepts the current texts and declares country and age: ask the buyer before.
  console.log(`Terms ${campaign.legalVersions.terms}, risks ${campaign.legalVersions.risks}`)
  const order = await sale.call('POST /orders', {
    body: {
      ...asked,
      // Fails with `price_changed` if the price changed.
      shown: { rate, priceUsd },
      acceptTerms: true,
      termsVersion: campaign.legalVersions.terms,
      risksVersion: campaign.legalVersions.risks,
      country,
      ageConfirmed: true,
    },
  })
  console.log(`Order ${order.number}: send ${order.cryptoAmount} ${currency} to ${order.address}`)
} catch (error) {
  if (!(error instanceof PresaleRefusal)) throw error
  console.error(`${error.code}: ${error.message}`)
  process.exitCode = 1
}
