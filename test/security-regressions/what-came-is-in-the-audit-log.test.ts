import { expect, test } from 'vitest'
import { withPaperChain } from '../chains/paper-chain.ts'
import { buy } from '../support/campaign.ts'

test('the audit log says how much an operator said came [REFUND-9]', () =>
  withPaperChain(async ({ sale }) => {
    for (const came of ['0', '1.5']) {
      const order = await buy(sale, sale.buyer, '40')
      await sale.ledger.reject(String(order.number), { operatorId: sale.operatorId, came })
      const rows = await sale.sql(
        'w_audit',
        "select before, after from audit_log where subject_type = 'order' and subject_id = $1 order by id desc limit 1",
        [String(order.number)],
      )
      expect(JSON.stringify(rows)).toContain(came)
    }
  }))
