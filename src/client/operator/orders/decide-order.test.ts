import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { decideOrder, NeverArrived } from './DecideOrder.tsx'

vi.mock('@lingui/react/macro', () => ({ Trans: () => null, useLingui: () => ({ t: String }) }))
vi.mock('@lingui/core/macro', () => ({ t: String, msg: String, plural: String }))

const rejected = {
  id: 5,
  status: 'rejected',
  detail: 'rejected_by_operator',
  watched: false,
  hidden: false,
  actions: ['reject'],
  events: [],
  currency: 'LTC',
  cryptoAmount: '2',
}

vi.stubGlobal('document', { documentElement: { lang: 'en' }, cookie: '' })
vi.stubGlobal('location', new URL('http://localhost/'))
test('what came later for a rejected order, whose report never arrived, is not said to have happened', async () => {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (input: unknown, init?: RequestInit) => {
    const request =
      input instanceof Request ? input : new Request(new URL(String(input), 'http://localhost'), init)
    asked.push(`${request.method} ${new URL(request.url).pathname}`)
    if (request.method === 'POST') throw new TypeError('connection reset')
    return new Response(JSON.stringify(rejected), {
      status: 200,
      headers: { 'content-type': 'application/json' },
    })
  })
  const outcome = await decideOrder(new QueryClient(), {
    decision: 'reject',
    order: rejected as never,
    reason: '',
    came: '2',
  }).catch((error: unknown) => error)
  expect(outcome).toBeInstanceOf(NeverArrived)
})

test('a field that was emptied does not stand for the whole amount', async () => {
  let body = ''
  vi.stubGlobal('fetch', async (input: unknown, init?: RequestInit) => {
    body = String(init?.body ?? (input as Request).body)
    return new Response(JSON.stringify(rejected), {
      status: 200,
      headers: { 'content-type': 'application/json' },
    })
  })
  await decideOrder(new QueryClient(), {
    decision: 'reject',
    order: { ...rejected, status: 'approved' } as never,
    reason: '',
    came: '',
  })
  expect(JSON.parse(body)).toHaveProperty('came')
})
