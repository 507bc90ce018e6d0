import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { type Staff, startWithOwner } from '../support/staff.ts'

const address = '0x52908400098527886E0F7030069857D2E4169EE7'
let staff: Staff

beforeAll(async () => {
  staff = await startWithOwner()
  await staff.join('honest', 'owner')
  await staff.forgetLinks()
})
afterAll(() => staff.close())

/** Asks as one operator for another address; the code that another one's confirmation is refused with, or its status. */
async function confirmedBy(asker: string, confirmer: string): Promise<unknown> {
  const asked = await staff.ask(asker, 'PUT', '/operator/currencies/ETH', { address })
  expect([asked.status, asked.code]).toEqual([409, 'second_operator_required'])
  const id = asked.body.error.details.approvalRequestId
  const { status, code } = await staff.ask(confirmer, 'POST', `/operator/approval-requests/${id}/confirm`)
  return code ?? status
}

/** Invites somebody although two decide: what one operator asks for the other owner confirms. */
async function joinByTwo(asker: string, login: string): Promise<void> {
  const body = { login, role: 'owner', email: `${login}@example.org` }
  const asked = await staff.ask(asker, 'POST', '/operator/operators', body)
  const id = asked.body.error.details.approvalRequestId
  expect((await staff.ask('honest', 'POST', `/operator/approval-requests/${id}/confirm`)).status).toBe(200)
  const sent = (await staff.mails()).findLast(({ kind }) => kind === 'operator_invitation')
  await staff.accept(login, String(sent?.['link']))
}

test('puppets whom one owner invited, or one of whom invited the other, count as one operator [TWO-11]', async () => {
  await staff.wantTwo()
  await joinByTwo('owner', 'first')
  await joinByTwo('owner', 'second')
  await joinByTwo('first', 'third')

  expect(await confirmedBy('second', 'first')).toBe('approval_related')
  expect(await confirmedBy('owner', 'third')).toBe('approval_related')
  expect(await confirmedBy('third', 'second')).toBe('approval_related')
})

test('two owners who both made a link for a third operator stay two [TWO-11]', async () => {
  const { items } = (await staff.ask('owner', 'GET', '/operator/operators')).body
  const { id } = items.find(({ login }: { login: string }) => login === 'second')
  await staff.server.database.db.query(
    sql`insert into audit_log (operator_id, action, subject_type, subject_id)
        select id, 'operator.renew-link', 'operator', ${id} from operators where login = 'honest'`,
  )
  expect(await confirmedBy('owner', 'honest')).toBe(200)
})
