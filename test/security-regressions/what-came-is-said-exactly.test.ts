import { expect, test } from 'vitest'
import { Ledger } from '../../src/server/ledger/ledger.ts'
import { operatorOrderEndpoints } from '../../src/shared/api/orders-schemas.ts'
import { withPaperChain } from '../chains/paper-chain.ts'
import { actionsOf, operatorActor } from '../support/actions.ts'
import { addOperator, buy } from '../support/campaign.ts'

test('what one of two says came is owed, though another one said 0 meanwhile [REFUND-9]', () =>
  withPaperChain(async ({ sale }) => {
    await sale.sql('w_two', `update campaign set settings = jsonb_set(settings, '{secondOperator}', 'true')`)
    const ledger = new Ledger({ db: sale.db, hintOutbox() {}, batching: false })
    const actions = actionsOf(sale.db, ledger.actions)
    const ann = operatorActor(await addOperator(sale.db), 'finance')
    const ben = operatorActor(await addOperator(sale.db), 'owner')
    const order = await buy(sale, sale.buyer, '40')
    const orderId = String(order.number)
    const reject = (actor: typeof ann, came: string) =>
      actions
        .execute(ledger.actions['order.reject'], actor, { orderId, seen: 'pending', came })
        .catch((e: unknown) => e)
    // Ann says that 2 came, which waits for Ben; meanwhile somebody rejects it alone, with the 0 of the dialog.
    const asked = (await reject(ann, '2')) as { code: string; details: { approvalRequestId: string } }
    await reject(ben, '0')
    await actions
      .execute(actions.pending.actions['approval.confirm'], ben, { id: asked.details.approvalRequestId })
      .catch((e: unknown) => e)
    const owed = await sale.sql('w_owed', 'select amount::text from refunds')
    expect(owed).toHaveLength(1)
  }))

test('operators can say what came to the last decimal of the coin, and nothing that is no such number [REFUND-9]', () => {
  const isTaken = (came: string) => operatorOrderEndpoints.reject.body.safeParse({ came }).success
  expect(isTaken('0.01234567')).toBe(true)
  for (const came of ['', 'NaN', '1e3', '-5', 'Infinity', '999999999999999999'])
    expect(isTaken(came)).toBe(false)
})
