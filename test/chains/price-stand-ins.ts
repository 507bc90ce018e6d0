import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Fakes CoinGecko, Kraken and Coinbase on one port, with settable prices in their real formats. */
export async function startPriceServices() {
  const prices = new Map<string, string>()
  const down = new Set<string>()
  const price = (service: string, code: string) => prices.get(`${service}:${code}`)

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const service = url.pathname.split('/')[1] ?? ''
    const send = (status: number, body: unknown) => {
      response.statusCode = status
      response.setHeader('content-type', 'application/json')
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    }
    if (down.has(service)) return send(503, {})
    if (service === 'coingecko') {
      const at = Math.floor(Date.now() / 1000)
      const entries = (url.searchParams.get('ids') ?? '').split(',').flatMap((id) => {
        const usd = price(service, id)
        return usd === undefined ? [] : [`"${id}":{"usd":${usd},"last_updated_at":${at}}`]
      })
      return send(200, `{${entries.join(',')}}`)
    }
    if (service === 'kraken') {
      const pair = url.searchParams.get('pair') ?? ''
      const last = price(service, pair)
      return send(
        200,
        last === undefined
          ? { error: ['EQuery:Unknown asset pair'] }
          : { error: [], result: { [`X${pair}`]: { c: [last, '1'] } } },
      )
    }
    const amount = price('coinbase', url.pathname.split('/')[4] ?? '')
    return amount === undefined
      ? send(404, { errors: [{ id: 'not_found' }] })
      : send(200, { data: { amount, currency: 'USD' } })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    coingecko: `${base}/coingecko`,
    kraken: `${base}/kraken`,
    coinbase: `${base}/coinbase`,
    say: (service: string, code: string, usd: string) => prices.set(`${service}:${code}`, usd),
    fail: (service: string, isDown: boolean) => (isDown ? down.add(service) : down.delete(service)),
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}
