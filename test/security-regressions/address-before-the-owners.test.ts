import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { Credentials } from '../../src/server/credentials/credentials.ts'
import { sql } from '../../src/server/database/database.ts'
import { Delivery } from '../../src/server/delivery/delivery.ts'
import type { Mail } from '../../src/server/mail/mail-kinds.ts'
import { EvmLooks } from '../../src/server/payments/evm/evm-looks.ts'
import { createTestDatabase } from '../support/database.ts'
import { buyerOfToken, limitsOf, peopleOf, testSecrets } from '../support/people.ts'

const { db } = await createTestDatabase({ holds: 'demo' })
const mails: Mail[] = []
const publicUrl = 'https://sale.example'
const { accounts } = peopleOf(db, { mails, publicUrl })
const limits = limitsOf(db, false)
const sendMail = async (_tx: unknown, mail: Mail) => void mails.push(mail)
const { links } = new Credentials({ db, secrets: testSecrets, limits, publicUrl, sendMail })
const delivery = new Delivery({
  db,
  links,
  limits,
  secrets: testSecrets,
  publicUrl,
  sendMail,
  looks: new EvmLooks([]),
  evm: {
    chainIdOf: () => 31_337,
    isFollowed: () => true,
    acceptsSignature: async () => false,
    hasContract: async () => false,
    standsOnlyElsewhere: async () => false,
  },
})
const client = { network: '192.0.2.1', userAgent: 'Test/1.0' }
const password = 'gravel and violets'

test('a reset leaves no address for tokens rather than the one that the owner had replaced, and says so [DELIVER-4]', async () => {
  await db.query(sql`update campaign set settings = jsonb_set(settings, '{delivery,chain}', '"ethereum"')`)
  const email = 'delivered@example.org'
  const { session, userId } = await accounts.register(
    { name: 'Ann', email, password, phone: '+49 30 901820' },
    client,
    'browser',
  )
  await db.query(sql`update users set confirmed_at = now() where id = ${userId}`)
  const actor = await buyerOfToken(accounts, session.token)
  const name = async () => {
    const wallet = privateKeyToAccount(generatePrivateKey())
    const { nonce, message } = await delivery.askForSignature(actor, wallet.address)
    await delivery.prove(actor, { nonce, signature: await wallet.signMessage({ message }) })
    return wallet.address
  }
  const days = (n: number) =>
    db.query(
      sql`update delivery_addresses set named_at = named_at - make_interval(days => ${n}), confirmed_at = confirmed_at - make_interval(days => ${n}), counts_from = counts_from - make_interval(days => ${n}) where user_id = ${userId}`,
    )
  const current = async () => (await delivery.address(userId)).current?.address
  const thiefs = await name()
  await days(8)
  expect(await current()).toBe(thiefs)
  // the owner notices (a round is announced, three days ahead) and names an own one
  const owners = await name()
  await days(2)
  expect(await current()).toBe(owners)
  // and does what every page and mail says: a new password by mail
  mails.length = 0
  await accounts.requestReset(email, client)
  const mail = mails.find(({ kind }) => kind === 'reset_password')
  const token =
    mail && 'link' in mail && typeof mail.link === 'string' ? (mail.link.split('#token=')[1] ?? '') : ''
  mails.length = 0
  await accounts.resetPassword({ token, password: 'the owner chose this one 7' }, client)
  const after = await current()
  expect(after).toBeUndefined()
  expect(mails.find(({ kind }) => kind === 'delivery_change_withdrawn')).toMatchObject({
    to: email,
    address: null,
  })
})

test('a new password that takes back an address which waits says to whom tokens go now [DELIVER-4]', async () => {
  const email = 'delivered2@example.org'
  const { session, userId } = await accounts.register(
    { name: 'Ann', email, password, phone: '+49 30 901820' },
    client,
    'browser',
  )
  await db.query(sql`update users set confirmed_at = now() where id = ${userId}`)
  const actor = await buyerOfToken(accounts, session.token)
  const name = async () => {
    const wallet = privateKeyToAccount(generatePrivateKey())
    const { nonce, message } = await delivery.askForSignature(actor, wallet.address)
    await delivery.prove(actor, { nonce, signature: await wallet.signMessage({ message }) })
    return wallet.address
  }
  const thiefs = await name()
  await db.query(
    sql`update delivery_addresses set named_at = named_at - interval '2 days', confirmed_at = confirmed_at - interval '2 days', counts_from = counts_from - interval '2 days' where user_id = ${userId}`,
  )
  const owners = await name()
  expect((await delivery.address(userId)).waiting?.address).toBe(owners)
  mails.length = 0
  await accounts.changePassword(actor, {
    currentPassword: password,
    newPassword: 'the owner chose this one 7',
  })
  const { current, waiting } = await delivery.address(userId)
  expect([current?.address, waiting]).toEqual([thiefs, null])
  expect(mails.find(({ kind }) => kind === 'delivery_change_withdrawn')).toMatchObject({
    to: email,
    address: thiefs,
  })
})
