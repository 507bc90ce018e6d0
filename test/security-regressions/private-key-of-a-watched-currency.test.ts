import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { type Staff, startWithOwner } from '../support/staff.ts'

const key = '4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318'
let staff: Staff

beforeAll(async () => {
  staff = await startWithOwner({ LEGACY_API: 'on' })
  await staff.server.database.db.query(
    sql`with wallet as (
          insert into wallets (family, name, account_key, script, net) values ('bitcoin', 'Club', 'xpub', 'p2wpkh', 'main') returning id)
        update currencies set watched = true, wallet_id = wallet.id from wallet where code = 'DOGE'`,
  )
})
afterAll(() => staff.close())

/** Searches every row of every table as text. */
async function isKept(text: string): Promise<boolean> {
  const { db } = staff.server.database
  const { found } = await db.one<{ found: boolean }>(
    sql`select coalesce(bool_or(position(${text} in
                 query_to_xml(format('select t::text as row from %I t', tablename), true, true, '')::text) > 0), false) as found
          from pg_tables where schemaname = current_schema()`,
  )
  return found
}

test('a private key for a watched currency is kept nowhere, whether it waits or not [WALLET-2]', async () => {
  for (const wanted of [false, true]) {
    await staff.server.database.db.query(
      sql`update campaign set settings = jsonb_set(settings, '{secondOperator}', to_jsonb(${wanted}::boolean))`,
    )
    for (const change of [{ address: key }, { tokenContract: `0x${key}` }, { priceId: key }]) {
      const { revision } = (await staff.ask('owner', 'GET', '/operator/currencies')).body.items.find(
        (item: { code: string }) => item.code === 'DOGE',
      )
      const answer = await staff.ask('owner', 'PUT', '/operator/currencies/DOGE', { revision, ...change })
      expect([answer.status, answer.code]).toEqual([422, 'private_key_refused'])
    }
  }
  expect(await isKept(key)).toBe(false)
  expect(await isKept('p2wpkh')).toBe(true)
})

test('what is typed for a watched currency has to be an address, because it is published without the wallet [WALLET-1]', async () => {
  const answer = await staff.ask('owner', 'PUT', '/operator/currencies/DOGE', { address: 'not an address' })
  expect(answer.status).toBe(422)
})
