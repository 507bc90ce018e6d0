import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { ensureChains } from '../../src/server/payments/watchers.ts'
import { sealPlain } from '../../src/server/secrets/reseal.ts'
import { ABANDON, accountOf } from '../chains/account-keys.ts'
import { letRefundsBeDue } from '../chains/chain-sale.ts'
import { executorOf } from '../support/actions.ts'
import { type ApiCaller, apiOf, password, registerToken, sendJson } from '../support/api.ts'
import { addOperator } from '../support/campaign.ts'
import { makeOrder } from '../support/every-state.ts'
import { type Staff, startWithOwner } from '../support/staff.ts'

// A stolen database or backup has all rows but not `SECRET_KEY`: sealed data is in none of them.

const keyAt = (account: number) => accountOf(ABANDON, `m/84'/2'/${account}'`, 'xpub').publicExtendedKey
const keys = { added: keyAt(0), waiting: keyAt(1), older: keyAt(2), olderWaiting: keyAt(3) }
const people = {
  first: { name: 'Wilhelmina Quastenflosse', phone: '+49 170 5550199' },
  now: { name: '=Theodora "Zwiebelfisch"', phone: '+7 495 5550142' },
  byContract: { name: 'Кунигунда Ёлкина', phone: '+372 55501777' },
  older: { name: 'Agatha Unversiegelt', phone: '+43 660 5550123' },
}
/** Where buyers want their money back. */
const refundsTo = {
  first: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  sent: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  waiting: '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  older: '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
}
/** With it anybody can write there in the seller's name. */
const hook = 'zaunkoenig-hook-path'
/** The key to a paid source of rates. */
const source = { password: 'blaumeise-source-password', key: 'kiebitz-source-key' }
/** The key to a paid node. */
const node = { password: 'rohrdommel-node-password', path: 'eisvogel-node-key' }
const mailPassword = 'goldammer-mail-password'
let staff: Staff
let ownData: string
let refundIds: Record<keyof Omit<typeof refundsTo, 'first'>, string>
let file: { fileId: string; content: string }
let shownToBuyer: string[]
let shownToSecond: string
const users = (search: string) => staff.ask('owner', 'GET', `/operator/users?search=${search}`)

beforeAll(async () => {
  staff = await startWithOwner({ CHAIN_LITECOIN_RPC_URL: 'http://127.0.0.1:1' })
  await ensureChains(staff.server.context.db, staff.server.context.config.chains)
  await staff.join('fin', 'finance')
  await staff.join('other', 'owner')
  await staff.forgetLinks()
  await fillPeople()
  await fillChannel()
  await fillNodes()
  await fillMailServer()
  await fillSources()
  await fillKeys()
  await fillRefunds()
  await writeAsBefore()
  expect((await sealPlain(staff.server.context)).sealed).toBe(6)
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

/** An operator's own channel, whose address is all that is asked of who writes there. */
async function fillChannel(): Promise<void> {
  const target = { kind: 'webhook', url: `https://hooks.example.org/${hook}` }
  const added = await staff.ask('owner', 'POST', '/operator/channels', {
    target,
    notices: ['approval_waiting'],
  })
  expect(added.body).toMatchObject({ label: 'hooks.example.org', provenAt: null })
}

/** A node that was named, by the action: the question before it would go over the internet. */
async function fillNodes(): Promise<void> {
  const { db, payments } = staff.server.context
  const execute = executorOf(db, payments.actions, await addOperator(db))
  const url = `https://user:${node.password}@rpc.example.org/${node.path}`
  await execute('chain.node', { network: 'polygon', place: 1, kind: 'evm', url, revision: null })
}

/** A mail server that was named. */
async function fillMailServer(): Promise<void> {
  const server = { host: 'mail.example.org', port: 465, login: 'sale', from: 'sale@example.org' }
  const body = { ...server, password: mailPassword, revision: null }
  expect((await staff.ask('owner', 'PUT', '/operator/mail-server', body)).body).toMatchObject({
    source: 'page',
  })
}

/** A source of rates that was named, and one that waits for a second operator. */
async function fillSources(): Promise<void> {
  const { db, rates } = staff.server.context
  const execute = executorOf(db, rates.actions, await addOperator(db))
  const url = (host: string) => `https://user:${source.password}@${host}/api?key=${source.key}`
  await execute('rate-source.set', { kind: 'coingecko', url: url('a.example.org'), replaces: null })
  await staff.wantTwo()
  const waits = { kind: 'kraken', url: url('b.example.net'), replaces: null }
  await expect(execute('rate-source.set', waits)).rejects.toMatchObject({ code: 'second_operator_required' })
}

/** One account key that a second operator confirmed, and one that waits for that. */
async function fillKeys(): Promise<void> {
  const add = (accountKey: string, name: string) =>
    staff.ask('fin', 'POST', '/operator/wallets', { family: 'litecoin', name, accountKey })
  await add(keys.added, 'First')
  const [{ id }] = (await staff.ask('other', 'GET', '/operator/approval-requests?state=waiting')).body.items
  await staff.ask('other', 'POST', `/operator/approval-requests/${id}/confirm`)
  await add(keys.waiting, 'Second')
}

/** An address that was changed, put into a file, and whose transaction a second operator confirmed; and one of which that waits. */
async function fillRefunds(): Promise<void> {
  const buyer = apiOf(staff.server.url, await registerToken(staff.server.url, 'owed@example.org', 'Owed'))
  const [sent, waiting, older] = [await owe(buyer), await owe(buyer), await owe(buyer)]
  refundIds = { sent: sent.id, waiting: waiting.id, older: older.id }
  const claim = (token: string, address: string) =>
    buyer('POST', `/orders/${token}/refunds/claim`, { address })
  await claim(sent.token, refundsTo.first)
  await claim(sent.token, refundsTo.sent)
  await claim(waiting.token, refundsTo.waiting)
  const seen = [await buyer('GET', `/orders/${sent.token}/refunds`), await buyer('GET', '/account/export')]
  shownToBuyer = seen.map((answer) => JSON.stringify(answer))
  await letRefundsBeDue(staff.server.context)
  const wanted = { network: 'ethereum', format: 'csv' }
  file = (await staff.ask('fin', 'POST', '/operator/refunds/prepare', wanted)).body
  const asked = await nameTransaction(sent.id, 'sent', {})
  expect(asked.body).toMatchObject({ error: { code: 'second_operator_required' } })
  const [{ id }] = (await staff.ask('other', 'GET', '/operator/approval-requests?state=waiting')).body.items
  expect((await staff.ask('other', 'POST', `/operator/approval-requests/${id}/confirm`)).status).toBe(200)
  await nameTransaction(waiting.id, 'paid', { reason: 'from inside a contract' })
  shownToSecond = JSON.stringify(
    (await staff.ask('other', 'GET', '/operator/approval-requests?state=waiting')).body,
  )
}

const nameTransaction = (id: string, as: 'sent' | 'paid', more: object) =>
  staff.ask('fin', 'POST', `/operator/refunds/${id}/${as}`, {
    transactionId: `0x${'ab'.repeat(32)}`,
    ...more,
  })

/** An order of which money is owed back. */
async function owe(buyer: ApiCaller): Promise<{ id: string; token: string }> {
  const { number, token } = await makeOrder(buyer)
  const { id } = await staff.server.context.db.one<{ id: string }>(
    sql`insert into refunds (order_id, user_id, currency_id, chain, currency, amount, usd, reason)
        select o.id, o.user_id, k.id, k.network, k.code, 5, 5, 'surplus' from orders o join currencies k on k.id = o.currency_id
         where o.id = ${number} returning id`,
  )
  return { id, token }
}

/** Data as an earlier version stored it. */
async function writeAsBefore(): Promise<void> {
  const { db } = staff.server.context
  await db.query(
    sql`insert into users (email, email_key, name, phone)
        values ('older@example.org', 'older@example.org', ${people.older.name}, ${people.older.phone})`,
  )
  await db.query(
    sql`insert into wallets (family, name, account_key, script, net) values ('litecoin', 'Third', ${keys.older}, 'p2wpkh', 'main')`,
  )
  await db.query(
    sql`update refunds set state = 'claimed', address = ${refundsTo.older}, address_key = ${refundsTo.older.toLowerCase()}, claimed_at = now()
         where id = ${refundIds.older}`,
  )
  await db.query(
    sql`insert into refund_files (chain, format, file_name, content) values ('ethereum', 'csv', 'older.csv', ${refundsTo.older})`,
  )
  const payload = { input: { family: 'litecoin', name: 'Fourth', accountKey: keys.olderWaiting } }
  await db.query(
    sql`insert into approval_requests (kind, subject_type, subject_id, payload, summary, requested_by)
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

/** The forms of a text in a row: plain, quoted twice, as bytes, in base64 at any of three offsets. */
function formsOf(text: string): string[] {
  const bytes = Buffer.from(text)
  const inBase64 = [0, 1, 2].map((from) => bytes.subarray(from, from + 3 * 4).toString('base64'))
  return [text, text.replaceAll('"', '\\"'), encodeURIComponent(text), bytes.toString('hex'), ...inBase64]
}

test('no row holds a name, a telephone, an account key or an address for a refund, wherever it passed [RATE-5, RIGHT-16]', async () => {
  const dump = (await wholeDatabase()).toLowerCase()
  // The dump is one: it has what the decision leaves clear.
  for (const clear of ['tz@example.org', 'kuni@example.org', 'older@example.org', 'called, and was told'])
    expect(dump).toContain(clear)
  const words = Object.values(people).flatMap(({ name, phone }) => [
    phone,
    phone.replaceAll(' ', ''),
    ...name.split(/[\s="]+/).filter(Boolean),
  ])
  const addresses = Object.values(refundsTo).map((address) => address.slice(2))
  const found = [
    hook,
    ...Object.values(source),
    ...Object.values(node),
    mailPassword,
    ...words,
    ...Object.values(keys),
    ...addresses,
  ].filter((word) => formsOf(word).some((form) => dump.includes(form.toLowerCase())))
  expect(found).toEqual([])
})

test('who has the key reads all of it: the person, operators, downloads, the second operator [RIGHT-16]', async () => {
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
  for await (const part of staff.server.context.exports.users({ search: 'tz' })) rows.push(part)
  expect(rows.join('')).toContain(`"'=Theodora ""Zwiebelfisch""",tz@example.org,"'${people.now.phone}"`)
  const { items } = (await staff.ask('owner', 'GET', '/operator/wallets')).body
  expect(items.map(({ accountKey }: { accountKey: string }) => accountKey)).toEqual([keys.added, keys.older])
  const waiting = (await staff.ask('other', 'GET', '/operator/approval-requests?state=waiting')).body.items
  for (const { id } of waiting)
    expect((await staff.ask('other', 'POST', `/operator/approval-requests/${id}/confirm`)).status).toBe(200)
  expect((await staff.ask('owner', 'GET', '/operator/wallets')).body.items).toHaveLength(4)
})

test('who has the key reads addresses for refunds: the buyer, operators, their files, the second operator [RIGHT-16]', async () => {
  for (const shown of shownToBuyer) {
    expect(shown).toContain(refundsTo.sent)
    // A field of either name, not the bookmarks.
    expect(shown).not.toMatch(/sealed|["_]mark/)
  }
  const { items } = (await staff.ask('fin', 'GET', '/operator/refunds')).body
  const listed = new Map(items.map(({ id, address }: { id: string; address: string }) => [id, address]))
  for (const of of ['sent', 'waiting', 'older'] as const)
    expect(listed.get(refundIds[of])).toBe(refundsTo[of])
  expect(file.content).toContain(refundsTo.sent)
  expect((await staff.ask('fin', 'GET', `/operator/refund-files/${file.fileId}`)).body.content).toBe(
    file.content,
  )
  expect(shownToSecond).toContain(refundsTo.waiting)
  const confirmed = await staff.ask('other', 'GET', '/operator/approval-requests?state=confirmed')
  expect(JSON.stringify(confirmed.body)).toContain(refundsTo.sent)
})

test('what is copied into another row or column opens there for nobody [RIGHT-16]', async () => {
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
