import { expect, test } from 'vitest'
import { Orders } from '../../src/server/orders/orders.ts'
import { RetryableError } from '../../src/server/refusal.ts'
import { addBuyer, withSale } from '../support/campaign.ts'

// The page repeats unanswered requests with the same key, after a full disk or a kill behind the commit.
test('a repeat acknowledges no order of which the witness has no line [ORDER-9]', () =>
  withSale(async (sale) => {
    const userId = await addBuyer(sale.db)
    const lines: string[] = []
    let isFull = true
    const witness = {
      note: async (number: string) => {
        if (isFull) throw new RetryableError(new Error('the disk is full'))
        lines.push(number)
      },
    }
    const orders = new Orders({
      db: sale.db,
      campaign: sale.campaign,
      units: sale.units,
      payments: { ofOrder: async () => ({ payments: [], others: null }) },
      pricing: sale.pricing,
      reserveAddress: () => Promise.reject(new Error('none')),
      batching: false,
      witness: witness as never,
      hintOutbox: () => {},
    })
    const ask = () =>
      orders.place(
        { userId, idempotencyKey: 'one', requestHash: Buffer.from('asked') },
        {
          currency: 'USDT',
          amount: '40',
          unit: 'token',
          acceptTerms: true,
          ageConfirmed: true,
          country: 'DE',
        },
      )
    await expect(ask()).rejects.toThrow(RetryableError)
    isFull = false
    const { number } = await ask()
    expect(lines).toEqual([String(number)])
  }))
