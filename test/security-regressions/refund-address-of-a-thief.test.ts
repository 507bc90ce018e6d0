import { expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import type { Mail } from '../../src/server/mail/mail-kinds.ts'
import { addressAt, readAccountKey } from '../../src/server/payments/account-keys.ts'
import { Refusal } from '../../src/server/refusal.ts'
import { ABANDON, accountOf } from '../chains/account-keys.ts'
import { type PaperChain, withPaperChain } from '../chains/paper-chain.ts'
import { peopleOf } from '../support/people.ts'

const client = { network: '192.0.2.1', userAgent: 'Test/1.0' }
const account = readAccountKey(accountOf(ABANDON, "m/84'/1'/4343'", 'vpub').publicExtendedKey, {
  family: 'litecoin',
  net: 'regtest',
})
const [thiefs, owners] = [addressAt(account, 0), addressAt(account, 1)]
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (e: unknown) => (e instanceof Refusal ? e.code : String(e)),
  )

async function robbed(chain: PaperChain) {
  const { sale } = chain
  const mails: Mail[] = []
  const people = peopleOf(sale.db, { mails })
  await sale.db.query(
    sql`update users set confirmed_at = now() - interval '100 days' where id = ${sale.buyer}`,
  )
  const { email } = await sale.db.one<{ email: string }>(
    sql`select email from users where id = ${sale.buyer}`,
  )
  const order = await sale.order('LTC', '40')
  await sale.ledger.reject(String(order.number), { operatorId: sale.operatorId, seen: 'pending' })
  await chain.pay(order, '2')
  await chain.mine(106)
  await sale.refunds.claim(sale.asBuyer, order.token, { address: thiefs })
  const reset = async () => {
    mails.length = 0
    await people.accounts.requestReset(email, client)
    const mail = mails.find(({ kind }) => kind === 'reset_password')
    const token =
      mail && 'link' in mail && typeof mail.link === 'string' ? (mail.link.split('#token=')[1] ?? '') : ''
    await people.accounts.resetPassword({ token, password: 'the owner chose this one 7' }, client)
  }
  const shown = async () => (await sale.refunds.ofOrder(sale.buyer, order.token))[0]
  return { sale, order, reset, shown }
}

test('a reset takes back the refund address that was named in the days before it, as it does addresses for tokens [RIGHT-38]', () =>
  withPaperChain(async (chain) => {
    const { sale, reset, shown } = await robbed(chain)
    await sale.db.query(sql`update refunds set claimed_at = claimed_at - interval '2 hours'`)
    await reset()
    const after = await shown()
    expect([after?.state, after?.address]).toEqual(['owed', null])
  }))

test('a day later the owner of the account can still say where the money goes, after a reset [RIGHT-38]', () =>
  withPaperChain(async (chain) => {
    const { sale, order, reset } = await robbed(chain)
    await sale.db.query(sql`update refunds set claimed_at = claimed_at - interval '25 hours'`)
    await reset()
    const named = await codeOf(sale.refunds.claim(sale.asBuyer, order.token, { address: owners }))
    expect(named).toBe('done')
  }))
