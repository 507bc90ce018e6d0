import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeOrder, registerBuyer } from '../support/every-state.ts'
import { type Staff, startWithOwner } from '../support/staff.ts'

const hash = `0x${'ab'.repeat(32)}`
let staff: Staff

beforeAll(async () => {
  staff = await startWithOwner()
})
afterAll(() => staff.close())

test.each([`${hash}:0`, `${hash}-1`, `tx:${hash}`, `${hash}_`])(
  'one transaction pays one order, also written %s [ORDER-16]',
  async (otherwise) => {
    const thief = await registerBuyer(staff.server, `mallory-${Math.random()}@example.org`)
    const [first, second] = [await makeOrder(thief), await makeOrder(thief)]
    const approve = ({ number }: { number: number }) =>
      staff.ask('owner', 'POST', `/operator/orders/${number}/approve`, { reason: 'looked at the chain' })
    await thief('PUT', `/orders/${first.token}/transaction-id`, { transactionId: hash }).catch(
      () => undefined,
    )
    await approve(first)
    const named = await thief('PUT', `/orders/${second.token}/transaction-id`, {
      transactionId: otherwise,
    }).then(
      () => 'named',
      (error: { code: string }) => error.code,
    )
    const shown = await staff.ask('owner', 'GET', `/operator/orders/${second.number}`)
    const approved = await approve(second)
    expect({ named, shown: shown.body.sameTransaction, approved: approved.status }).not.toEqual({
      named: 'named',
      shown: [],
      approved: 200,
    })
  },
)
