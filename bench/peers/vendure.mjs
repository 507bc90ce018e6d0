// Vendure as its guide sets it up, without plugins: `fill` makes a shop, `serve` runs its server. Runs in the folder where it is installed.
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bootstrap, dummyPaymentHandler, LanguageCode } from '@vendure/core'
import { populate } from '@vendure/core/cli/index.js'

const database = new URL(process.env.DATABASE_URL)
const isFilling = process.argv[2] === 'fill'

const config = {
  apiOptions: {
    port: Number(process.env.PORT ?? 0),
    hostname: '127.0.0.1',
    adminApiPath: 'admin-api',
    shopApiPath: 'shop-api',
  },
  authOptions: {
    tokenMethod: 'bearer',
    superadminCredentials: { identifier: 'superadmin', password: process.env.PEER_PASSWORD },
    cookieOptions: { secret: process.env.PEER_PASSWORD },
  },
  dbConnectionOptions: {
    type: 'postgres',
    host: database.searchParams.get('host') ?? database.hostname,
    port: Number(database.port),
    username: database.username,
    password: database.password,
    database: database.pathname.slice(1),
    // As its guide for production says: tables are made once, and not compared at each start.
    synchronize: isFilling,
    logging: false,
  },
  paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler] },
  customFields: {},
  plugins: [],
}

const shop = {
  defaultLanguage: LanguageCode.en,
  defaultZone: 'Europe',
  countries: [{ name: 'Germany', code: 'DE', zone: 'Europe' }],
  taxRates: [{ name: 'Standard Tax', percentage: 20 }],
  shippingMethods: [{ name: 'Standard Shipping', price: 500 }],
  paymentMethods: [
    {
      name: 'Paid at once',
      handler: { code: dummyPaymentHandler.code, arguments: [{ name: 'automaticSettle', value: 'true' }] },
    },
  ],
  collections: [],
}

/** Thirteen products of one variant each, with more of each in stock than is ever ordered. */
function productsFile() {
  const head =
    'name,slug,description,assets,facets,optionGroups,optionValues,sku,price,taxCategory,stockOnHand,trackInventory,variantAssets,variantFacets'
  const lines = Array.from(
    { length: 13 },
    (_, n) => `Product ${n + 1},product-${n + 1},What it is,,,,,sku-${n + 1},10.00,standard,100000000,true,,`,
  )
  const file = join(tmpdir(), `presale-peer-products-${process.pid}.csv`)
  writeFileSync(file, `${[head, ...lines].join('\n')}\n`)
  return file
}

if (isFilling) {
  const app = await populate(() => bootstrap(config), shop, productsFile())
  await app.close()
  process.exit(0)
}
await bootstrap(config)
