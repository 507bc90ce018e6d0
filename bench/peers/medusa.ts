import { join } from 'node:path'
import { run, startServer } from '../machine.ts'
import { install, NO_TELEMETRY } from './install.ts'
import type { Line, Peer } from './peer.ts'
import { countOf } from './vendure.ts'

const VERSION = '2.21.2'

/** What a storefront needs to know, as medusa-fill.cjs says it. */
interface Shop {
  readonly key: string
  readonly region: string
  readonly shipping: string
  readonly variants: readonly string[]
}

const ADDRESS = {
  first_name: 'A',
  last_name: 'Buyer',
  address_1: 'Street 1',
  city: 'Berlin',
  postal_code: '10115',
  country_code: 'de',
}

/** Medusa with a shop of thirteen products on `databaseUrl`, an empty database. */
export async function medusa(databaseUrl: string, password: string): Promise<Peer> {
  const folder = await install({
    name: 'medusa',
    packages: { '@medusajs/medusa': VERSION, '@medusajs/framework': VERSION, '@medusajs/cli': VERSION },
    files: { 'medusa-config.cjs': 'medusa-config.js', 'medusa-fill.cjs': 'fill.js' },
  })
  const cli = join(folder, 'node_modules/@medusajs/cli/cli.js')
  const environment = {
    ...NO_TELEMETRY,
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    PEER_PASSWORD: password,
  }
  const call = async (...args: string[]) => {
    const { out, status } = await run(process.execPath, [cli, ...args], environment, folder)
    if (status !== 0) throw new Error(`medusa ${args.join(' ')}: ${out}`)
    return out
  }
  await call('db:migrate')
  const shop = JSON.parse(/^SHOP (.*)$/m.exec(await call('exec', './fill.js'))?.[1] ?? '') as Shop
  const headers = { 'x-publishable-api-key': shop.key }
  const fields = 'id,title,handle,description,variants.id,variants.title,*variants.calculated_price'
  return {
    name: `Medusa ${VERSION}`,
    requests: 5,
    reads: {
      goods: { path: `/store/products?limit=12&region_id=${shop.region}&fields=${fields}`, headers },
      currencies: { path: '/store/regions?fields=id,currency_code', headers },
    },
    start: () =>
      startServer({
        command: [process.execPath, cli, 'start', '--host', '127.0.0.1'],
        cwd: folder,
        readyPath: '/health',
        environment,
      }),
    buy: (line, serial) => buy(line, shop, headers, serial),
    orders: () => countOf(databaseUrl, 'select count(*) from "order"'),
  }
}

async function buy(line: Line, shop: Shop, headers: Record<string, string>, serial: number): Promise<void> {
  const post = async (path: string, body: object) => (await line.post(`/store${path}`, body, headers)).body
  const { cart } = await post('/carts?fields=id', {
    region_id: shop.region,
    email: `buyer${serial}@example.org`,
    items: [{ variant_id: shop.variants[serial % shop.variants.length], quantity: 1 }],
    shipping_address: ADDRESS,
  })
  await post(`/carts/${cart.id}/shipping-methods?fields=id`, { option_id: shop.shipping })
  const { payment_collection: payment } = await post('/payment-collections?fields=id', { cart_id: cart.id })
  await post(`/payment-collections/${payment.id}/payment-sessions?fields=id`, {
    provider_id: 'pp_system_default',
  })
  const made = await post(`/carts/${cart.id}/complete?fields=id`, {})
  if (made.type !== 'order') throw new Error(JSON.stringify(made).slice(0, 300))
}
