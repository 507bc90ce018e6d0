import { z } from 'zod'
import { parseExactJson } from '../../shared/exact-json.ts'
import type { FetchPrices } from './currencies.ts'

const TIMEOUT_MS = 8_000
const answer = z.record(z.string(), z.object({ usd: z.string().optional() }))
const positive = /^(?=.*[1-9])\d{1,30}(\.\d{1,30})?$/

// Rules: RATE-4
/**
 * GET `{base}/simple/price?ids=…&vs_currencies=usd`. Numbers keep the service's digits. Omits unknown coins.
 * Throws for any failure or a price that is not positive.
 */
export function createSimplePrice(baseUrl: string): FetchPrices {
  return async (coins) => {
    const query = new URLSearchParams({
      ids: [...new Set(coins.map(({ priceId }) => priceId))].join(','),
      vs_currencies: 'usd',
    })
    const response = await fetch(`${baseUrl.replace(/\/$/, '')}/simple/price?${query}`, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    })
    if (!response.ok) throw new Error(`the price service answered ${response.status}`)
    const prices = answer.parse(parseExactJson(await response.text()))
    const found = Object.entries(prices).filter(
      (entry): entry is [string, { usd: string }] => entry[1].usd !== undefined,
    )
    for (const [id, { usd }] of found)
      if (!positive.test(usd)) throw new Error(`the price of ${id} is not positive: ${usd}`)
    return new Map(found.map(([id, { usd }]) => [id, usd]))
  }
}
