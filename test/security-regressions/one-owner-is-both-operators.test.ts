import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Answer } from '../support/api.ts'
import { type Staff, startWithOwner } from '../support/staff.ts'

const address = '0x52908400098527886E0F7030069857D2E4169EE7'
let staff: Staff

beforeAll(async () => {
  staff = await startWithOwner()
  // The rule is of use only where two people can decide.
  expect((await staff.wantTwo()).code).toBe('two_owners_needed')
  await staff.join('other', 'owner', 'other@example.org')
  expect((await staff.wantTwo()).status).toBe(200)
})
afterAll(() => staff.close())

const waits = (answer: Answer): string => {
  expect([answer.status, answer.code]).toEqual([409, 'second_operator_required'])
  expect(JSON.stringify(answer.body)).not.toContain('invitation=')
  return answer.body.error.details.approvalRequestId
}
const confirm = (login: string, id: string) =>
  staff.ask(login, 'POST', `/operator/approval-requests/${id}/confirm`)
const operator = async (login: string) =>
  (await staff.ask('owner', 'GET', '/operator/operators')).body.items.find(
    (item: { login: string }) => item.login === login,
  )
test('a puppet whom an owner invites is no second operator [TWO-11]', async () => {
  const invitation = { login: 'puppet', role: 'finance' }
  const without = await staff.ask('owner', 'POST', '/operator/operators', invitation)
  expect(without.code).toBe('operator_email_needed')
  const asked = await staff.ask('owner', 'POST', '/operator/operators', {
    ...invitation,
    email: 'puppet@example.org',
  })
  const id = waits(asked)
  expect(await operator('puppet')).toBeUndefined()

  // Neither who asked nor who confirms is shown the link: it goes by mail alone.
  const confirmed = await confirm('other', id)
  expect(confirmed.status).toBe(200)
  expect(JSON.stringify(confirmed.body)).not.toContain('invitation=')
  const link = (await staff.mails()).findLast(({ kind }) => kind === 'operator_invitation')
  expect(link).toMatchObject({ to: 'puppet@example.org', login: 'puppet' })

  await staff.accept('puppet', String(link?.['link']))
  const wallet = waits(await staff.ask('owner', 'PUT', '/operator/currencies/ETH', { address }))
  const [shown] = (await staff.ask('puppet', 'GET', '/operator/approval-requests?state=waiting')).body.items
  expect(shown).toMatchObject({ id: wallet, mayConfirm: false })
  expect((await confirm('puppet', wallet)).code).toBe('approval_related')
  const other = waits(
    await staff.ask('puppet', 'PUT', '/operator/currencies/LTC', {
      address: 'ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh',
    }),
  )
  expect((await confirm('owner', other)).code).toBe('approval_related')
  expect((await confirm('other', other)).status).toBe(200)
  await staff.forgetLinks()
  expect((await confirm('puppet', wallet)).status).toBe(200)
})

test('another owner’s account can’t be taken by a renewed link [TWO-11]', async () => {
  const { id } = await operator('other')
  const asked = await staff.ask('owner', 'POST', `/operator/operators/${id}/invitation`, {
    removesSecondFactor: true,
  })
  waits(asked)
  expect((await staff.ask('other', 'GET', '/operator/session')).status).toBe(200)
})

test('the rule can’t be switched off by disabling or demoting the others, nor by moving their address [TWO-12]', async () => {
  const { id, revision } = await operator('other')
  for (const change of [{ isDisabled: true }, { role: 'support' }]) {
    const refused = await staff.ask('owner', 'PATCH', `/operator/operators/${id}`, { revision, ...change })
    expect(refused.code).toBe('two_owners_needed')
  }
  waits(
    await staff.ask('owner', 'PATCH', `/operator/operators/${id}`, { revision, email: 'thief@example.org' }),
  )
  const campaign = (await staff.ask('owner', 'GET', '/operator/campaign')).body
  const settings = { ...campaign.settings, secondOperator: false }
  const off = waits(
    await staff.ask('owner', 'PUT', '/operator/campaign', { revision: campaign.revision, settings }),
  )
  expect((await confirm('owner', off)).code).toBe('approval_own')
})

test('one owner takes the access of who is none; owners and the operator are told by mail [TWO-19, TWO-23]', async () => {
  const { id, revision } = await operator('puppet')
  const path = `/operator/operators/${id}`
  // A dismissed operator is blocked at once, and admitted again by two. [TWO-23]
  expect((await staff.ask('owner', 'PATCH', path, { revision, isDisabled: true })).status).toBe(200)
  waits(await staff.ask('owner', 'PATCH', path, { revision: revision + 1, isDisabled: false }))
  const notice = { what: 'operator_disabled', login: 'puppet' }
  const told = (await staff.mails()).filter(
    (mail) => JSON.stringify(mail['notice']) === JSON.stringify(notice),
  )
  expect(told.map(({ to }) => to).toSorted()).toEqual(['other@example.org', 'puppet@example.org'])
})
