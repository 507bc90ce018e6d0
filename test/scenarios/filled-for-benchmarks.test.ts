import { Client } from 'pg'
import { expect, test } from 'vitest'
import {
  addBuyers,
  addOperator,
  addWallet,
  countOrders,
  makeOrders,
  payByChain,
  postApprovals,
  raiseGoal,
  sumApprovals,
} from '../../bench/fill.ts'
import { checkInSnapshot, ledgerRules } from '../../src/server/ledger/check.ts'
import { withTestDatabase } from '../support/database.ts'

// The benchmarks write their orders by SQL of their own, because a million approvals would take too long. What they measure is a
// sale only if the ledger's rules hold in it.

test('the sale that benchmarks fill keeps the rules of the ledger', () =>
  withTestDatabase(
    async ({ db, adminUrl }) => {
      const client = new Client({ connectionString: adminUrl })
      await client.connect()
      try {
        const all = { from: 1, to: 200 }
        await raiseGoal(client)
        await addBuyers(client, 20)
        await addOperator(client)
        await addWallet(client, all.to)
        await makeOrders(client, all.to, 20, { areDecided: true, arePaid: true })
        await payByChain(client, all)
        await postApprovals(client, all)
        await sumApprovals(client)
        await countOrders(client)
      } finally {
        await client.end()
      }
      expect(await checkInSnapshot(db, ledgerRules)).toEqual([])
    },
    { holds: 'demo' },
  ))
