import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureChains } from '../../src/server/payments/watchers.ts'
import { ABANDON, accountOf } from '../chains/account-keys.ts'
import { bearer, password, sendJson } from '../support/api.ts'
import { type Staff, startWithOwner } from '../support/staff.ts'

const accountKey = accountOf(ABANDON, "m/84'/2'/0'", 'zpub').publicExtendedKey
let staff: Staff
let whole: string

beforeAll(async () => {
  staff = await startWithOwner({ CHAIN_LITECOIN_RPC_URL: 'http://127.0.0.1:1' })
  await ensureChains(staff.server.context.db, staff.server.context.config.chains)
  await staff.join('sue', 'support')
  const wallet = { family: 'litecoin', name: 'Club', accountKey }
  whole = (await staff.ask('owner', 'POST', '/operator/wallets', wallet)).body.accountKey
})
afterAll(() => staff.close())

const keyWith = async (...scopes: string[]) => {
  const made = await staff.ask('owner', 'POST', '/operator/api-keys', {
    name: 'k',
    scopes,
    proof: { password },
  })
  return (path: string) =>
    sendJson('GET', `${staff.server.url}/api/v1${path}`, undefined, bearer(made.body.key))
}

test('support and a key that reads orders are shown both ends of an account key and no more [RIGHT-27]', async () => {
  const read = await keyWith('orders:read')
  const asked = [await staff.ask('sue', 'GET', '/operator/wallets'), await read('/operator/wallets')]
  for (const { status, body } of asked) {
    expect(status).toBe(200)
    expect(body.items).toMatchObject([{ name: 'Club', accountKey: expect.stringContaining('…') }])
    expect(JSON.stringify(body)).not.toContain(whole)
  }
  expect(JSON.stringify((await staff.ask('owner', 'GET', '/operator/wallets')).body)).toContain(whole)
})

test('a key of an owner reads in the log what its scopes name: money, and what its owner did [RIGHT-27]', async () => {
  const read = await keyWith('audit:read')
  const { body } = await read('/operator/audit?limit=100')
  expect(JSON.stringify(body)).not.toContain(whole)
  const { body: choices } = await read('/operator/audit/choices')
  expect(choices.operators.map(({ login }: { login: string }) => login)).toEqual(['owner'])
  expect(choices.actions).not.toContain('operator.invite')
  const all = (await staff.ask('owner', 'GET', '/operator/audit/choices')).body
  expect(all.actions).toContain('operator.invite')
})
