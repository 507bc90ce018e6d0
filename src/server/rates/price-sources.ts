import { z } from 'zod'
import { parseExactJson } from '../../shared/exact-json.ts'
import { amountFromUnits } from '../../shared/wallet-links.ts'
import type { Outside } from '../outside/outside.ts'
import { publicFetch, shortAnswer, splitCredentials } from '../outside/outside.ts'
import type { Coin, PriceQuote, PriceSource } from './price-source.ts'

const TIMEOUT_MS = 8_000
const ANSWER_MAX_BYTES = 1024 * 1024

export interface PriceReach {
  /** For a source set on a page: only the public internet is allowed (`publicFetch`). */
  readonly publicOnly?: boolean
  readonly outside?: Outside | undefined
}

type Ask = (path: string, query?: Readonly<Record<string, string>>) => Promise<unknown>

/** Sends requests below an address, keeps its query, turns its credentials into a header. */
function askAt(baseUrl: string, { publicOnly = false, outside }: PriceReach): Ask {
  const { endpoint, headers: credentials } = splitCredentials(baseUrl)
  const headers = { ...credentials, accept: 'application/json' }
  return async (path, query = {}) => {
    const url = new URL(endpoint)
    url.pathname = url.pathname.replace(/\/$/, '') + path
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = publicOnly
      ? await publicFetch(url.href, { headers, signal }, ANSWER_MAX_BYTES, outside)
      : await fetch(url, { headers, signal, redirect: 'error' })
    if (!response.ok) {
      await response.body?.cancel()
      throw new Error(`HTTP ${response.status}`)
    }
    const text = await shortAnswer(response, ANSWER_MAX_BYTES)
    try {
      return parseExactJson(text)
    } catch {
      throw new Error('the answer is no JSON')
    }
  }
}

/** Never contains the address, which may be a secret. */
export function reasonOfSource(error: unknown): string {
  if (error instanceof z.ZodError) return 'the answer has no prices where they belong'
  if (!(error instanceof Error)) return 'failed'
  if (error.name === 'TimeoutError' || error.name === 'AbortError')
    return `no answer within ${TIMEOUT_MS / 1_000} s`
  const { code, message } = (error.cause ?? error) as { code?: unknown; message?: string }
  // The message may contain the host.
  return (typeof code === 'string' ? code : (message ?? error.message)).slice(0, 200)
}

/** Omits a coin that fails; the source fails only if all do. */
async function eachCoin(
  coins: readonly Coin[],
  read: (coin: Coin) => Promise<PriceQuote | null>,
): Promise<Map<string, PriceQuote>> {
  const results = await Promise.allSettled(coins.map(read))
  const quotes = new Map<string, PriceQuote>()
  results.forEach((result, index) => {
    const coin = coins[index]
    if (coin && result.status === 'fulfilled' && result.value) quotes.set(coin.priceId, result.value)
  })
  const failed = results.find((result) => result.status === 'rejected')
  if (quotes.size === 0 && failed) throw failed.reason
  return quotes
}

const simplePrice = z.record(
  z.string(),
  z.object({ usd: z.string().optional(), last_updated_at: z.string().optional() }),
)

export function createCoinGecko(baseUrl: string, reach: PriceReach = {}): PriceSource {
  const ask = askAt(baseUrl, reach)
  return {
    name: 'coingecko',
    async read(coins) {
      const query = {
        ids: [...new Set(coins.map((coin) => coin.priceId))].join(','),
        vs_currencies: 'usd',
        include_last_updated_at: 'true',
      }
      const answer = simplePrice.parse(await ask('/simple/price', query))
      return new Map(
        Object.entries(answer).flatMap(([id, { usd, last_updated_at }]) =>
          usd === undefined
            ? []
            : [
                [
                  id,
                  {
                    priceUsd: usd,
                    at: last_updated_at ? new Date(Number(last_updated_at) * 1000) : new Date(),
                  },
                ] as const,
              ],
        ),
      )
    },
  }
}

const krakenTicker = z.object({
  error: z.array(z.string()),
  result: z.record(z.string(), z.object({ c: z.array(z.string()).min(1) })).optional(),
})
const krakenCodes: Record<string, string> = { BTC: 'XBT', DOGE: 'XDG' }

export function createKraken(baseUrl: string, reach: PriceReach = {}): PriceSource {
  const ask = askAt(baseUrl, reach)
  return {
    name: 'kraken',
    read: (coins) =>
      eachCoin(coins, async (coin) => {
        const pair = `${krakenCodes[coin.code] ?? coin.code}USD`
        const answer = krakenTicker.parse(await ask('/0/public/Ticker', { pair }))
        const price = Object.values(answer.result ?? {})[0]?.c[0]
        return price === undefined ? null : { priceUsd: price, at: new Date() }
      }),
  }
}

const spotPrice = z.object({ data: z.object({ amount: z.string() }) })

export function createCoinbase(baseUrl: string, reach: PriceReach = {}): PriceSource {
  const ask = askAt(baseUrl, reach)
  return {
    name: 'coinbase',
    read: (coins) =>
      eachCoin(coins, async (coin) => {
        const answer = spotPrice.parse(await ask(`/v2/prices/${encodeURIComponent(`${coin.code}-USD`)}/spot`))
        return { priceUsd: answer.data.amount, at: new Date() }
      }),
  }
}

/** The proxies of Chainlink's USD feeds on Ethereum's main network (docs.chain.link). */
export const chainlinkFeeds: Readonly<Record<string, string>> = {
  BTC: '0xF4030086522a5bEEa4988F8cA5B36dbC97BeE88c',
  ETH: '0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419',
  LINK: '0x2c1d072e956AFFC0D435Cb7AC38EF18d24d9127c',
  USDT: '0x3E7d1eAB13ad0104d2750B8863b489D65364e32D',
  USDC: '0x8fFfFfd4AfB6115b954Bd326cbe7B4BA576818f6',
  DAI: '0xAed0c38402a5d19df6E4c03F4E2DceD6e29c1ee9',
}
/** Selector of `latestRoundData()`; its answer has 5 words: round, answer, started, updated, answered in. */
const LATEST_ROUND = '0xfeaf968c'
const CHAINLINK_DECIMALS = 8

interface Rpc {
  call<T>(method: string, ...params: unknown[]): Promise<T>
}

/** Reads the feeds through an Ethereum node. Their own time counts, so an idle feed goes stale. */
export function createChainlink(
  rpc: Rpc,
  feeds: Readonly<Record<string, string>> = chainlinkFeeds,
): PriceSource {
  return {
    name: 'chainlink',
    read: (coins) =>
      eachCoin(
        coins.filter((coin) => feeds[coin.code] !== undefined),
        async (coin) => {
          const answer = await rpc.call<string>(
            'eth_call',
            { to: feeds[coin.code], data: LATEST_ROUND },
            'latest',
          )
          if (!/^0x[0-9a-f]{320}$/i.test(answer)) throw new Error('not a price feed')
          const word = (index: number) => BigInt(`0x${answer.slice(2 + 64 * index, 66 + 64 * index)}`)
          const price = BigInt.asIntN(256, word(1))
          if (price <= 0n) throw new Error('the feed says a price that is not positive')
          return {
            priceUsd: amountFromUnits(price, CHAINLINK_DECIMALS),
            at: new Date(Number(word(3)) * 1000),
          }
        },
      ),
  }
}
