import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { ensureChains } from '../../src/server/payments/watchers.ts'
import { sealPlain } from '../../src/server/secrets/reseal.ts'
import { ABANDON, accountOf } from '../chains/account-keys.ts'
import { apiOf, password, registerToken, sendJson } from '../support/api.ts'
import { makeOrder } from '../support/every-state.ts'
import { type Staff, startWithOwner } from '../support/staff.ts'

// Whoever carries off the database, or a backup of it, has every row and not `SECRET_KEY`: what is said to be sealed stands in none of them.

const keyAt = (account: number) => accountOf(ABANDON, `m/84'/2'/${account}'`, 'xpub').publicExtendedKey
const keys = { added: keyAt(0), waiting: keyAt(1), older: keyAt(2), olderWaiting: keyAt(3) }
const people = {
  first: { name: 'Wilhelmina Quastenflosse', phone: '+49 170 5550199' },
  now: { name: '=Theodora "Zwiebelfisch"', phone: '+7 495 5550142' },
  byContract: { name: 'Кунигунда Ёлкина', phone: '+372 55501777' },
  older: { name: 'Agatha Unversiegelt', phone: '+43 660 5550123' },
}
let staff: Staff
let ownData: string
const users = (search: string) => staff.ask('owner', 'GET', `/operator/users?search=${search}`)

beforeAll(async () => {
  staff = await startWithOwner({ CHAIN_LITECOIN_RPC_URL: 'http://127.0.0.1:1' })
  await ensureChains(staff.server.context.db, staff.server.context.config.chains)
  await staff.join('fin', 'finance')
  await staff.join('other', 'owner')
  await staff.forgetLinks()
  await fillPeople()
  await fillKeys()
  await writeAsBefore()
  expect((await sealPlain(staff.server.context)).sealed).toBe(4)
})
afterAll(() => staff.close())

/** Everything that a name or telephone passes on its way: registration, profile, order, mail, lists, downloads, a wrong password. */
async function fillPeople(): Promise<void> {
  const { url } = staff.server
  const buyer = apiOf(url, await registerToken(url, 'tz@example.org', people.first.name))
  await buyer('PATCH', '/account', { phone: people.first.phone })
  await buyer('PATCH', '/account', people.now)
  await makeOrder(buyer)
  ownData = JSON.stringify(await buyer('GET', '/account/export'))
  const asked = { type: 'reg', email: 'kuni@example.org', pass: password, ...people.byContract }
  expect((await sendJson('POST', `${url}/api/controllers/users.php`, asked)).status).toBe(200)
  const [{ id }] = (await users('tz')).body.items
  await staff.ask('owner', 'GET', `/operator/users/${id}`)
  const note = { text: 'Called, and was told.' }
  const once = { 'idempotency-key': 'the-note-about-tz' }
  expect((await staff.ask('owner', 'POST', `/operator/users/${id}/notes`, note, once)).status).toBe(200)
  for (let attempt = 0; attempt < 6; attempt += 1)
    await staff.ask(null, 'POST', '/session', { email: 'tz@example.org', password: 'no' })
}

/** One account key that a second operator confirmed, and one that waits for that. */
async function fillKeys(): Promise<void> {
  await staff.wantTwo()
  const add = (accountKey: string, name: string) =>
    staff.ask('fin', 'POST', '/operator/wallets', { family: 'litecoin', name, accountKey })
  await add(keys.added, 'First')
  const [{ id }] = (await staff.ask('other', 'GET', '/operator/pending-actions?state=waiting')).body.items
  await staff.ask('other', 'POST', `/operator/pending-actions/${id}/confirm`)
  await add(keys.waiting, 'Second')
}

/** What the version before has left. */
async function writeAsBefore(): Promise<void> {
  const { db } = staff.server.context
  await db.query(
    sql`insert into users (email, email_key, name, phone)
        values ('older@example.org', 'older@example.org', ${people.older.name}, ${people.older.phone})`,
  )
  await db.query(
    sql`insert into wallets (family, name, account_key, script, net) values ('litecoin', 'Third', ${keys.older}, 'p2wpkh', 'main')`,
  )
  const payload = { input: { family: 'litecoin', name: 'Fourth', accountKey: keys.olderWaiting } }
  await db.query(
    sql`insert into pending_actions (kind, subject_type, subject_id, payload, summary, requested_by)
        select 'wallet.add', 'wallet', 'Fourth', ${JSON.stringify(payload)}, '{}', id from operators where login = 'fin'`,
  )
}

/** Every row of every table as PostgreSQL writes it. */
async function wholeDatabase(): Promise<string> {
  const client = new Client({ connectionString: staff.server.database.adminUrl })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
        where schemaname not in ('pg_catalog', 'information_schema')`,
    )
    const texts: string[] = []
    for (const { name } of tables) {
      const { rows } = await client.query<{ text: string }>(`select t::text as text from ${name} t`)
      texts.push(...rows.map(({ text }) => text))
    }
    return texts.join('\n')
  } finally {
    await client.end()
  }
}

/** The ways in which a text could stand in a row: as it is, quoted once more, as bytes, in base64 from any of three places on. */
function formsOf(text: string): string[] {
  const bytes = Buffer.from(text)
  const inBase64 = [0, 1, 2].map((from) => bytes.subarray(from, from + 3 * 4).toString('base64'))
  return [text, text.replaceAll('"', '\\"'), encodeURIComponent(text), bytes.toString('hex'), ...inBase64]
}

test('no row holds a name, a telephone or an account key, wherever it passed', async () => {
  const dump = (await wholeDatabase()).toLowerCase()
  // The dump is one: it has what the decision leaves clear.
  for (const clear of ['tz@example.org', 'kuni@example.org', 'older@example.org', 'called, and was told'])
    expect(dump).toContain(clear)
  const words = Object.values(people).flatMap(({ name, phone }) => [
    phone,
    phone.replaceAll(' ', ''),
    ...name.split(/[\s="]+/).filter(Boolean),
  ])
  const found = [...words, ...Object.values(keys)].filter((word) =>
    formsOf(word).some((form) => dump.includes(form.toLowerCase())),
  )
  expect(found).toEqual([])
})

test('who has the key reads all of it: the person, operators, downloads, the second operator', async () => {
  expect(ownData).toContain('Zwiebelfisch')
  expect(ownData).toContain(people.now.phone)
  expect(ownData).not.toMatch(/sealed/)
  for (const [search, person] of [
    ['tz@', people.now],
    ['kuni@', people.byContract],
    ['older', people.older],
  ] as const)
    expect((await users(search)).body.items).toMatchObject([person])
  const rows: string[] = []
  for await (const part of staff.server.context.exports.users('tz')) rows.push(part)
  expect(rows.join('')).toContain(`"'=Theodora ""Zwiebelfisch""",tz@example.org,"'${people.now.phone}"`)
  const { items } = (await staff.ask('owner', 'GET', '/operator/wallets')).body
  expect(items.map(({ accountKey }: { accountKey: string }) => accountKey)).toEqual([keys.added, keys.older])
  const waiting = (await staff.ask('other', 'GET', '/operator/pending-actions?state=waiting')).body.items
  for (const { id } of waiting)
    expect((await staff.ask('other', 'POST', `/operator/pending-actions/${id}/confirm`)).status).toBe(200)
  expect((await staff.ask('owner', 'GET', '/operator/wallets')).body.items).toHaveLength(4)
})

test('what is copied into another row or column opens there for nobody', async () => {
  const { db } = staff.server.context
  await registerToken(staff.server.url, 'mallory@example.org', 'Mallory')
  const copy = async (columns: string) => {
    await db.pool.query(
      `update users m set ${columns} from users t where m.email = 'mallory@example.org' and t.email = 'tz@example.org'`,
    )
    const { status, body } = await users('mallory')
    expect(status).toBe(500)
    expect(JSON.stringify(body)).not.toContain('Zwiebelfisch')
  }
  await copy('name_sealed = t.name_sealed')
  await copy('name_sealed = m.phone_sealed')
  await db.query(
    sql`update wallets w set account_key_sealed = o.account_key_sealed from wallets o where w.name = 'First' and o.name = 'Second'`,
  )
  expect((await staff.ask('owner', 'GET', '/operator/wallets')).status).toBe(500)
})
