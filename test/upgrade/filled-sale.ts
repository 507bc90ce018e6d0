import { sql } from '../../src/server/database/database.ts'
import { openChainSale } from '../chains/chain-sale.ts'
import { nowhere, openPaperChain } from '../chains/paper-chain.ts'
import { buyerActor } from '../support/actions.ts'
import { addOperator } from '../support/campaign.ts'
import type { TestDatabase } from '../support/database.ts'
import { peopleOf } from '../support/people.ts'

const BUYERS = 120
const ADDRESS = '0x00000000219ab540356cBB839Cbe05303d7705Fa'
const CLIENT = { network: '192.0.2.1', userAgent: 'Test/1.0' }

/**
 * Orders in which settlement, expiry and refunds continue. A chain paid exactly, too much, too little and not
 * yet; operators approved, rejected and granted.
 */
export async function fillSale({ db }: TestDatabase): Promise<void> {
  const { accounts } = peopleOf(db)
  const users: string[] = []
  for (let number = 1; number <= BUYERS; number += 1) {
    const account = {
      name: `Buyer ${number}`,
      email: `buyer-${number}@example.org`,
      phone: `+3725550${number}`,
    }
    const { userId } = await accounts.register(
      { ...account, password: 'gravel and violets' },
      CLIENT,
      'token',
    )
    users.push(userId)
  }
  const [ann = '', ben = '', eve = ''] = users
  const sale = await openChainSale(db, [nowhere])
  const chain = await openPaperChain(sale)
  const order = (currency: string, userId: string) => sale.order(currency, '40', 'token', userId)
  const exact = await order('LTC', ann)
  const more = await order('LTC', ben)
  const less = await order('LTC', eve)
  const unconfirmed = await order('LTC', ann)
  const inBlock = await order('LTC', ben)
  await chain.pay(exact, exact.cryptoAmount)
  await chain.pay(more, String(Number(more.cryptoAmount) + 1))
  await chain.pay(less, '0.1')
  await chain.mine(6)
  await chain.pay(unconfirmed, unconfirmed.cryptoAmount, 'waiting')
  // Room is reserved for it, but nothing is bought yet.
  await chain.pay(inBlock, inBlock.cryptoAmount)
  await chain.mine()

  const operatorId = await addOperator(db)
  for (const userId of users.slice(3, 30)) {
    const { number } = await order('USDT', userId)
    const decide = number % 7 === 0 ? sale.ledger.reject : sale.ledger.approve
    await decide(String(number), { operatorId, reason: 'looked at the wallet' })
  }
  for (const userId of users.slice(30, 35)) await order('USDT', userId)
  const reversed = await order('USDT', ben)
  await sale.ledger.approve(String(reversed.number), { operatorId })
  await sale.ledger.reject(String(reversed.number), { operatorId, reason: 'sanctions' })
  await sale.refunds.claim(buyerActor(ben), reversed.token, { address: ADDRESS })
  const grant = (userId: string) => sale.ledger.grant({ operatorId, userId, amount: '25', reason: 'contest' })
  await grant(ann)
  await sale.ledger.reverseGrant((await grant(eve)) ?? '', operatorId)
  // The sale's own buyer has no usable password.
  await db.query(sql`update users set password_hash = null where password_hash = 'x'`)
}
