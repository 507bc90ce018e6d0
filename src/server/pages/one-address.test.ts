import { request } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { startServer } from '../../../test/support/server.ts'
import { accountPages, buyerPages, operatorPages } from '../../shared/pages.ts'

const server = await startServer({}, { jobs: false })
afterAll(() => server.close())

/** Sends the address unchanged: `fetch` would normalise it. */
const ask = (path: string, method = 'GET') =>
  new Promise<{ status: number; to: string | undefined }>((resolve, reject) => {
    const asked = request(server.url, { path, method }, (answer) => {
      answer.resume()
      resolve({ status: answer.statusCode ?? 0, to: answer.headers.location })
    })
    asked.on('error', reject).end()
  })

const below = (area: string, pages: readonly string[]) =>
  pages.map((page) => [area, page.replace(':id', '1')].filter(Boolean).join('/'))
const addresses = [
  ...below('', Object.values(accountPages)),
  ...below('ru', Object.values(accountPages)),
  ...below('dashboard', Object.values(buyerPages)),
  'operator',
  ...below(
    'operator/dashboard',
    Object.values(operatorPages).map(({ path }) => path),
  ),
  ...below('', ['updates', 'reserves', 'transparency', 'giveaway/rules', 'claim', 'verify']),
  ...below('ru', ['', 'updates', 'reserves']),
]

test.each(addresses)('/%s/ leads to the address without the slash', async (address) => {
  expect(await ask(`/${address}/`)).toEqual({ status: 301, to: `/${address}` })
  expect((await ask(`/${address}`)).status).not.toBe(404)
})

test('the query goes along, and one redirect is enough', async () => {
  expect(await ask('/updates///?words=a%2Fb%20c&after=/')).toEqual({
    status: 301,
    to: '/updates?words=a%2Fb%20c&after=/',
  })
  expect(await ask('/updates/', 'HEAD')).toEqual({ status: 301, to: '/updates' })
})

test.each([
  ['//elsewhere.example/', 'GET'],
  ['/\\elsewhere.example/', 'GET'],
  ['///elsewhere.example/', 'GET'],
  ['//', 'GET'],
  ['/api/v1/campaign/', 'GET'],
  ['/login/', 'POST'],
])('%s by %s leads nowhere', async (path, method) => {
  const { status, to } = await ask(path, method)
  expect(to).toBeUndefined()
  expect(status).toBeGreaterThanOrEqual(400)
})

test('the start page keeps its slash', async () => {
  expect(await ask('/')).toEqual({ status: 200, to: undefined })
})
