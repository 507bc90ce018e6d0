import { hash } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { quietUnits } from '../../../test/support/actions.ts'
import { switchOnApp } from '../../../test/support/authenticator-app.ts'
import { addOperator } from '../../../test/support/campaign.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { peopleOf } from '../../../test/support/people.ts'
import { type Database, sql } from '../database/database.ts'
import { countByKey, reseal, sealPlain } from './reseal.ts'
import { rotateSecrets } from './rotate.ts'
import {
  allOfRefundAddress,
  markRefundAddress,
  openAccountKey,
  openInput,
  openName,
  openPhone,
  openRefundAddress,
  openRefundFile,
  Secrets,
  type StoredText,
  sealAccountKey,
  sealRefundAddress,
  storedAccountKey,
  storedInput,
  storedName,
  storedPhone,
  storedRefundAddress,
  storedRefundFile,
} from './secrets.ts'

const OLD = 'the old key of thirty-two letters'
const NEW = 'the new key of thirty-two letters'
const { db } = await createTestDatabase()
const units = quietUnits(db)
const client = { network: '192.0.2.7', userAgent: 'test' }
const email = 'ann@example.org'
const password = 'gravel and violets asleep'

const before = new Secrets({ keys: [OLD] })
const both = new Secrets({ keys: [NEW, OLD] })
const after = new Secrets({ keys: [NEW] })
const peopleUnder = (secrets: Secrets) => peopleOf(db, { secrets, isLimited: true })

const { userId, reference } = await peopleUnder(before).accounts.register(
  { name: 'Ann', phone: '+37255550000', email, password },
  client,
  'browser',
)
const { recoveryCodes } = await switchOnApp({ ...peopleUnder(before), db }, 'user', userId)
await db.query(
  sql`insert into webhooks (url, events, secret_encrypted) overriding system value
      values ('https://example.org', '{order.created}', ${before.encrypt('webhook-secret', 's', '1')})`,
)
await db.query(
  sql`select graphile_worker.add_job('send_mail', json_build_object('kind', 'x',
        'sealed', ${before.encrypt('mail', '{}', 'x').toString('base64')}::text))`,
)

const operatorId = await addOperator(db)
await db.query(
  sql`insert into wallets (id, family, name, account_key_sealed, script, net) overriding system value
      values (1, 'evm', 'Club', ${sealAccountKey(before, 1, 'xpub of the club')}, 'evm', 'main')`,
)
const sealedInput = before.encrypt('approval-request', '{"id":"7"}', '1').toString('base64')
await db.query(
  sql`insert into approval_requests (id, kind, subject_type, subject_id, payload, summary, requested_by) overriding system value
      values (1, 'wallet.add', 'wallet', 'x', ${JSON.stringify({ sealed: sealedInput })}, '{}', ${operatorId})`,
)

// Two refunds to one address.
await db.query(sql`insert into chains (name, family, confirmation_rules) values ('polygon', 'evm', '[]')`)
await db.query(
  sql`insert into currencies (code, full_name, network, rate, address) values ('POL', 'POL', 'polygon', 1, 'a')`,
)
await db.query(
  sql`insert into payments (id, chain, transaction_id, output_key, address, asset, amount, seen_at, confirmations_needed)
      overriding system value values (1, 'polygon', 't', '0', 'a', 'native', 2, now(), 1)`,
)
const address = '0x52908400098527886E0F7030069857D2E4169EE7'
for (const id of ['1', '2'])
  await db.query(
    sql`insert into refunds (id, payment_id, user_id, currency_id, chain, currency, amount, usd, reason, state, address_sealed, address_mark)
        overriding system value select ${id}, 1, ${userId}, id, 'polygon', code, 1, 1, 'surplus', 'claimed',
               ${sealRefundAddress(before, id, address)}, ${markRefundAddress(before, 'polygon', address)} from currencies limit 1`,
  )
await db.query(
  sql`insert into refund_files (id, chain, format, file_name, content_sealed) overriding system value
      values (1, 'polygon', 'csv', 'x.csv', ${before.encrypt('refund-file', 'the lines', '1')})`,
)
/** Which refunds a payment to that address is looked for among. */
const goingTo = async (secrets: Secrets, network: 'polygon' | 'ethereum' = 'polygon', to = address) => {
  const all = allOfRefundAddress(secrets, network, to.toLowerCase())
  const rows = await db.query<{ id: string }>(
    sql`select id from refunds r where goes_to(r, ${all}) order by id`,
  )
  return rows.map(({ id }) => id)
}

const leftOf = async (secrets: Secrets) =>
  Object.fromEntries(
    (await countByKey({ db, secrets }))
      .filter(({ older, other }) => older + other > 0)
      .map(({ name, older, other }) => [name, { older, other }]),
  )

/** What is read of the buyer, of the account key and of what waits. */
async function readUnder(secrets: Secrets) {
  const { name, phone } = await peopleUnder(secrets).accounts.readProfile(userId)
  const wallet = await db.one<{ id: number; account_key: StoredText }>(
    sql`select w.id, ${storedAccountKey} as account_key from wallets w`,
  )
  const action = await db.one<{ id: string; input: StoredText }>(
    sql`select p.id, ${storedInput} as input from approval_requests p`,
  )
  const refund = await db.one<{ id: string; address: StoredText }>(
    sql`select r.id, ${storedRefundAddress} as address from refunds r where id = 2`,
  )
  const file = await db.one<{ id: string; content: StoredText }>(
    sql`select f.id, ${storedRefundFile} as content from refund_files f`,
  )
  return {
    name,
    phone,
    key: openAccountKey(secrets, wallet),
    input: openInput(secrets, action),
    address: openRefundAddress(secrets, refund),
    file: openRefundFile(secrets, file),
  }
}
const stored = {
  name: 'Ann',
  phone: '+37255550000',
  key: 'xpub of the club',
  input: '{"id":"7"}',
  address,
  file: 'the lines',
}

/** The same database, which fails at its so many-th change. */
function failingAt(change: number): Database {
  let left = change
  return new Proxy(db, {
    get: (target, name) => {
      if (name !== 'query') return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name)
      return (statement: { text: string }) => {
        if (statement.text.startsWith('update') && (left -= 1) < 0) throw new Error('killed')
        return target.query(statement as never)
      }
    },
  })
}

const logIn = (secrets: Secrets, code: string | undefined) =>
  peopleUnder(secrets).accounts.logIn({ email, password, code }, client, 'browser')

test('a new key opens and logs in at once, a killed rotation goes on, and then the old key is needed no more [RIGHT-15, RIGHT-18]', async () => {
  expect(await leftOf(both)).toMatchObject({
    'secrets of authenticator apps': { older: 1, other: 0 },
    'recovery codes': { older: 10, other: 0 },
    'passwords of buyers': { older: 1, other: 0 },
    'names of buyers': { older: 1, other: 0 },
    'telephones of buyers': { older: 1, other: 0 },
    'account keys of wallets': { older: 1, other: 0 },
    'addresses for refunds': { older: 2, other: 0 },
    'files of refunds': { older: 1, other: 0 },
    'what waits for a second operator': { older: 1, other: 0 },
    'secrets of webhooks': { older: 1, other: 0 },
    'mails that wait': { older: 1, other: 0 },
  })
  await expect(rotateSecrets({ db: failingAt(2), units, secrets: both })).rejects.toThrow('killed')
  expect(await leftOf(both)).not.toHaveProperty('secrets of authenticator apps')
  expect(await leftOf(both)).toHaveProperty('mails that wait')
  // Half of it is under the new key, half under the old one, and both are known.
  await expect(logIn(both, recoveryCodes[0])).resolves.toMatchObject({ userId })
  // Killed again, between name and telephone; the login has renewed the password.
  await expect(rotateSecrets({ db: failingAt(1), units, secrets: both })).rejects.toThrow('killed')
  expect(await leftOf(both)).not.toHaveProperty('names of buyers')
  expect(await leftOf(both)).toHaveProperty('telephones of buyers')
  expect(await readUnder(both)).toEqual(stored)

  // One refund is sealed and marked anew, the other one is not: both are found under both keys, and nowhere else.
  const one = both.encrypt('refund-address', address, '1')
  const mark = markRefundAddress(both, 'polygon', address)
  await db.query(sql`update refunds set address_sealed = ${one}, address_mark = ${mark} where id = 1`)
  expect(await goingTo(both)).toEqual(['1', '2'])
  expect(await goingTo(before)).toEqual(['2'])
  expect(await goingTo(after)).toEqual(['1'])
  expect(await goingTo(both, 'ethereum')).toEqual([])

  const done = await rotateSecrets({ db, units, secrets: both })
  expect(done.unreadable).toBe(0)
  expect(await leftOf(after)).toEqual({})
  expect(await rotateSecrets({ db, units, secrets: both })).toEqual({ sealed: 0, unreadable: 0 })
  const entries = await db.query(
    sql`select after from audit_log where action = 'secret-key.rotate' and operator_id is null order by id`,
  )
  expect(entries).toHaveLength(4)
  expect(await goingTo(after)).toEqual(['1', '2'])
  expect(await goingTo(before)).toEqual([])
  expect(await readUnder(after)).toEqual(stored)

  await expect(logIn(after, recoveryCodes[1])).resolves.toMatchObject({ userId })
  await expect(logIn(after, recoveryCodes[1])).rejects.toMatchObject({ code: 'second_factor_wrong' })
  expect(after.decrypt('webhook-secret', (await sealedOfWebhook()).sealed, '1')).toBe('s')
})

const sealedOfWebhook = () => db.one<{ sealed: Buffer }>(sql`select secret_encrypted as sealed from webhooks`)

test('what no known key opens stays as it is, is counted, and logs nobody in [RIGHT-15]', async () => {
  const lost = new Secrets({ keys: [OLD] })
  const { unreadable, sealed } = await reseal({ db, secrets: lost })
  expect(sealed).toBe(0)
  expect(unreadable).toBeGreaterThanOrEqual(18)
  expect(await readUnder(lost)).toEqual({
    name: '',
    phone: null,
    key: null,
    input: null,
    address: null,
    file: null,
  })
  await expect(logIn(lost, recoveryCodes[2])).rejects.toMatchObject({ code: 'login_failed' })
  await expect(logIn(after, recoveryCodes[2])).resolves.toMatchObject({ userId })
})

test('what an older program left plain is sealed, and serves before and after', async () => {
  const plain = await hash(password, { memoryCost: 8 * 1024, timeCost: 1, parallelism: 1 })
  const codes = recoveryCodes.slice(3, 5).map((code) => code.replace('-', ''))
  await db.query(sql`update users set password_hash = ${plain} where id = ${userId}`)
  await db.query(sql`delete from recovery_codes`)
  await db.query(
    sql`insert into recovery_codes (user_id, code_hash, created_at)
        select ${userId}::bigint, unnest(${codes.map((code) => after.mac('recovery codes', `user:${userId}:${code}`))}::bytea[]),
               now() - interval '1 day'`,
  )
  await expect(logIn(after, codes[0])).resolves.toMatchObject({ userId })
  await db.query(sql`update users set password_hash = ${plain} where id = ${userId}`)
  expect(await sealPlain({ db, secrets: after })).toEqual({ sealed: 3, unreadable: 0 })
  expect(await sealPlain({ db, secrets: after })).toEqual({ sealed: 0, unreadable: 0 })
  await expect(logIn(after, codes[1])).resolves.toMatchObject({ userId })
})

test('what an older program left clear is newer than the seal beside it, and is sealed once [RIGHT-16]', async () => {
  await db.query(sql`update users set name = 'Ann Lee', phone = '+1 555 0100' where id = ${userId}`)
  await db.query(sql`update wallets set account_key = 'xpub of before', account_key_sealed = null`)
  await db.query(sql`update approval_requests set payload = '{"input": {"id": "8"}}'`)
  const moved = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
  await db.query(
    sql`update refunds set address = ${moved}, address_key = ${moved.toLowerCase()} where id = 2`,
  )
  await db.query(sql`update refund_files set content = 'other lines', content_sealed = null`)
  const clear = {
    name: 'Ann Lee',
    phone: '+1 555 0100',
    key: 'xpub of before',
    address: moved,
    file: 'other lines',
  }
  expect(await goingTo(after, 'polygon', moved)).toEqual(['2'])
  expect(await readUnder(after)).toMatchObject(clear)
  expect(await leftOf(after)).toMatchObject({
    'names of buyers': { other: 1 },
    'telephones of buyers': { other: 1 },
    'account keys of wallets': { other: 1 },
    'what waits for a second operator': { other: 1 },
  })
  await expect(sealPlain({ db: failingAt(2), secrets: after })).rejects.toThrow('killed')
  expect(await readUnder(after)).toMatchObject(clear)
  expect(await sealPlain({ db, secrets: after })).toEqual({ sealed: 4, unreadable: 0 })
  expect(await leftOf(after)).toEqual({})
  expect(await goingTo(after, 'polygon', moved)).toEqual(['2'])
  expect(await goingTo(after)).toEqual(['1'])
  const { input, ...read } = await readUnder(after)
  expect(read).toEqual(clear)
  expect(JSON.parse(input ?? '')).toEqual({ id: '8' })
})

test('one run seals every row of a table of many [RIGHT-15]', async () => {
  await db.query(
    sql`insert into users (email, email_key, name) select n || '@example.org', n || '@example.org', 'Buyer ' || n
          from generate_series(1, 1200) n`,
  )
  expect(await sealPlain({ db, secrets: after })).toEqual({ sealed: 1200, unreadable: 0 })
  const newest = new Secrets({ keys: ['the newest key of thirty-two letters', NEW] })
  expect((await reseal({ db, secrets: newest })).unreadable).toBe(0)
  expect(await leftOf(newest)).toEqual({})
  await reseal({ db, secrets: new Secrets({ keys: [NEW, 'the newest key of thirty-two letters'] }) })
  await db.query(
    sql`delete from users where name_sealed is not null and email like '%@example.org' and id <> ${userId}`,
  )
})

test('a seal opens in the row and for the purpose that it was made for alone [RIGHT-16]', async () => {
  const other = { reference: 'u_other', name: null, phone: null }
  const row = await db.one<{ name: StoredText; phone: StoredText }>(
    sql`select ${storedName} as name, ${storedPhone} as phone from users u`,
  )
  expect(openName(after, { reference, name: row.name })).toBe('Ann Lee')
  expect(() => openName(after, { ...other, name: row.name })).toThrow()
  expect(() => openName(after, { reference, name: row.phone })).toThrow()
  expect(() => openPhone(after, { reference, phone: row.name })).toThrow()
  expect(() => sealAccountKey(after, 1, 'xprv of the club')).toThrow('no private key is kept')
})

test('a value that changes while it is sealed anew is left to whoever changed it', async () => {
  const newer = after.encrypt('webhook-secret', 'changed meanwhile', '1')
  const slow = new Proxy(db, {
    get: (target, name) => {
      if (name !== 'query') return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name)
      return async (statement: { text: string }) => {
        if (statement.text.startsWith('update webhooks'))
          await target.query(sql`update webhooks set secret_encrypted = ${newer}`)
        return target.query(statement as never)
      }
    },
  })
  await reseal({ db: slow, secrets: new Secrets({ keys: [OLD, NEW] }) })
  expect((await sealedOfWebhook()).sealed).toEqual(newer)
})

test('a value that is damaged is counted, and keeps none of the others from the new key [RIGHT-15]', async () => {
  // Another byte than the one that is there, whichever that is.
  await db.query(
    sql`update users set name_sealed = set_byte(name_sealed, length(name_sealed) - 1, get_byte(name_sealed, length(name_sealed) - 1) # 1)`,
  )
  const newest = new Secrets({ keys: ['the newest key of thirty-two letters', NEW, OLD] })
  expect(await rotateSecrets({ db, units, secrets: newest })).toMatchObject({ unreadable: 1 })
  expect(await leftOf(newest)).toEqual({ 'names of buyers': { older: 1, other: 0 } })
})
