import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { ensureChains } from '../../src/server/payments/watchers.ts'
import { ABANDON, accountOf } from '../chains/account-keys.ts'
import { type Staff, startWithOwner } from '../support/staff.ts'

const accountKey = accountOf(ABANDON, "m/84'/2'/0'", 'zpub').publicExtendedKey
let staff: Staff

beforeAll(async () => {
  staff = await startWithOwner({ CHAIN_LITECOIN_RPC_URL: 'http://127.0.0.1:1' })
  await ensureChains(staff.server.context.db, staff.server.context.config.chains)
  await staff.join('fin', 'finance')
  await staff.join('other', 'owner')
  await staff.forgetLinks()
  await staff.wantTwo()
})
afterAll(() => staff.close())

test('one finance operator can’t have payments sent to an account key of their own [TWO-18]', async () => {
  const wallet = { family: 'litecoin', name: 'Mine', accountKey }
  const asked = await staff.ask('fin', 'POST', '/operator/wallets', wallet)
  expect([asked.status, asked.code]).toEqual([409, 'second_operator_required'])
  expect((await staff.ask('fin', 'GET', '/operator/wallets')).body.items).toEqual([])

  // The second operator sees the key and its addresses.
  const [waiting] = (await staff.ask('other', 'GET', '/operator/approval-requests?state=waiting')).body.items
  expect(waiting.summary).toMatchObject({ wallet: 'Mine', network: 'litecoin' })
  expect(waiting.summary.addresses).toContain('ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh')
  expect((await staff.ask('fin', 'POST', `/operator/approval-requests/${waiting.id}/confirm`)).code).toBe(
    'approval_own',
  )
  expect((await staff.ask('other', 'POST', `/operator/approval-requests/${waiting.id}/confirm`)).status).toBe(
    200,
  )

  // To put a currency on it, or off it again, takes two as well.
  const [{ id, firstAddresses }] = (await staff.ask('fin', 'GET', '/operator/wallets')).body.items
  await staff.ask('fin', 'POST', `/operator/wallets/${id}/check`, { addresses: firstAddresses })
  for (const walletId of [id, null]) {
    await staff.server.database.db.query(
      sql`update currencies set watched = ${walletId === null}, wallet_id = ${id} where code = 'LTC'`,
    )
    const moved = await staff.ask('fin', 'PUT', '/operator/currencies/LTC/wallet', { walletId })
    expect([moved.status, moved.code]).toEqual([409, 'second_operator_required'])
  }
})
