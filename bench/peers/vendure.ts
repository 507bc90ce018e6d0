import { Client } from 'pg'
import { run, startServer } from '../machine.ts'
import { install, NO_TELEMETRY } from './install.ts'
import type { Answer, Line, Peer } from './peer.ts'

const VERSION = '3.7.3'
const VARIANTS = 13

const ADD = `mutation($variant: ID!) {
  addItemToOrder(productVariantId: $variant, quantity: 1) { ... on Order { id } ... on ErrorResult { message } }
}`

/** A shop's pages send these one by one; here they go as one request, the fewest that it allows. */
const CHECK_OUT = `mutation($buyer: CreateCustomerInput!, $address: CreateAddressInput!) {
  setCustomerForOrder(input: $buyer) { ... on ErrorResult { message } }
  setOrderShippingAddress(input: $address) { ... on ErrorResult { message } }
  setOrderShippingMethod(shippingMethodId: [1]) { ... on ErrorResult { message } }
  transitionOrderToState(state: "ArrangingPayment") { ... on ErrorResult { message } }
  addPaymentToOrder(input: { method: "paid-at-once", metadata: {} }) {
    ... on Order { code state totalWithTax } ... on ErrorResult { message }
  }
}`

const ADDRESS = {
  fullName: 'A Buyer',
  streetLine1: 'Street 1',
  city: 'Berlin',
  postalCode: '10115',
  countryCode: 'DE',
}

const read = (query: string) => ({
  path: `/shop-api?query=${encodeURIComponent(query)}`,
  headers: { 'apollo-require-preflight': 'true' },
})

/** Vendure with a shop of thirteen products on `databaseUrl`, an empty database. */
export async function vendure(databaseUrl: string, password: string): Promise<Peer> {
  const folder = await install({
    name: 'vendure',
    packages: { '@vendure/core': VERSION, pg: '8.23.1' },
    files: { 'vendure.mjs': 'vendure.mjs' },
  })
  const environment = {
    ...NO_TELEMETRY,
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    PEER_PASSWORD: password,
  }
  const filled = await run(process.execPath, [`${folder}/vendure.mjs`, 'fill'], environment)
  if (filled.status !== 0) throw new Error(`Vendure was not filled: ${filled.out}`)
  return {
    name: `Vendure ${VERSION}`,
    requests: 2,
    reads: {
      goods: read(
        '{products(options:{take:12}){totalItems items{id name slug description variants{id name priceWithTax currencyCode}}}}',
      ),
      currencies: read('{activeChannel{defaultCurrencyCode availableCurrencyCodes}}'),
    },
    start: () =>
      startServer({
        command: [process.execPath, 'vendure.mjs', 'serve'],
        cwd: folder,
        readyPath: '/health',
        environment,
      }),
    buy,
    orders: () => countOf(databaseUrl, `select count(*) from "order" where state = 'PaymentSettled'`),
  }
}

async function buy(line: Line, serial: number): Promise<void> {
  const variant = String(1 + (serial % VARIANTS))
  const added = done(await line.post('/shop-api', { query: ADD, variables: { variant } }))
  const buyer = { firstName: 'A', lastName: 'Buyer', emailAddress: `buyer${serial}@example.org` }
  const token = String(added.headers['vendure-auth-token'])
  const asked = { query: CHECK_OUT, variables: { buyer, address: ADDRESS } }
  const { body } = done(await line.post('/shop-api', asked, { authorization: `Bearer ${token}` }))
  if (body.data.addPaymentToOrder.state !== 'PaymentSettled') throw new Error(JSON.stringify(body))
}

/** GraphQL answers a refusal with 200. */
function done(answer: Answer): Answer {
  const said = JSON.stringify(answer.body)
  if (answer.body.errors || said.includes('"message"')) throw new Error(said.slice(0, 500))
  return answer
}

export async function countOf(databaseUrl: string, text: string): Promise<number> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ count: string }>(text).finally(() => client.end())
  return Number(rows[0]?.count)
}
