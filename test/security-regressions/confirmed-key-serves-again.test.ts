import { expect, test } from 'vitest'
import type { AnyAction } from '../../src/server/actions/actions.ts'
import { sql } from '../../src/server/database/database.ts'
import { Ledger } from '../../src/server/ledger/ledger.ts'
import { actionsOf, operatorActor } from '../support/actions.ts'
import { addBuyer, addOperator, withSale } from '../support/campaign.ts'
import { refused } from '../support/outcomes.ts'

test('the key of a grant that two gave lets one give no other grant, to nobody', () =>
  withSale(async ({ db }) => {
    await db.query(sql`update campaign set settings = jsonb_set(settings, '{secondOperator}', 'true')`)
    const [ann, ben] = [await addOperator(db), await addOperator(db)]
    const [friend, another] = [await addBuyer(db), await addBuyer(db)]
    const ledger = new Ledger({ db, hintOutbox: () => {}, batching: false })
    const actions = actionsOf(db, ledger.actions)
    const give = (userId: string, amount: string) => {
      const once = { key: 'prize', hash: Buffer.from(`${userId} ${amount}`) }
      const actor = operatorActor(ann, 'finance', { once })
      return actions.execute(ledger.actions['grant.add'] as AnyAction, actor, {
        userId,
        amount,
        reason: 'a prize',
      })
    }
    const { details } = (await give(friend, '1').catch((error: unknown) => error)) as {
      details: { approvalRequestId: string }
    }
    const confirm = actions.pending.actions['approval.confirm'] as AnyAction
    await actions.execute(confirm, operatorActor(ben, 'finance'), { id: details.approvalRequestId })
    for (const [userId, amount] of [
      [friend, '1000000'],
      [another, '1'],
    ] as const)
      await expect(give(userId, amount)).rejects.toEqual(refused('idempotency_key_reused'))
    expect(await give(friend, '1')).toMatch(/^\d+$/)
    const { granted } = await db.one<{ granted: string }>(
      sql`select sum(granted_tokens)::text as granted from holdings`,
    )
    expect(granted).toBe('1.000000')
  }))
