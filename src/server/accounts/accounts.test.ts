import { generate } from 'otplib'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { ageRecoveryCodes } from '../../../test/support/authenticator-app.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { forceDetail } from '../../../test/support/forced-detail.ts'
import { refused } from '../../../test/support/outcomes.ts'
import { buyerOfToken, limitsOf, peopleOf } from '../../../test/support/people.ts'
import { statement } from '../../../test/support/statement.ts'
import { Comments } from '../comments/comments.ts'
import { Announcements } from '../content/announcements.ts'
import { sql } from '../database/database.ts'
import { seedCampaign } from '../demo/seed.ts'
import { rates } from '../limits/limits.ts'
import type { Mail } from '../mail/mail-kinds.ts'
import { Retention } from '../retention/retention.ts'
import type { Accounts } from './accounts.ts'

const { db } = await createTestDatabase()
const mails: Mail[] = []
const accountsWith = (isLimited: boolean): Accounts => peopleOf(db, { isLimited, mails }).accounts

const { accounts, actions } = peopleOf(db, { mails })
const client = { network: '192.0.2.1', userAgent: 'Test/1.0' }
const password = 'gravel and violets'
let serial = 0
const newEmail = () => `buyer${(serial += 1)}@example.org`

const all = statement('test_users_with', 'select count(*)::int as count from users where email_key = $1')
const age = statement(
  'test_age',
  `update user_sessions set authenticated_at = now() - interval '1 hour' where id = $1`,
)

const failedLongAgo = statement(
  'test_failed_long_ago',
  `update failed_attempts set last_at = now() - interval '31 days'`,
)

async function registered(email = newEmail()) {
  const signedIn = await accounts.register({ name: 'Ann', email, password }, client, 'browser')
  const caller = await buyerOfToken(accounts, signedIn.session.token)
  return { ...signedIn, email, caller }
}

function linkToken(kind: Mail['kind']): string {
  const mail = mails.findLast((sent) => sent.kind === kind)
  if (!mail || !('link' in mail)) throw new Error(`no mail ${kind}`)
  return mail.link.split('#token=')[1] ?? ''
}

afterEach(() => {
  mails.length = 0
})

/** Accounts over a database that counts what it is asked. */
function countingAccounts() {
  let queries = 0
  const counting = {
    ...db,
    query: (...args: Parameters<typeof db.query>) => ((queries += 1), db.query(...args)),
  }
  const counted = peopleOf(counting as typeof db).accounts
  return { counted, queries: () => queries }
}

describe('register', () => {
  test('40 at once with one address make one account, whatever its case and spaces', async () => {
    const email = newEmail()
    const tries = Array.from({ length: 40 }, (_, index) =>
      accounts.register(
        { name: 'Ann', email: index % 2 ? ` ${email.toUpperCase()} ` : email, password },
        client,
        'token',
      ),
    )
    const results = await Promise.allSettled(tries)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []))
    expect(new Set(reasons)).toEqual(new Set(['registration_failed']))
    expect(await db.one(all, [email])).toEqual({ count: 1 })
    expect(mails.filter(({ kind }) => kind === 'confirm_email')).toHaveLength(1)
  })

  test('signs in at once and buys unconfirmed; the mailed link confirms, once', async () => {
    const { userId } = await registered()
    expect((await accounts.readProfile(userId)).isConfirmed).toBe(false)
    const token = linkToken('confirm_email')
    await accounts.useConfirmation(token, userId)
    expect((await accounts.readProfile(userId)).isConfirmed).toBe(true)
    await expect(accounts.useConfirmation(token, userId)).rejects.toEqual(refused('link_expired'))
  })

  test('a registration that is refused takes nothing of what all visitors have together [RIGHT-25]', async () => {
    const limited = accountsWith(true)
    const ofAll = statement('test_of_all', "select free_at from rate_limits where key like 'register_all:%'")
    const before = await db.query(ofAll)
    const attempt = (chosen: string) =>
      limited.register({ name: 'Ann', email: newEmail(), password: chosen }, client, 'browser')
    await expect(attempt('password123')).rejects.toEqual(refused('password_too_common'))
    expect(await db.query(ofAll)).toEqual(before)
    await attempt(password)
    expect(await db.query(ofAll)).not.toEqual(before)
  })

  test('a common password is refused and nothing is written', async () => {
    const email = newEmail()
    await expect(
      accounts.register({ name: 'Ann', email, password: 'password123' }, client, 'browser'),
    ).rejects.toEqual(refused('password_too_common'))
    expect(await db.one(all, [email])).toEqual({ count: 0 })
  })
})

describe('log in', () => {
  test('any wrong pair is one refusal', async () => {
    const { email } = await registered()
    const wrong = { email, password: 'not the password' }
    await expect(accounts.logIn(wrong, client, 'browser')).rejects.toEqual(refused('login_failed'))
    const nobody = { email: 'nobody@example.org', password }
    await expect(accounts.logIn(nobody, client, 'browser')).rejects.toEqual(refused('login_failed'))
  })

  test('a new place is told by mail, a known one is not', async () => {
    const { email } = await registered()
    mails.length = 0
    await accounts.logIn({ email: email.toUpperCase(), password }, client, 'browser')
    expect(mails).toEqual([])
    await accounts.logIn({ email, password }, { network: '198.51.100.7', userAgent: 'Other/1.0' }, 'browser')
    expect(mails).toEqual([
      expect.objectContaining({ kind: 'new_sign_in', device: 'Other', network: '198.51.100.7' }),
    ])
  })

  test('a hundred lookups of one turn are one query', async () => {
    const people = await Promise.all(Array.from({ length: 5 }, () => registered()))
    const asked = Array.from({ length: 100 }, (_, index) => people[index % 5]?.session.token ?? '')
    const { counted, queries } = countingAccounts()
    const rows = await Promise.all(asked.map((token) => counted.authenticate(token)))
    expect(rows.map((row) => row?.user_id)).toEqual(asked.map((_, index) => people[index % 5]?.userId))
    expect(queries()).toBe(1)
  })

  test('what is no token asks the database nothing', async () => {
    const { counted, queries } = countingAccounts()
    expect(await counted.authenticate('us_short')).toBeUndefined()
    expect(await counted.authenticate(`ops_${'x'.repeat(43)}`)).toBeUndefined()
    expect(queries()).toBe(0)
    // The right shape alone opens nothing: it is looked up.
    expect(await counted.authenticate(`us_${'x'.repeat(43)}`)).toBeUndefined()
    expect(queries()).toBe(1)
  })
})

describe('limits', () => {
  const limited = accountsWith(true)
  const elsewhere = (n: number) => ({ network: `203.0.113.${n}`, userAgent: '' })

  test('guesses wait, 30 parallel ones too, and the owner elsewhere does not', async () => {
    const { email } = await registered()
    const owner = elsewhere(1)
    await limited.logIn({ email, password }, owner, 'browser')
    const guesses = await Promise.allSettled(
      Array.from({ length: 30 }, () =>
        limited.logIn({ email, password: 'wrong guess!' }, elsewhere(2), 'browser'),
      ),
    )
    const codes = guesses.map((guess) => (guess.status === 'rejected' ? guess.reason.code : 'in'))
    expect(codes.filter((code) => code === 'login_failed').length).toBeLessThanOrEqual(5)
    const waiting = guesses.find(
      (guess) => guess.status === 'rejected' && guess.reason.code === 'too_many_requests',
    )
    expect(waiting).toMatchObject({ reason: { details: { retryAfterSeconds: expect.any(Number) } } })
    await expect(limited.logIn({ email, password }, elsewhere(2), 'browser')).rejects.toEqual(
      refused('too_many_requests'),
    )
    await limited.logIn({ email, password }, owner, 'browser')
  })

  test('guesses from many networks wait too, and never the owner', async () => {
    const { email } = await registered()
    const owner = elsewhere(1)
    await limited.logIn({ email, password }, owner, 'browser')
    const codes: string[] = []
    for (let n = 10; n < 45; n += 1) {
      const guess = limited.logIn({ email, password: 'wrong guess!' }, elsewhere(n), 'browser')
      await guess.catch((error) => codes.push(error.code))
    }
    expect(codes.filter((code) => code === 'too_many_requests').length).toBeGreaterThan(0)
    await limited.logIn({ email, password }, owner, 'browser')
  })

  test('registrations per network', async () => {
    const { burst } = rates.register_network
    const full = limitsOf(db, true)
    for (let n = 0; n < burst - 2; n += 1) await full.take('register_network', '203.0.113.99')
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, () =>
        limited.register({ name: 'Ann', email: newEmail(), password }, elsewhere(99), 'token'),
      ),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  })

  test('mails to one mailbox, however it is written, to register and to move an account there', async () => {
    const register = (local: string) =>
      limited.register({ name: 'Ann', email: `${local}@gmail.com`, password }, elsewhere(50), 'token')
    const { caller } = await registered()
    const move = (local: string) =>
      limited.updateProfile(caller, { email: `${local}@gmail.com` }, { password })
    for (const local of ['stranger', 's.tranger', 'stranger+a', 'str.ang.er+b']) await register(local)
    await move('st.ranger')
    await expect(move('stra.nger')).rejects.toEqual(refused('too_many_requests'))
    await expect(register('strange.r')).rejects.toEqual(refused('too_many_requests'))
  })
})

describe('sessions', () => {
  test('are listed, revoked one by one and ended by a password change', async () => {
    const first = await registered()
    const second = await accounts.logIn({ email: first.email, password }, client, 'token')
    const third = await accounts.logIn({ email: first.email, password }, client, 'browser')
    const { items: list, total } = await accounts.listSessions(first.userId, first.caller.sessionId ?? null)
    expect([list.length, total]).toEqual([3, 3])
    expect(list.filter(({ isCurrent }) => isCurrent).map(({ id }) => id)).toEqual([first.caller.sessionId])

    const secondId = (await accounts.authenticate(second.session.token))?.session_id ?? ''
    await actions.execute(accounts.actions['session.end'], first.caller, { id: secondId })
    expect(await accounts.authenticate(second.session.token)).toBeUndefined()

    const stranger = await registered()
    const sessionOfFirst = { id: first.caller.sessionId }
    await expect(
      actions.execute(accounts.actions['session.end'], stranger.caller, sessionOfFirst),
    ).rejects.toEqual(refused('not_found'))

    const change = { proof: { password }, newPassword: 'plum-otter-92 and more' }
    await accounts.changePassword(first.caller, change, client)
    expect(await accounts.authenticate(third.session.token)).toBeUndefined()
    expect(await accounts.authenticate(first.session.token)).toBeDefined()
    expect(mails.at(-1)?.kind).toBe('password_changed')
    await expect(accounts.logIn({ email: first.email, password }, client, 'browser')).rejects.toEqual(
      refused('login_failed'),
    )
  })

  test('more than are listed are counted', async () => {
    const { caller, userId } = await registered()
    const text = `insert into user_sessions (token_hash, user_id, kind, expires_at, last_seen_at)
      select sha256(convert_to('many ' || n, 'UTF8')), $1, 'token', now() + interval '1 day', now() - n * interval '1 second'
        from generate_series(1, 205) n`
    await db.query(statement('test_many_sessions', text), [userId])
    const { items, total } = await accounts.listSessions(userId, caller.sessionId ?? null)
    expect([items.length, total]).toEqual([200, 206])
    expect(items[0]?.isCurrent).toBe(true)
  })

  test('a wrong current password changes nothing', async () => {
    const { caller, email } = await registered()
    const change = { proof: { password: 'something else' }, newPassword: 'plum-otter-92 and more' }
    await expect(accounts.changePassword(caller, change, client)).rejects.toEqual(refused('password_wrong'))
    await accounts.logIn({ email, password }, client, 'browser')
  })

  test.each([
    ['after its whole time', 'expires_at', '0 seconds'],
    ['unused', 'last_seen_at', '7 days'],
  ])('one ends by itself %s', async (_, column, interval) => {
    const { caller, session, userId } = await registered()
    expect(await accounts.authenticate(session.token)).toBeDefined()
    const text = `update user_sessions set ${column} = now() - interval '${interval}' where id = $1`
    await db.query(statement(`test_end_by_${column}`, text), [caller.sessionId])
    expect(await accounts.authenticate(session.token)).toBeUndefined()
    expect(await accounts.listSessions(userId, null)).toEqual({ items: [], total: 0 })
  })

  test('logging out ends the session', async () => {
    const { session } = await registered()
    await accounts.logOut(session.token)
    expect(await accounts.authenticate(session.token)).toBeUndefined()
  })
})

describe('reset by mail', () => {
  test('takes the account over: sessions end, and where it was unconfirmed a squatter’s second factor goes', async () => {
    const { email, caller, session } = await registered()
    const { secret } = await accounts.factors.beginTotp(
      db,
      { kind: 'user', id: caller.userId },
      { issuer: 'x', label: email },
    )
    await accounts.factors.confirmTotp(db, { kind: 'user', id: caller.userId }, await generate({ secret }))
    await accounts.requestReset(email, client)
    const token = linkToken('reset_password')
    await accounts.resetPassword({ token, password: 'a wholly new sentence' }, client)
    expect(await accounts.authenticate(session.token)).toBeUndefined()
    await accounts.logIn({ email, password: 'a wholly new sentence' }, client, 'browser')
    expect((await accounts.readProfile(caller.userId)).isConfirmed).toBe(true)
    await expect(accounts.resetPassword({ token, password: 'another new sentence' }, client)).rejects.toEqual(
      refused('link_expired'),
    )
  })

  test('of a confirmed account keeps a second factor that is older than a week [RIGHT-38]', async () => {
    const { email, caller } = await registered()
    await accounts.useConfirmation(linkToken('confirm_email'), caller.userId)
    const holder = { kind: 'user', id: caller.userId } as const
    const { secret } = await accounts.factors.beginTotp(db, holder, { issuer: 'x', label: email })
    await accounts.factors.confirmTotp(db, holder, await generate({ secret }))
    await db.query(
      statement(
        'test_old_factor',
        "update totp_secrets set confirmed_at = now() - interval '8 days' where user_id = $1",
      ),
      [caller.userId],
    )
    await accounts.requestReset(email, client)
    await accounts.resetPassword(
      { token: linkToken('reset_password'), password: 'a wholly new sentence' },
      client,
    )
    await expect(
      accounts.logIn({ email, password: 'a wholly new sentence' }, client, 'browser'),
    ).rejects.toEqual(refused('second_factor_required'))
  })

  test('20 uses of one link at once: one works', async () => {
    const { email } = await registered()
    await accounts.requestReset(email, client)
    const token = linkToken('reset_password')
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, n) =>
        accounts.resetPassword({ token, password: `sentence number ${n} xyz` }, client),
      ),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('of an unknown address sends nothing and says nothing', async () => {
    await accounts.requestReset('nobody@example.org', client)
    expect(mails).toEqual([])
  })

  test('a link that is past its time opens nothing', async () => {
    const { email, userId } = await registered()
    await accounts.requestReset(email, client)
    const [confirmation, token] = [linkToken('confirm_email'), linkToken('reset_password')]
    await db.query(
      statement('test_old_links', "update one_time_links set expires_at = now() - interval '1 second'"),
    )
    await expect(
      accounts.resetPassword({ token, password: 'a wholly new sentence' }, client),
    ).rejects.toEqual(refused('link_expired'))
    await expect(accounts.useConfirmation(confirmation, userId)).rejects.toEqual(refused('link_expired'))
    await accounts.logIn({ email, password }, client, 'browser')
  })

  test('an older link stays good beside a newer one until either is used', async () => {
    const { email } = await registered()
    await accounts.requestReset(email, client)
    const first = linkToken('reset_password')
    await accounts.requestReset(email, client)
    const second = linkToken('reset_password')
    await accounts.resetPassword({ token: first, password: 'a wholly new sentence' }, client)
    await expect(
      accounts.resetPassword({ token: second, password: 'another new sentence' }, client),
    ).rejects.toEqual(refused('link_expired'))
  })
})

describe('attempts that fail', () => {
  const guess = (email: string, network: string) =>
    accounts
      .logIn({ email, password: 'not the password' }, { ...client, network }, 'browser')
      .catch(() => null)

  test('are shown to the person by day and shortened network, and told by mail once a day from the fifth on [RIGHT-28]', async () => {
    const { email, caller } = await registered()
    const holder = { kind: 'user', id: caller.userId } as const
    mails.length = 0
    for (let n = 0; n < 4; n += 1) await guess(email, '198.51.100.7')
    await accounts.failed.settle()
    expect(mails).toEqual([])
    await Promise.all([1, 2, 3, 4].map((last) => guess(email.toUpperCase(), `2001:db8:5:${last}::/64`)))
    await guess('nobody@example.org', '198.51.100.7')
    await accounts.failed.settle()
    expect(mails).toEqual([expect.objectContaining({ kind: 'failed_attempts', to: email, attempts: 5 })])
    expect(await accounts.failed.list(holder)).toMatchObject([
      { reason: 'password', network: '2001:db8:5::/48', attempts: 4 },
      { reason: 'password', network: '198.51.100.0/24', attempts: 4 },
    ])
    expect(JSON.parse(await accounts.exportOwnData(caller.userId)).failedAttempts).toHaveLength(2)
  })

  test('inside a session are shown too, go after 30 days, and are nobody else’s to see [RIGHT-28]', async () => {
    const { caller } = await registered()
    const holder = { kind: 'user', id: caller.userId } as const
    const wrong = { proof: { password: 'not the password' }, newPassword: 'a wholly new sentence' }
    await expect(accounts.changePassword(caller, wrong, client)).rejects.toMatchObject({
      code: 'password_wrong',
    })
    await accounts.failed.settle()
    expect(await accounts.failed.list(holder)).toMatchObject([{ reason: 'step_up', attempts: 1 }])
    expect(await accounts.failed.list({ kind: 'operator', id: caller.userId })).toEqual([])
    await db.query(failedLongAgo)
    await new Retention({ db }).sweep('failed_attempts')
    expect(await accounts.failed.list(holder)).toEqual([])
  })
})

describe('second factor', () => {
  test('each code serves once, of 20 parallel uses one; recovery codes too', async () => {
    const { email, caller } = await registered()
    await accounts.useConfirmation(linkToken('confirm_email'), caller.userId)
    const holder = { kind: 'user', id: caller.userId } as const
    const { secret } = await accounts.factors.beginTotp(db, holder, { issuer: 'iToken', label: email })
    await accounts.logIn({ email, password }, client, 'browser')
    // The clock stands, so that no code grows too old while others are tried.
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const now = Math.floor(Date.now() / 1000)
    const first = await generate({ secret, epoch: now - 30 })
    const { recoveryCodes } = await actions.execute(accounts.actions['second-factor.confirm'], caller, {
      code: first,
    })
    expect(recoveryCodes).toHaveLength(10)
    await ageRecoveryCodes(db)

    await expect(accounts.logIn({ email, password }, client, 'browser')).rejects.toMatchObject({
      code: 'second_factor_required',
      details: { methods: ['totp', 'recovery_code'] },
    })
    const again = accounts.logIn({ email, password, code: first }, client, 'browser')
    await expect(again).rejects.toMatchObject({ code: 'second_factor_wrong', details: { isUsed: true } })
    await accounts.failed.settle()
    expect(mails.find(({ kind }) => kind === 'code_used_again')).toMatchObject({
      to: email,
      name: 'Ann',
      network: '192.0.2.0/24',
    })

    const code = await generate({ secret, epoch: now })
    const race = await Promise.allSettled(
      Array.from({ length: 20 }, () => accounts.logIn({ email, password, code }, client, 'browser')),
    )
    expect(race.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)

    const recovery = recoveryCodes[0]?.toUpperCase() ?? ''
    const spend = await Promise.allSettled(
      Array.from({ length: 10 }, () =>
        accounts.logIn({ email, password, code: recovery }, client, 'browser'),
      ),
    )
    expect(spend.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await accounts.factors.state(holder)).recoveryCodesLeft).toBe(9)
    expect(mails.map(({ kind }) => kind)).toContain('second_factor_changed')
    await accounts.failed.settle()
    const used = (await accounts.failed.list(holder)).find(({ reason }) => reason === 'used_code')
    expect(used?.attempts).toBe(1 + 19 + 9)
    expect(mails.filter(({ kind }) => kind === 'code_used_again')).toHaveLength(1)
  })

  test('a secret that was never confirmed guards nothing; a confirmed one is not replaced', async () => {
    const { email, caller } = await registered()
    const holder = { kind: 'user', id: caller.userId } as const
    await accounts.factors.beginTotp(db, holder, { issuer: 'iToken', label: email })
    const { secret } = await accounts.factors.beginTotp(db, holder, { issuer: 'iToken', label: email })
    await expect(accounts.factors.confirmTotp(db, holder, '000000')).rejects.toEqual(
      refused('second_factor_wrong'),
    )
    await accounts.factors.confirmTotp(db, holder, await generate({ secret }))
    const replace = accounts.factors.beginTotp(db, holder, { issuer: 'iToken', label: email })
    await expect(replace).rejects.toEqual(refused('conflict'))
    await accounts.factors.removeTotp(db, holder)
    await accounts.logIn({ email, password }, client, 'browser')
  })
})

describe('profile', () => {
  test('a new address counts once its link is used; the old one is told', async () => {
    const { caller, email, userId } = await registered()
    await accounts.useConfirmation(linkToken('confirm_email'), userId)
    const next = newEmail()
    await accounts.updateProfile(caller, { email: next, name: 'Anna', language: 'ru' }, { password })
    expect(mails.map(({ kind, to }) => [kind, to])).toEqual([
      ['confirm_email', email],
      ['change_email', next],
      ['email_changing', email],
    ])
    expect(await accounts.readProfile(userId)).toMatchObject({
      email,
      pendingEmail: next,
      name: 'Anna',
      language: 'ru',
    })
    await accounts.useConfirmation(linkToken('change_email'), userId)
    expect(await accounts.readProfile(userId)).toMatchObject({
      email: next,
      pendingEmail: null,
      isConfirmed: true,
    })
  })

  test('an address needs the password, and a fresh login is no proof instead [RIGHT-39]', async () => {
    const { caller: old, session } = await registered()
    await db.query(age, [old.sessionId])
    const caller = await buyerOfToken(accounts, session.token)
    const change = { email: newEmail() }
    await expect(accounts.updateProfile(caller, change)).rejects.toEqual(refused('step_up_required'))
    const wrong = accounts.updateProfile(caller, change, { password: 'wrong' })
    await expect(wrong).rejects.toEqual(refused('password_wrong'))
    const proof = await accounts.prove(caller.userId, { password }, client)
    await actions.execute(accounts.actions['session.step-up'], caller, proof)
    const fresh = await buyerOfToken(accounts, session.token)
    await expect(accounts.updateProfile(fresh, change)).rejects.toEqual(refused('step_up_required'))
    await accounts.updateProfile(caller, change, { password })
  })

  test('two who want one address: the first to confirm has it', async () => {
    const [one, two] = [await registered(), await registered()]
    const wanted = newEmail()
    await accounts.updateProfile(one.caller, { email: wanted }, { password })
    const first = linkToken('change_email')
    await accounts.updateProfile(two.caller, { email: wanted }, { password })
    const second = linkToken('change_email')
    const results = await Promise.allSettled([
      accounts.useConfirmation(first, one.userId),
      accounts.useConfirmation(second, two.userId),
    ])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await expect(
      accounts.updateProfile((await registered()).caller, { email: wanted }, { password }),
    ).rejects.toEqual(refused('email_taken'))
  })

  test('nicknames are unique whatever the case', async () => {
    const [one, two] = [await registered(), await registered()]
    await accounts.updateProfile(one.caller, { nickname: 'Otter', showsOnLeaderboard: true })
    await expect(accounts.updateProfile(two.caller, { nickname: 'oTTer' })).rejects.toEqual(
      refused('nickname_taken'),
    )
    await accounts.updateProfile(one.caller, { nickname: 'oTTer' })
    await accounts.updateProfile(two.caller, { nickname: 'Badger' })
  })
})

describe('own data', () => {
  const seed = statement(
    'test_pending_order',
    `with c as (insert into currencies (code, full_name, network, rate) values ($2, $2, 'manual', 1) returning id),
     s as (insert into stages (name, goal_usd, price_usd, starts_at, ends_at)
       values ('S', 100, 1, now() - interval '1 day', now() + interval '1 day') returning id),
     t as (insert into order_terms (maximum_tokens, levels) values (1, '[]') on conflict on constraint order_terms_once do update set levels = excluded.levels returning id)
     insert into orders (token, user_id, currency_id, currency, stage_id, base_tokens, bonus_tokens, bonus_percent, held_percent,
       level_key, terms_id, crypto_amount, usd, price_usd, rate, place, watched, sent_at, expires_at)
     select 'token ' || $2, $1, c.id, $2, s.id, 10, 0, 0, 0, 'bronze', t.id, 10, 10, 1, 1, 'a', false, now(), now() + interval '1 hour' from c, s, t`,
  )
  const note = statement(
    'test_note',
    `with o as (insert into operators (login, role) values ('note-writer', 'support') returning id)
     insert into user_notes (user_id, operator_id, body) select $1, id, 'Called twice.' from o`,
  )
  const notesLeft = statement('test_notes_left', 'select id from user_notes where user_id = $1')
  const settle = statement('test_reject', `update orders set status = 'rejected' where user_id = $1`)

  test('is refused to be deleted while an order is open, then becomes anonymous [ACCOUNT-1]', async () => {
    const { caller, email, userId, reference, session } = await registered()
    await db.query(seed, [userId, 'TST'])
    await db.query(note, [userId])
    await expect(accounts.deleteAccount(caller, { proof: { isPasswordRight: true } })).rejects.toMatchObject({
      code: 'account_has_pending',
      details: { orders: 1 },
    })
    const data = JSON.parse(await accounts.exportOwnData(userId))
    expect(data).toMatchObject({
      account: { email, reference },
      orders: [{ token: 'token TST', base_tokens: '10.000000', usd: '10.00' }],
      operatorNotes: [{ body: 'Called twice.' }],
    })
    expect(JSON.stringify(data)).not.toMatch(/password_hash|token_hash|argon2/)

    await db.query(settle, [userId])
    await accounts.deleteAccount(caller, { proof: { isPasswordRight: true } })
    expect(await accounts.authenticate(session.token)).toBeUndefined()
    await expect(accounts.logIn({ email, password }, client, 'browser')).rejects.toEqual(
      refused('login_failed'),
    )
    const row = await db.one<Record<string, unknown>>(
      statement('test_row', 'select * from users where id = $1'),
      [userId],
    )
    expect(row).toMatchObject({
      reference,
      email: null,
      email_key: null,
      name: '',
      name_sealed: null,
      phone: null,
      phone_sealed: null,
      password_hash: null,
    })
    // A program that knows nothing of seals can't leave them behind.
    await expect(
      db.query(sql`update users set name_sealed = 'x' where id = ${userId}`),
    ).rejects.toMatchObject({ constraint: 'users_deleted_holds_no_seal' })
    expect(await db.query(notesLeft, [userId])).toEqual([])
    await registered(email)
  })

  test('is refused to be deleted while money is owed', async () => {
    const { caller, userId } = await registered()
    await db.query(
      statement(
        'test_no_stage',
        "update stages set starts_at = starts_at - interval '1 year', ends_at = ends_at - interval '1 year'",
      ),
    )
    await db.query(seed, [userId, 'OWE'])
    const [{ id } = { id: '' }] = await db.query<{ id: string }>(
      statement('test_refund_due', "update orders set status = 'rejected' where user_id = $1 returning id"),
      [userId],
    )
    await forceDetail(db, id, 'refund_due')
    const pending = { code: 'account_has_pending', details: { orders: 1 } }
    await expect(accounts.deleteAccount(caller, { proof: { isPasswordRight: true } })).rejects.toMatchObject(
      pending,
    )
    await forceDetail(db, id, 'rejected_by_operator')
    await db.query(
      statement(
        'test_refund',
        `insert into refunds (order_id, user_id, currency_id, chain, currency, amount, usd, reason, state)
           select o.id, o.user_id, o.currency_id, 'manual', o.currency, 10, 10, 'order_rejected', 'owed' from orders o where o.id = $1`,
      ),
      [id],
    )
    await expect(accounts.deleteAccount(caller, { proof: { isPasswordRight: true } })).rejects.toMatchObject(
      pending,
    )
    await db.query(statement('test_refund_gone', 'delete from refunds where order_id = $1'), [id])
    // What was paid too late for an order, and is sent back, leaves it pending.
    await db.query(
      statement('test_refunded', "update orders set status = 'pending', sent_at = now() where id = $1"),
      [id],
    )
    await forceDetail(db, id, 'refunded')
    await accounts.deleteAccount(caller, { proof: { isPasswordRight: true } })
  })

  test('is deleted with tokens to be delivered only where the buyer says so', async () => {
    const { caller, userId } = await registered()
    await db.query(
      statement('test_tokens', 'insert into holdings (user_id, granted_tokens) values ($1, 12.5)'),
      [userId],
    )
    await expect(accounts.deleteAccount(caller, { proof: { isPasswordRight: true } })).rejects.toMatchObject({
      code: 'account_has_pending',
      details: { orders: 0, undeliveredTokens: '12.500000' },
    })
    const asked = { proof: { isPasswordRight: true }, givesUpTokens: true } as const
    const { dueAt } = await accounts.deleteAccount(caller, asked)
    expect(Math.round((Date.parse(dueAt ?? '') - Date.now()) / 86_400_000)).toBe(7)
    expect(await accounts.readProfile(userId)).toMatchObject({ deletionDueAt: dueAt })
    await accounts.keepAccount(caller)
    expect(await accounts.readProfile(userId)).toMatchObject({ deletionDueAt: null })
    await accounts.deleteAccount(caller, asked)
    await accounts.deleteDueAccounts()
    expect(await accounts.readProfile(userId)).toMatchObject({ deletionDueAt: expect.any(String) })
    await db.query(sql`update users set deletion_due_at = now() where id = ${userId}`)
    await accounts.deleteDueAccounts()
    await expect(accounts.readProfile(userId)).rejects.toEqual(refused('session_ended'))
  })
})

describe('following the announcements by mail', () => {
  test('is in the data of the account whose confirmed address it is, and ends with the account [TEXT-11]', async () => {
    const { caller, email, userId } = await registered()
    await db.query(
      sql`insert into followers (email, email_key, language, confirm_hash, leave_key, confirmed_at)
          values (${email}, lower(${email}), 'en', sha256('x'), 'a key to leave', now())`,
    )
    const follows = async () => JSON.parse(await accounts.exportOwnData(userId)).followsAnnouncements
    // Whoever registers with the address of somebody else learns nothing of it.
    expect(await follows()).toBeNull()
    await db.query(sql`update users set confirmed_at = now() where id = ${userId}`)
    expect(await follows()).toMatchObject({ email, language: 'en' })
    expect(JSON.stringify(await follows())).not.toMatch(/leave_key|confirm_hash/)
    await accounts.deleteAccount(caller, { proof: { isPasswordRight: true } })
    expect(await db.query(sql`select from followers`)).toEqual([])
  })
})

describe('comments', () => {
  test('has the comments, reports and bookmarks of the account, which are deleted with it, also while one is being written [TEXT-8]', async () => {
    const { caller, userId } = await registered()
    const { id } = await db.one<{ id: string }>(
      sql`insert into announcements (title, body, published_at) values ('{"en": "News"}', '{"en": "News"}', now()) returning id`,
    )
    await seedCampaign(db, false)
    await db.query(sql`update campaign set settings = settings || '{"comments": true}'`)
    await db.query(sql`update users set confirmed_at = now() where id = ${userId}`)
    const comments = new Comments({ db, publicUrl: 'https://sale.example.org', limits: limitsOf(db, false) })
    const { id: comment } = await comments.add(Number(id), userId, { body: 'First', showsName: false })
    await comments.report(comment, userId, 'spam')
    await new Announcements({ db }).keep(Number(id), userId)
    expect(JSON.parse(await accounts.exportOwnData(userId))).toMatchObject({
      comments: [{ body: 'First', shows_name: false }],
      commentReports: [{ reason: 'spam' }],
      bookmarks: [{ announcement_id: id }],
    })
    const written = Array.from({ length: 4 }, (_, n) =>
      comments.add(Number(id), userId, { body: `While it is deleted ${n}`, showsName: true }),
    )
    await Promise.allSettled([
      ...written.slice(0, 2),
      accounts.deleteAccount(caller, { proof: { isPasswordRight: true } }),
      ...written.slice(2),
    ])
    const { count } = await db.one<{ count: number }>(
      sql`select (select count(*)::int from comments where user_id = ${userId})
               + (select count(*)::int from comment_reports where user_id = ${userId})
               + (select count(*)::int from bookmarks where user_id = ${userId}) as count`,
    )
    expect(count).toBe(0)
    await expect(comments.add(Number(id), userId, { body: 'After', showsName: false })).rejects.toEqual(
      refused('comment_unconfirmed'),
    )
  })
})
