import { expect, test } from 'vitest'
import { ABANDON, accountOf } from '../../../test/chains/account-keys.ts'
import { type PaperChain, withPaperChain } from '../../../test/chains/paper-chain.ts'
import { refused } from '../../../test/support/outcomes.ts'
import { limitsOf, peopleOf } from '../../../test/support/people.ts'
import { raceOf } from '../../../test/support/race.ts'
import { testSecrets } from '../../../test/support/secrets.ts'
import { sql } from '../database/database.ts'
import type { Mail } from '../mail/mail-kinds.ts'
import { addressAt, readAccountKey } from '../payments/account-keys.ts'
import { Secrets } from '../secrets/secrets.ts'
import { Debts } from './debts.ts'

const client = { network: '192.0.2.1', userAgent: 'Test/1.0' }
const account = readAccountKey(accountOf(ABANDON, "m/84'/1'/4343'", 'vpub').publicExtendedKey, {
  family: 'litecoin',
  net: 'regtest',
})
const [elsewhere, another] = [addressAt(account, 0), addressAt(account, 1)]
const claim = (address = elsewhere) => [{ network: 'litecoin', address }] as const

/** A buyer whose order was rejected unpaid deleted the account; then 2 LTC came to the order's address and are owed. */
async function owedAfterDeletion(
  chain: PaperChain,
  { isLimited = false, secrets = testSecrets, email: named = '' } = {},
) {
  const { sale } = chain
  const mails: Mail[] = []
  const people = peopleOf(sale.db, { mails, isLimited })
  const order = await sale.order('LTC', '40')
  await sale.ledger.reject(String(order.number), { operatorId: sale.operatorId, seen: 'pending' })
  const { email } = await sale.db.one<{ email: string }>(
    sql`update users set email = coalesce(nullif(${named}, ''), email), email_key = coalesce(nullif(${named}, ''), email_key)
         where id = ${sale.buyer} returning email`,
  )
  const pay = async () => {
    await chain.pay(order, '2')
    await chain.mine(6)
  }
  await people.accounts.deleteAccount(sale.asBuyer, { proof: { isPasswordRight: true } })
  const debts = new Debts({
    db: sale.db,
    units: sale.units,
    secrets,
    limits: limitsOf(sale.db, isLimited),
    credentials: people.credentials,
    refunds: sale.refunds,
    publicUrl: 'https://sale.example.org',
    sendMail: async (_tx, mail) => void mails.push(mail),
  })
  const link = async (to = email) => {
    mails.length = 0
    await debts.requestLink(to, client)
    const mail = mails.find(({ kind }) => kind === 'debt_link')
    return mail && 'link' in mail ? (mail.link.split('#token=')[1] ?? '') : undefined
  }
  const refund = () =>
    sale.db.one(
      sql`select state, claimed_at is not null as "isClaimed", address_mark is not null as "isNamed" from refunds`,
    )
  return { sale, mails, email, pay, debts, link, refund }
}

test('what is owed to a deleted account is claimed by a link to its mailbox, once, and paid as ever [REFUND-14]', () =>
  withPaperChain(async (chain) => {
    const { sale, mails, email, pay, debts, link, refund } = await owedAfterDeletion(chain)
    expect(await link()).toBeUndefined()
    await pay()
    expect(await refund()).toMatchObject({ state: 'owed' })
    expect(await link('somebody@example.org')).toBeUndefined()
    expect(await link(`alias+${email}`)).toBeUndefined()

    const replaced = (await link()) ?? ''
    const token = (await link(` ${email.toUpperCase()} `)) ?? ''
    await expect(debts.show(replaced)).rejects.toEqual(refused('link_expired'))
    expect(await debts.show(token)).toMatchObject([{ network: 'litecoin', amount: '2', state: 'owed' }])

    // What is refused leaves the link as it was.
    const { address: ours } = await sale.db.one<{ address: string }>(
      sql`select address from wallet_addresses where wallet_id is not null limit 1`,
    )
    await expect(debts.claim(token, claim(ours))).rejects.toEqual(refused('refund_address_ours'))
    await expect(debts.claim(token, [{ network: 'ethereum', address: elsewhere }])).rejects.toEqual(
      refused('refund_state'),
    )

    const outcomes = await raceOf(sale.db, 4, () => debts.claim(token, claim()))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await refund()).toEqual({ state: 'claimed', isClaimed: true, isNamed: true })
    expect(mails.at(-1)).toMatchObject({
      kind: 'debt_claimed',
      to: email,
      addresses: `litecoin: ${elsewhere}`,
    })
    await expect(debts.show(token)).rejects.toEqual(refused('link_expired'))

    const { items } = await sale.refunds.list({ limit: 1 })
    expect(items).toMatchObject([{ state: 'claimed', address: elsewhere }])
    await sale.execute('refund.paid', {
      refundId: items[0]?.id ?? '',
      transactionId: 'f00d'.repeat(16),
      reason: 'Sent by hand.',
    })
    expect(await link()).toBeUndefined()
  }))

test('a link to claim a debt goes to the mailbox that the account had, however its address is spelled [REFUND-14]', () =>
  withPaperChain(async (chain) => {
    const { mails, pay, link } = await owedAfterDeletion(chain, { email: 'kim@example.org' })
    await pay()
    // The Kelvin sign is a k in lower case, and may be another mailbox.
    for (const spelling of ['\u212Aim@example.org', 'KIM@example.org', ' kim@example.org ']) {
      expect(await link(spelling), spelling).toBeDefined()
      expect(mails).toMatchObject([{ kind: 'debt_link', to: 'kim@example.org' }])
    }
  }))

test('the address for a debt to a deleted account can be changed until it counts [REFUND-8]', () =>
  withPaperChain(async (chain) => {
    const { sale, pay, debts, link } = await owedAfterDeletion(chain)
    await pay()
    await debts.claim((await link()) ?? '', claim())
    expect(await debts.claim((await link()) ?? '', claim(another))).toMatchObject([{ address: another }])
    await sale.sql('debts_day', "update refunds set claimed_at = claimed_at - interval '24 hours'")
    await expect(debts.claim((await link()) ?? '', claim())).rejects.toEqual(refused('refund_address_fixed'))
  }))

test('a new account with the mailbox of a deleted one sees nothing of its debts, which go by the link alone [REFUND-14]', () =>
  withPaperChain(async (chain) => {
    const { sale, email, pay, debts, link } = await owedAfterDeletion(chain)
    const { accounts } = peopleOf(sale.db, { mails: [] })
    await accounts.register(
      { name: 'Ann', email, phone: '+4917055501', password: 'gravel and violets' },
      client,
      'browser',
    )
    await pay()
    const { id } = await sale.db.one<{ id: string }>(sql`select id from users where email_key = ${email}`)
    expect(await sale.db.query(sql`select from refunds where user_id = ${id}`)).toEqual([])
    expect(await debts.claim((await link()) ?? '', claim())).toMatchObject([{ state: 'claimed' }])
  }))

test('links to claim a debt are limited by address: nobody uses up those of another one [REFUND-14]', () =>
  withPaperChain(async (chain) => {
    const { pay, link, email } = await owedAfterDeletion(chain, { isLimited: true })
    await pay()
    for (const alias of ['+a@', '+b@', '+c@', '+d@']) await link(email.replace('@', alias))
    for (let i = 0; i < 3; i += 1) expect(await link()).toBeDefined()
    await expect(link()).rejects.toMatchObject({ code: 'too_many_requests' })
  }))

test('an account without an order keeps nothing of its mailbox when it is deleted [REFUND-14]', () =>
  withPaperChain(async ({ sale }) => {
    const { accounts } = peopleOf(sale.db, { mails: [] })
    await accounts.deleteAccount(sale.asBuyer, { proof: { isPasswordRight: true } })
    expect(
      await sale.db.query(sql`select mailbox_sealed, mailbox_mark from users where id = ${sale.buyer}`),
    ).toEqual([{ mailbox_sealed: null, mailbox_mark: null }])
  }))

test('a debt is found by its mailbox while SECRET_KEY is replaced [RIGHT-15]', () =>
  withPaperChain(async (chain) => {
    const keys = ['another key of thirty-two letters', 'a key of thirty-two characters!!']
    const { pay, link } = await owedAfterDeletion(chain, { secrets: new Secrets({ keys }) })
    await pay()
    expect(await link()).toBeDefined()
  }))
