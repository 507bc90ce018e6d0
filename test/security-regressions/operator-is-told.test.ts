import { afterAll, beforeAll, expect, test } from 'vitest'
import { acceptInvitation, password } from '../support/api.ts'
import { type Staff, startWithOwner } from '../support/staff.ts'

let staff: Staff

beforeAll(async () => {
  staff = await startWithOwner({ TRUST_PROXY: '1' })
})
afterAll(() => staff.close())

test('an operator is told of the own account as a buyer is, and gives an address with the first link [RIGHT-28, TWO-19]', async () => {
  const { body } = await staff.ask('owner', 'POST', '/operator/operators', { login: 'sue', role: 'finance' })
  await acceptInvitation(staff.server.url, body.link, 'sue@example.org')
  await staff.signIn('sue')
  await staff.ask('sue', 'POST', '/operator/password', {
    name: 'sue',
    oldPassword: password,
    newPassword: 'another long sentence',
  })
  const asked = { login: 'sue', password: 'another long sentence', as: 'token' }
  const headers = { 'x-forwarded-for': '203.0.113.9' }
  expect((await staff.ask(null, 'POST', '/operator/session', asked, headers)).status).toBe(200)
  const own = (await staff.mails()).filter(({ to }) => to === 'sue@example.org')
  expect(own.map(({ kind }) => kind)).toEqual([
    'operator_password_changed',
    'new_sign_in',
    'operator_password_changed',
    'new_sign_in',
  ])
  expect(own.at(-1)).toMatchObject({ name: 'sue', network: '203.0.113.9' })
  const wrong = { login: 'sue', password: 'not the password', as: 'token' }
  for (let n = 0; n < 5; n += 1) await staff.ask(null, 'POST', '/operator/session', wrong, headers)
  await expect
    .poll(async () => (await staff.mails()).filter(({ kind }) => kind === 'failed_attempts'))
    .toMatchObject([{ to: 'sue@example.org', name: 'sue', attempts: 5, networks: '203.0.113.0/24' }])
})

test('every one of three owners is mailed of an API key, within the cost that its route declares [TWO-19]', async () => {
  const owners = ['ann', 'eve', 'joe']
  for (const login of owners) await staff.join(login, 'owner', `${login}@example.org`)
  const asked = { name: 'Books', scopes: ['orders:read'], proof: { password } }
  const { body } = await staff.ask('ann', 'POST', '/operator/api-keys', asked)
  await staff.ask('ann', 'POST', `/operator/api-keys/${body.id}/renewal`, { proof: { password } })
  const mails = (await staff.mails()).filter(({ notice }) =>
    JSON.stringify(notice ?? '').includes('api_key_'),
  )
  const all = owners.map((login) => `${login}@example.org`)
  expect(mails.map(({ to }) => to)).toEqual([...all, ...all])
  // Closing the server fails if a request did more than its route declares.
})
