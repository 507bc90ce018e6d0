import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Staff, startWithOwner } from '../support/staff.ts'

let staff: Staff

beforeAll(async () => {
  staff = await startWithOwner()
  await staff.join('fin', 'finance', 'fin@example.org')
  await staff.join('other', 'owner')
  await staff.join('third', 'owner')
  await staff.forgetLinks()
  await staff.wantTwo()
})
afterAll(() => staff.close())

const address = '0x52908400098527886E0F7030069857D2E4169EE7'
const confirm = (login: string, id: string) =>
  staff.ask(login, 'POST', `/operator/approval-requests/${id}/confirm`)
const waiting = async (login: string, method: string, path: string, body: object): Promise<string> => {
  const asked = await staff.ask(login, method, path, body)
  expect(asked.code).toBe('second_operator_required')
  return asked.body.error.details.approvalRequestId
}
/** One owner takes access alone (TWO-23); all else waits for the other one. */
const changed = async (login: string, change: { isDisabled?: boolean; role?: string }) => {
  const list = (await staff.ask('owner', 'GET', '/operator/operators')).body.items
  const { id, revision } = list.find((item: { login: string }) => item.login === login)
  const [path, body] = [`/operator/operators/${id}`, { revision, ...change }]
  if (change.isDisabled) {
    expect((await staff.ask('owner', 'PATCH', path, body)).status).toBe(200)
    return
  }
  const asked = await waiting('owner', 'PATCH', path, body)
  expect((await confirm('other', asked)).status).toBe(200)
}

test('what a disabled or demoted operator asked for can’t be confirmed, also after the access came back [TWO-20]', async () => {
  for (const [taken, given] of [
    [{ isDisabled: true }, { isDisabled: false }],
    [{ role: 'support' }, { role: 'finance' }],
  ] as const) {
    const id = await waiting('fin', 'PUT', '/operator/currencies/ETH', { address })
    await changed('fin', taken)
    expect((await confirm('third', id)).code).toBe('approval_expired')
    await changed('fin', given)
    expect((await confirm('third', id)).code).toBe('approval_expired')
    await staff.signIn('fin')
  }
})
