import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from 'otplib'
import { afterAll, describe, expect, test } from 'vitest'
import { operatorActor } from '../../../test/support/actions.ts'
import { createTestDatabase, makeTestDatabase } from '../../../test/support/database.ts'
import { refused } from '../../../test/support/outcomes.ts'
import { limitsOf, peopleOf } from '../../../test/support/people.ts'
import { statement } from '../../../test/support/statement.ts'
import type { Role } from '../../shared/roles.ts'
import { type Database } from '../database/database.ts'
import type { Mail } from '../mail/mail-kinds.ts'
import { type Actor, system } from '../unit-of-work/unit-of-work.ts'
import type { Operators } from './operators.ts'

const { db } = await createTestDatabase()
const mails: Mail[] = []
const folder = await mkdtemp(join(tmpdir(), 'presale-operators-'))
afterAll(() => rm(folder, { recursive: true }))

const operatorsOn = (database: Database, isLimited = false): Operators =>
  peopleOf(database, { isLimited, mails }).operators

const { operators, actions } = peopleOf(db, { mails })
const client = { network: '192.0.2.1', userAgent: 'Test/1.0' }
const password = 'gravel and violets'
const invite = (input: { login: string; role: Role; email?: string }) =>
  actions.execute(operators.actions['operator.invite'], system, input)
const change = (id: string, revision: number, input: object, actor: Actor = system) =>
  actions.execute(
    operators.actions['operator.change'],
    actor,
    { id, revision, ...input },
    { takeProof: async () => {} },
  )
const tokenOf = (link: string) => link.split('#invitation=')[1] ?? ''
const auditOf = statement(
  'test_audit',
  `select action, before, after from audit_log where subject_type = 'operator' and subject_id = $1 order by id`,
)
const languageOf = statement('test_language', 'select language from operators where login = $1')
let serial = 0

async function added(role: Role) {
  const login = `${role}-${(serial += 1)}`
  const { operator, link } = await invite({ login, role, email: `${login}@example.org` })
  await operators.useInvitation({ token: tokenOf(link), password }, 'test')
  return { id: operator.id, login }
}

test('the first owner gets a link once, also in a file that only this user can read', async () => {
  const fresh = await makeTestDatabase()
  try {
    const dataDir = join(folder, 'first')
    const all = await Promise.all(
      Array.from({ length: 5 }, () => operatorsOn(fresh.db).ensureFirstOwner({ kind: 'link' }, dataDir)),
    )
    const printed = all.filter((made) => made !== null)
    expect(printed).toHaveLength(1)
    const file = join(dataDir, 'owner-link.txt')
    expect((await readFile(file, 'utf8')).trim()).toBe(printed[0]?.link)
    expect((await stat(file)).mode & 0o777).toBe(0o600)

    const token = tokenOf(printed[0]?.link ?? '')
    const first = operatorsOn(fresh.db)
    // Another start of the server: the link still waits, and its file with it.
    expect(await first.ensureFirstOwner({ kind: 'link' }, dataDir)).toBeNull()
    await stat(file)
    await expect(first.useInvitation({ token, password: 'password123' }, 'test')).rejects.toEqual(
      refused('password_too_common'),
    )
    expect(await first.useInvitation({ token, password, language: 'ru' }, 'test')).toEqual({
      login: 'owner',
    })
    await expect(stat(file)).rejects.toThrow('ENOENT')
    await expect(first.useInvitation({ token, password }, 'test')).rejects.toEqual(refused('link_expired'))
    expect(await first.ensureFirstOwner({ kind: 'link' }, dataDir)).toBeNull()
    await expect(stat(file)).rejects.toThrow('ENOENT')
    const signedIn = await first.logIn({ login: 'OWNER', password }, client, 'browser')
    expect(signedIn.role).toBe('owner')
    expect(await fresh.db.query(languageOf, [signedIn.login])).toEqual([{ language: 'ru' }])
  } finally {
    await fresh.close()
  }
})

test('the first owner of the environment needs no link', async () => {
  const fresh = await makeTestDatabase()
  try {
    const first = { kind: 'password', login: 'boss', password } as const
    const common = operatorsOn(fresh.db).ensureFirstOwner({ ...first, password: 'password123' }, folder)
    await expect(common).rejects.toThrow('OPERATOR_PASSWORD is among the most common')
    expect(await operatorsOn(fresh.db).ensureFirstOwner(first, folder)).toBeNull()
    expect((await operatorsOn(fresh.db).logIn({ login: 'boss', password }, client, 'token')).role).toBe(
      'owner',
    )
    expect(await operatorsOn(fresh.db).ensureFirstOwner({ ...first, login: 'other' }, folder)).toBeNull()
    expect(await operatorsOn(fresh.db).list()).toHaveLength(1)
  } finally {
    await fresh.close()
  }
})

test('an invitation names nobody twice, works once, and is in the audit log', async () => {
  const { login, id } = await added('finance')
  await expect(invite({ login: login.toUpperCase(), role: 'support' })).rejects.toEqual(
    refused('login_taken'),
  )
  const own = mails.filter(({ to }) => to === `${login}@example.org`)
  expect(own).toMatchObject([
    { kind: 'operator_invitation', login, role: 'finance' },
    { kind: 'operator_password_changed', name: login },
  ])
  expect(await db.query(auditOf, [id])).toEqual([
    { action: 'operator.invite', before: null, after: { login, role: 'finance' } },
    { action: 'operator.password', before: null, after: null },
  ])
})

test('the last owner stays, also when two owners remove each other at once [RIGHT-37]', async () => {
  const [one, two] = [await added('owner'), await added('owner')]
  await invite({ login: 'never-came', role: 'owner' })
  const results = await Promise.allSettled([
    change(one.id, 1, { role: 'support' }),
    change(two.id, 1, { isDisabled: true }),
  ])
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(results.find((result) => result.status === 'rejected')).toMatchObject({
    reason: { code: 'last_owner' },
  })
})

test('a role change is told to owners; it and disabling end every session [WALLET-4]', async () => {
  const owner = await added('owner')
  const { id, login } = await added('support')
  const { session } = await operators.logIn({ login, password }, client, 'browser')
  mails.length = 0
  await change(id, 1, { role: 'content' }, operatorActor(owner.id, 'owner', { login: owner.login }))
  expect(await operators.authenticate(session.token)).toBeUndefined()
  const again = (await operators.logIn({ login, password }, client, 'browser')).session
  expect((await operators.authenticate(again.token))?.role).toBe('content')
  expect(mails).toContainEqual(
    expect.objectContaining({
      kind: 'owner_notice',
      to: `${owner.login}@example.org`,
      notice: { what: 'role_changed', login, before: 'support', after: 'content' },
    }),
  )
  await change(id, 2, { isDisabled: true })
  expect(await operators.authenticate(again.token)).toBeUndefined()
  await expect(operators.logIn({ login, password }, client, 'browser')).rejects.toEqual(
    refused('login_failed'),
  )
  await change(id, 3, { isDisabled: false })
  await operators.logIn({ login, password }, client, 'browser')
})

test('of several changes made of the same version one is taken, and the others are shown what stands', async () => {
  const { id } = await added('support')
  const results = await Promise.allSettled([
    change(id, 1, { role: 'content' }),
    change(id, 1, { role: 'finance' }),
    change(id, 1, { email: 'elsewhere@example.org' }),
    change(id, 1, { isDisabled: true }),
  ])
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const current = await operators.read(id)
  expect(current.revision).toBe(2)
  for (const result of results)
    if (result.status === 'rejected')
      expect(result.reason).toMatchObject({ code: 'conflict', details: { current } })
  // Saving what stands is no change: nobody else is stopped by it.
  await change(id, 2, { role: current.role })
  expect((await operators.read(id)).revision).toBe(2)
})

test('the own password changes with name and old password, and ends the other sessions', async () => {
  const { id, login } = await added('finance')
  const here = await operators.logIn({ login, password }, client, 'browser')
  const there = await operators.logIn({ login, password }, client, 'token')
  const sessionId = (await operators.authenticate(here.session.token))?.session_id ?? ''
  const actor = operatorActor(id, 'finance', { sessionId })
  const changePassword = async (asked: string, typed: string) =>
    actions.execute(
      operators.actions['operator.password'],
      actor,
      await operators.preparePassword(id, { login: asked, proof: { password: typed }, newPassword }, client),
    )
  const newPassword = 'plum-otter-92 and more'
  await expect(changePassword(login, 'wrong one')).rejects.toEqual(refused('password_wrong'))
  await expect(changePassword('somebody', password)).rejects.toEqual(refused('password_wrong'))
  await changePassword(login.toUpperCase(), password)
  expect(await operators.authenticate(there.session.token)).toBeUndefined()
  expect(await operators.authenticate(here.session.token)).toBeDefined()
})

describe('second factor', () => {
  test('asks for a code, takes each once, and a renewed link can take it away', async () => {
    const { id, login } = await added('finance')
    const holder = { kind: 'operator', id } as const
    const { secret } = await operators.factors.beginTotp(db, holder, { issuer: 'x', label: login })
    const now = Math.floor(Date.now() / 1000)
    await operators.factors.confirmTotp(db, holder, await generate({ secret, epoch: now - 30 }))
    await expect(operators.logIn({ login, password }, client, 'token')).rejects.toEqual(
      refused('second_factor_required'),
    )
    const code = await generate({ secret, epoch: now })
    await operators.logIn({ login, password, code }, client, 'token')
    await expect(operators.logIn({ login, password, code }, client, 'token')).rejects.toEqual(
      refused('second_factor_wrong'),
    )
    const { link } = await actions.execute(operators.actions['operator.renew-link'], system, {
      id,
      removesSecondFactor: true,
    })
    await operators.useInvitation({ token: tokenOf(link), password: 'a wholly new sentence' }, 'test')
    await operators.logIn({ login, password: 'a wholly new sentence' }, client, 'token')
  })
})

test('a flood from one network and from many never locks the owner out', async () => {
  const limited = operatorsOn(db, true)
  const { login } = await added('owner')
  await limited.logIn({ login, password }, client, 'browser')
  const codes: string[] = []
  const guess = (network: string) =>
    limited
      .logIn({ login, password: 'wrong guess!' }, { network, userAgent: '' }, 'browser')
      .catch((error) => codes.push(error.code))
  await Promise.all(Array.from({ length: 20 }, () => guess('203.0.113.1')))
  for (let n = 2; n < 32; n += 1) await guess(`203.0.113.${n}`)
  expect(codes).not.toContain('second_factor_required')
  expect(codes.filter((code) => code === 'login_failed').length).toBeLessThanOrEqual(3 + 20)
  expect(codes.filter((code) => code === 'too_many_requests').length).toBeGreaterThanOrEqual(20)
  await limited.logIn({ login, password }, client, 'browser')
})

test('the delay grows with each further attempt', async () => {
  // Each in a process of its own, because one that refused remembers it for a second.
  const strike = () => limitsOf(db, true).strike('operator_pair', 'delay')
  const rewind = statement(
    'test_rewind',
    'update attempt_strikes set blocked_until = now() where blocked_until > now()',
  )
  const waits: number[] = []
  for (let n = 0; n < 12; n += 1) {
    await strike().catch(() => undefined)
    const wait = await strike().then(
      () => 0,
      (error) => error.details.retryAfterSeconds as number,
    )
    waits.push(wait)
    await db.query(rewind)
  }
  expect(waits.filter((wait) => wait > 0)).toEqual(waits.filter((wait) => wait > 0).toSorted((a, b) => a - b))
  expect(Math.max(...waits)).toBeGreaterThan(600)
  expect(Math.max(...waits)).toBeLessThanOrEqual(900)
})
