import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { Credentials } from '../../src/server/credentials/credentials.ts'
import { type Database, sql } from '../../src/server/database/database.ts'
import { Delivery } from '../../src/server/delivery/delivery.ts'
import type { Mail } from '../../src/server/mail/mail-kinds.ts'
import { addressAt, readAccountKey } from '../../src/server/payments/account-keys.ts'
import { EvmLooks } from '../../src/server/payments/evm/evm-looks.ts'
import { ABANDON, accountOf } from '../chains/account-keys.ts'
import { type PaperChain, withPaperChain } from '../chains/paper-chain.ts'
import { switchOnApp } from '../support/authenticator-app.ts'
import { createTestDatabase } from '../support/database.ts'
import { buyerOfToken, limitsOf, peopleOf, testSecrets } from '../support/people.ts'

// A thief names an address for tokens or refunds. The owner's new password takes it back, tells so, and brings no earlier address back.

const client = { network: '192.0.2.1', userAgent: 'Test/1.0' }
const [password, newPassword] = ['gravel and violets', 'the owner chose this one 7']
const publicUrl = 'https://sale.example'
type Accounts = ReturnType<typeof peopleOf>['accounts']

async function reset(accounts: Accounts, mails: Mail[], email: string) {
  await accounts.requestReset(email, client)
  const mail = mails.find(({ kind }) => kind === 'reset_password')
  const token = mail && 'link' in mail ? `${mail.link}`.split('#token=')[1] : ''
  mails.length = 0
  await accounts.resetPassword({ token: token ?? '', password: newPassword }, client)
}
const told = (mails: readonly Mail[]) => mails.filter(({ kind }) => kind === 'taken_back')

/** A buyer with a proved address, who signs an address for tokens. */
async function deliveredBuyer(db: Database, email: string) {
  const mails: Mail[] = []
  const people = peopleOf(db, { mails, publicUrl })
  const { accounts } = people
  const sendMail = async (_tx: unknown, mail: Mail) => void mails.push(mail)
  const limits = limitsOf(db, false)
  const { links } = new Credentials({ db, secrets: testSecrets, limits, publicUrl, sendMail })
  const evm = {
    chainIdOf: () => 31_337,
    isFollowed: () => true,
    acceptsSignature: async () => false,
    hasContract: async () => false,
    standsOnlyElsewhere: async () => false,
  }
  const delivery = new Delivery({
    db,
    links,
    limits,
    secrets: testSecrets,
    publicUrl,
    sendMail,
    evm,
    looks: new EvmLooks([]),
  })
  const registration = { name: 'Ann', email, password, phone: '+49 30 901820' }
  const { session, userId } = await accounts.register(registration, client, 'browser')
  await db.query(sql`update users set confirmed_at = now() where id = ${userId}`)
  const actor = await buyerOfToken(accounts, session.token)
  const name = async () => {
    const wallet = privateKeyToAccount(generatePrivateKey())
    const { nonce, message } = await delivery.askForSignature(actor, wallet.address)
    await delivery.prove(actor, { nonce, signature: await wallet.signMessage({ message }) })
    return wallet.address
  }
  const type = async () => {
    const { address } = privateKeyToAccount(generatePrivateKey())
    await delivery.type(actor, address)
    return address
  }
  const pass = (days: number) =>
    db.query(
      sql`update delivery_addresses set named_at = named_at - make_interval(days => ${days}),
                 confirmed_at = confirmed_at - make_interval(days => ${days}),
                 counts_from = counts_from - make_interval(days => ${days}) where user_id = ${userId}`,
    )
  return { ...people, actor, userId, name, type, pass, shown: () => delivery.address(userId) }
}

const { db } = await createTestDatabase({ holds: 'demo' })
await db.query(sql`update campaign set settings = jsonb_set(settings, '{delivery,chain}', '"ethereum"')`)

test('a reset that takes an address for tokens back does not bring the one before back, and says so [RIGHT-38, DELIVER-4]', async () => {
  const email = 'reset-delivery@example.org'
  const { accounts, mails, name, pass, shown } = await deliveredBuyer(db, email)
  const thiefs = await name()
  await pass(8)
  const owners = await name()
  await pass(2)
  expect((await shown()).current?.address).toBe(owners)
  await reset(accounts, mails, email)
  expect(await shown()).toMatchObject({ current: null, waiting: null })
  expect(thiefs).not.toBe(owners)
  expect(told(mails)).toMatchObject([{ to: email, factors: false, delivery: true, refunds: false }])
})

test('a new password that takes back an address that waits leaves none that it would have replaced [RIGHT-38, DELIVER-4]', async () => {
  const email = 'changed-delivery@example.org'
  const { accounts, actor, mails, name, pass, shown } = await deliveredBuyer(db, email)
  await name()
  await pass(30)
  await name()
  mails.length = 0
  await accounts.changePassword(actor, { proof: { password }, newPassword }, client)
  expect(await shown()).toMatchObject({ current: null, waiting: null })
  expect(told(mails)).toMatchObject([{ to: email, delivery: true }])
})

test('a new password that takes back a typed address, not confirmed yet, leaves none, as its mail says [RIGHT-38, DELIVER-4]', async () => {
  for (const by of ['a reset', 'a new password'] as const) {
    const email = `typed-${by.replaceAll(' ', '-')}@example.org`
    const { accounts, actor, mails, name, type, pass, shown } = await deliveredBuyer(db, email)
    await name()
    await pass(30)
    await type()
    if (by === 'a reset') await reset(accounts, mails, email)
    else await accounts.changePassword(actor, { proof: { password }, newPassword }, client)
    expect(await shown()).toMatchObject({ current: null, waiting: null, unconfirmed: null })
    expect(told(mails)).toMatchObject([{ to: email, delivery: true }])
  }
})

test('a typed address whose link has expired takes no address along with it [DELIVER-4]', async () => {
  const { accounts, actor, mails, name, type, pass, shown } = await deliveredBuyer(db, 'expired@example.org')
  const address = await name()
  await pass(2)
  await type()
  await pass(1)
  await accounts.changePassword(actor, { proof: { password }, newPassword }, client)
  expect((await shown()).current?.address).toBe(address)
  expect(told(mails)).toEqual([])
})

test('a new password in a session leaves an address that counts, where none waits [DELIVER-4]', async () => {
  const { accounts, actor, mails, name, pass, shown } = await deliveredBuyer(db, 'kept@example.org')
  const address = await name()
  await pass(2)
  await accounts.changePassword(actor, { proof: { password }, newPassword }, client)
  expect((await shown()).current?.address).toBe(address)
  expect(told(mails)).toEqual([])
})

test('a reset says that it took a second factor off [RIGHT-38]', async () => {
  const email = 'factor@example.org'
  const { accounts, operators, mails, userId } = await deliveredBuyer(db, email)
  await switchOnApp({ accounts, operators, db }, 'user', userId)
  await reset(accounts, mails, email)
  expect(told(mails)).toMatchObject([{ to: email, factors: true, delivery: false, refunds: false }])
})

const account = readAccountKey(accountOf(ABANDON, "m/84'/1'/4343'", 'vpub').publicExtendedKey, {
  family: 'litecoin',
  net: 'regtest',
})
const [thiefs, owners] = [addressAt(account, 0), addressAt(account, 1)]

/** A refund whose address a thief named so many hours ago, at the account of a buyer who sets a new password by mail. */
async function refundOf({ sale, pay, mine }: PaperChain, hours: number) {
  const mails: Mail[] = []
  const { accounts } = peopleOf(sale.db, { mails })
  await sale.db.query(
    sql`update users set confirmed_at = now() - interval '100 days' where id = ${sale.buyer}`,
  )
  const { email } = await sale.db.one<{ email: string }>(
    sql`select email from users where id = ${sale.buyer}`,
  )
  const order = await sale.order('LTC', '40')
  await sale.ledger.reject(String(order.number), { operatorId: sale.operatorId, seen: 'pending' })
  await pay(order, '2')
  await mine(106)
  await sale.refunds.claim(sale.asBuyer, order.token, { address: thiefs })
  await sale.db.query(sql`update refunds set claimed_at = claimed_at - make_interval(hours => ${hours})`)
  const shown = async () => (await sale.refunds.ofOrder(sale.buyer, order.token))[0]
  return { order, mails, shown, reset: () => reset(accounts, mails, email) }
}

test('a reset takes back the address for a refund that was named in the last 8 days; its owner names another one [RIGHT-38, REFUND-8]', () =>
  withPaperChain(async (chain) => {
    const { order, mails, shown, reset: resetNow } = await refundOf(chain, 25)
    await resetNow()
    expect(await shown()).toMatchObject({ state: 'owed', address: null })
    expect(told(mails)).toMatchObject([{ factors: false, refunds: true }])
    const events = await chain.sale.db.query<{ kind: string }>(
      sql`select kind from outbox order by id desc limit 1`,
    )
    expect(events).toEqual([{ kind: 'order_changed' }])
    await chain.sale.refunds.claim(chain.sale.asBuyer, order.token, { address: owners })
    expect(await shown()).toMatchObject({ state: 'claimed', address: owners })
    await chain.sale.db.query(sql`update refunds set claimed_at = claimed_at - interval '25 hours'`)
    const prepare = { network: 'litecoin', format: 'csv' } as const
    const { content } = (await chain.sale.execute('refund.prepare', prepare)) as { content: string }
    expect([content.includes(thiefs), content.includes(owners)]).toEqual([false, true])
  }))

test('a reset leaves an older address for a refund, and one that operators prepared to pay to [RIGHT-38, REFUND-8]', async () => {
  await withPaperChain(async (chain) => {
    const { mails, shown, reset: resetNow } = await refundOf(chain, 8 * 24)
    await resetNow()
    expect(await shown()).toMatchObject({ state: 'claimed', address: thiefs })
    expect(told(mails)).toEqual([])
  })
  await withPaperChain(async (chain) => {
    const { shown, reset: resetNow } = await refundOf(chain, 25)
    await chain.sale.execute('refund.prepare', { network: 'litecoin', format: 'csv' })
    await resetNow()
    expect(await shown()).toMatchObject({ state: 'prepared', address: thiefs })
  })
})
