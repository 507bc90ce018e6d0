import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Answer } from '../support/api.ts'
import { type Staff, startWithOwner } from '../support/staff.ts'

const address = '0x52908400098527886E0F7030069857D2E4169EE7'
let staff: Staff

beforeEach(async () => {
  staff = await startWithOwner()
})
afterEach(() => staff.close())

const ask = (login: string) => staff.ask(login, 'PUT', '/operator/currencies/ETH', { address })
const idOf = (asked: Answer): string => asked.body.error.details.approvalRequestId
const confirm = (login: string, id: string) =>
  staff.ask(login, 'POST', `/operator/approval-requests/${id}/confirm`)
async function operators(): Promise<Answer['body']> {
  return (await staff.ask('owner', 'GET', '/operator/operators')).body
}
async function idAndRevision(login: string): Promise<{ id: string; revision: number }> {
  return (await operators()).items.find((item: { login: string }) => item.login === login)
}
async function confirmersOf(id: string): Promise<{ login: string; from: string | null }[]> {
  const { items } = (await staff.ask('owner', 'GET', '/operator/approval-requests')).body
  return items.find((item: { id: string }) => item.id === id).confirmers
}

test('an owner who was invited a minute before dual control was switched on confirms at once [TWO-11]', async () => {
  await staff.join('second', 'owner', 'second@example.org')
  expect((await operators()).related).toEqual([])
  expect((await staff.wantTwo()).status).toBe(200)
  const id = idOf(await ask('owner'))
  expect(await confirmersOf(id)).toEqual([{ login: 'second', from: null }])
  expect((await confirm('second', id)).status).toBe(200)
})

test('dual control is refused while the only other owner holds an unused link [TWO-12]', async () => {
  await staff.join('second', 'owner')
  const { id } = await idAndRevision('second')
  await staff.ask('owner', 'POST', `/operator/operators/${id}/invitation`, {})
  expect((await staff.wantTwo()).code).toBe('two_owners_needed')
})

test('a link that was made before the switch and used after it makes nobody independent [TWO-11]', async () => {
  await staff.join('second', 'owner')
  await staff.join('third', 'finance')
  const { id } = await idAndRevision('third')
  const renewed = await staff.ask('owner', 'POST', `/operator/operators/${id}/invitation`, {})
  const invited = await staff.ask('owner', 'POST', '/operator/operators', { login: 'fourth', role: 'owner' })
  await staff.wantTwo()
  await staff.accept('third', renewed.body.link)
  await staff.accept('fourth', invited.body.link)
  const request = idOf(await ask('owner'))
  const confirmers = await confirmersOf(request)
  expect(confirmers.map(({ login, from }) => [login, from === null])).toEqual([
    ['second', true],
    ['third', false],
    ['fourth', false],
  ])
  for (const login of ['third', 'fourth'])
    expect((await confirm(login, request)).body.error).toMatchObject({
      code: 'approval_related',
      details: { until: confirmers.find((confirmer) => confirmer.login === login)?.from },
    })
  expect((await confirm('second', request)).status).toBe(200)
})

test('a puppet who was disabled at the switch does not count once it is enabled [TWO-11]', async () => {
  await staff.join('second', 'owner')
  await staff.join('puppet', 'finance')
  const { id, revision } = await idAndRevision('puppet')
  await staff.ask('owner', 'PATCH', `/operator/operators/${id}`, { revision, isDisabled: true })
  await staff.wantTwo()
  const enabling = await staff.ask('owner', 'PATCH', `/operator/operators/${id}`, {
    revision: revision + 1,
    isDisabled: false,
  })
  expect((await confirm('second', idOf(enabling))).status).toBe(200)
  await staff.signIn('puppet')
  expect((await confirm('puppet', idOf(await ask('owner')))).code).toBe('approval_related')
})

test('whoever is renewed after the switch is related to the maker of the new link [TWO-11]', async () => {
  await staff.join('second', 'owner')
  await staff.join('third', 'finance', 'third@example.org')
  await staff.wantTwo()
  const { id } = await idAndRevision('third')
  const renewed = await staff.ask('owner', 'POST', `/operator/operators/${id}/invitation`, {})
  expect((await confirm('second', idOf(renewed))).status).toBe(200)
  const link = (await staff.mails()).findLast(({ kind }) => kind === 'operator_link')
  await staff.accept('third', String(link?.['link']))
  expect((await confirm('third', idOf(await ask('owner')))).code).toBe('approval_related')
})

test('saving dual control again makes nobody independent who was invited meanwhile [TWO-11]', async () => {
  await staff.join('second', 'owner')
  await staff.wantTwo()
  const invitation = { login: 'puppet', role: 'owner', email: 'puppet@example.org' }
  const invited = await staff.ask('owner', 'POST', '/operator/operators', invitation)
  await confirm('second', idOf(invited))
  const link = (await staff.mails()).findLast(({ kind }) => kind === 'operator_invitation')
  await staff.accept('puppet', String(link?.['link']))
  expect((await staff.wantTwo()).status).toBe(200)
  expect((await operators()).related).toMatchObject([{ logins: ['owner', 'puppet'] }])
  expect((await confirm('puppet', idOf(await ask('owner')))).code).toBe('approval_related')
  await staff.forgetLinks()
  expect((await operators()).related).toEqual([])
})
