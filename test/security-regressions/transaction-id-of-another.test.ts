import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeOrder, registerBuyer } from '../support/every-state.ts'
import { type Staff, startWithOwner } from '../support/staff.ts'

const transactionId = `0x${'ab'.repeat(32)}`
let staff: Staff

beforeAll(async () => {
  staff = await startWithOwner()
})
afterAll(() => staff.close())

test('who names the payer’s transaction first takes nothing from the payer, and an operator sees both [ORDER-16]', async () => {
  const thief = await registerBuyer(staff.server, 'mallory@example.org')
  const payer = await registerBuyer(staff.server, 'ann@example.org')
  const [stolen, paid] = [await makeOrder(thief), await makeOrder(payer)]
  await thief('PUT', `/orders/${stolen.token}/transaction-id`, { transactionId })
  await payer('PUT', `/orders/${paid.token}/transaction-id`, { transactionId })

  const shown = await staff.ask('owner', 'GET', `/operator/orders/${paid.number}`)
  expect(shown.body.sameTransaction).toEqual([stolen.number])
  const approve = ({ number }: { number: number }) =>
    staff.ask('owner', 'POST', `/operator/orders/${number}/approve`, { reason: 'looked at the chain' })
  expect((await approve(paid)).status).toBe(200)
  expect((await approve(stolen)).code).toBe('transaction_id_taken')
})
