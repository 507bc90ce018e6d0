import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { hashToken } from '../../src/server/secrets/secrets.ts'
import {
  type Answer,
  acceptInvitation,
  apiOf,
  fromOwnPage,
  operatorToken,
  password,
  registerToken,
  sendJson,
} from '../support/api.ts'
import { switchOnApp } from '../support/authenticator-app.ts'
import { openLink } from '../support/links.ts'
import { createPasskeyDevice } from '../support/passkey.ts'
import { startServer, type TestServer } from '../support/server.ts'

// Everything that opens an account or receives its refunds, and what remains of it after each act of
// recovery. The tables below are the rule; each cell is checked in a real database.

/** `young goes`: data older than 8 days stays. */
type Cell = 'stays' | 'goes' | 'young goes'
type Age = 'young' | 'old'

/** In which table each opener of a buyer's account is kept. */
const buyersOpeners = {
  password: 'users',
  'own session': 'user_sessions',
  'copy of its cookie': 'user_sessions',
  'other session': 'user_sessions',
  app: 'totp_secrets',
  'app that was switched off': 'totp_secrets',
  passkey: 'passkeys',
  'passkey that is begun': 'passkey_challenges',
  'recovery codes': 'recovery_codes',
  'link for a new password': 'one_time_links',
  'link to another e-mail address': 'one_time_links',
  'link to a delivery address': 'one_time_links',
  'link that takes back': 'one_time_links',
  'link that takes back, of an earlier address': 'one_time_links',
  'link that takes back, of a later address': 'one_time_links',
  'place of a login': 'known_networks',
  'delivery address': 'delivery_addresses',
  'delivery address that waits': 'delivery_addresses',
  'address for a refund': 'refunds',
  'address for a refund that waits': 'refunds',
  'browser that is sent notices': 'push_devices',
} as const
type BuyersOpener = keyof typeof buyersOpeners

const operatorsOpeners = {
  password: 'operators',
  'own session': 'operator_sessions',
  'copy of its cookie': 'operator_sessions',
  'other session': 'operator_sessions',
  app: 'totp_secrets',
  'app that was switched off': 'totp_secrets',
  passkey: 'passkeys',
  'passkey that is begun': 'passkey_challenges',
  'recovery codes': 'recovery_codes',
  'link for a new password': 'one_time_links',
  'API key': 'api_keys',
  channel: 'operator_channels',
  'approval request': 'approval_requests',
} as const
type OperatorsOpener = keyof typeof operatorsOpeners

const all = <K extends string>(
  openers: Readonly<Record<K, string>>,
  cell: Cell,
  other: Partial<Record<K, Cell>> = {},
) => ({
  ...(Object.fromEntries(Object.keys(openers).map((opener) => [opener, cell])) as Record<K, Cell>),
  ...other,
})

const ofEarlierAddress = { 'link that takes back, of an earlier address': 'stays' } as const
const reset = all(buyersOpeners, 'goes', {
  app: 'young goes',
  passkey: 'young goes',
  'recovery codes': 'young goes',
  'address for a refund': 'young goes',
  ...ofEarlierAddress,
})
const ofOtherSession = {
  'copy of its cookie': 'goes',
  'other session': 'goes',
  'browser that is sent notices': 'goes',
  'passkey that is begun': 'goes',
} as const
/** By act, of an account with an address for tokens that waits; the address of the account is proved unless the act says otherwise. */
const buyersTable = {
  'confirms the address in a session': all(buyersOpeners, 'stays', {
    'link to another e-mail address': 'goes',
  }),
  'is asked to confirm the address outside of one': all(buyersOpeners, 'stays'),
  'resets the password, the address never proved': all(buyersOpeners, 'goes', ofEarlierAddress),
  'resets the password': reset,
  'takes the account back': reset,
  'changes the password': all(buyersOpeners, 'stays', {
    ...ofOtherSession,
    password: 'goes',
    'link to another e-mail address': 'goes',
    'link to a delivery address': 'goes',
    'delivery address': 'goes',
    'delivery address that waits': 'goes',
    'address for a refund that waits': 'goes',
  }),
  'adds a passkey': all(buyersOpeners, 'stays', ofOtherSession),
  'makes new recovery codes': all(buyersOpeners, 'stays', { ...ofOtherSession, 'recovery codes': 'goes' }),
  'removes the passkey': all(buyersOpeners, 'stays', { ...ofOtherSession, passkey: 'goes' }),
  'ends the other sessions': all(buyersOpeners, 'stays', {
    ...ofOtherSession,
    'copy of its cookie': 'stays',
  }),
  'moves to another e-mail address': all(buyersOpeners, 'stays', {
    'copy of its cookie': 'goes',
    'link for a new password': 'goes',
    'link to another e-mail address': 'goes',
  }),
} as const satisfies Record<string, Record<BuyersOpener, Cell>>
type BuyersAct = keyof typeof buyersTable

const access = {
  'copy of its cookie': 'goes',
  'other session': 'goes',
  'API key': 'goes',
  channel: 'goes',
  'passkey that is begun': 'goes',
  'approval request': 'goes',
} as const
const ended = {
  'copy of its cookie': 'goes',
  'other session': 'goes',
  'passkey that is begun': 'goes',
} as const
const operatorsTable = {
  'changes the password': all(operatorsOpeners, 'stays', {
    ...access,
    password: 'goes',
    'link for a new password': 'goes',
  }),
  'makes new recovery codes': all(operatorsOpeners, 'stays', { ...access, 'recovery codes': 'goes' }),
  'is given a new link': all(operatorsOpeners, 'stays', {
    ...access,
    'own session': 'goes',
    'link for a new password': 'goes',
  }),
  'ends the other sessions': all(operatorsOpeners, 'stays', { ...ended, 'copy of its cookie': 'stays' }),
  'is given a new link without the second factor': all(operatorsOpeners, 'goes'),
  'uses the link': all(operatorsOpeners, 'goes', {
    app: 'stays',
    passkey: 'stays',
    'recovery codes': 'stays',
  }),
  'has another role': all(operatorsOpeners, 'stays', { ...access, 'own session': 'goes' }),
  'is disabled': all(operatorsOpeners, 'stays', {
    ...access,
    'own session': 'goes',
    'link for a new password': 'goes',
  }),
} as const satisfies Record<string, Record<OperatorsOpener, Cell>>
type OperatorsAct = keyof typeof operatorsTable

/** Other tables with a column user_id or operator_id, and why their data opens nothing. */
const opensNothing: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['delivery_challenges'].map((table) => [table, 'serves in a session alone, for minutes']),
  ),
  ...Object.fromEntries(
    ['orders', 'payments'].map((table) => [table, 'of an order of its own; none is inherited by the next']),
  ),
  ...Object.fromEntries(
    [
      'holdings',
      'holding_leaves',
      'postings',
      'entries',
      'outbox',
      'delivery_round_notices',
      'delivery_round_rows',
    ].map((table) => [table, 'says what is or was, and is written by the program']),
  ),
  ...Object.fromEntries(
    ['referral_links', 'user_devices', 'giveaway_entries', 'giveaway_winners'].map((table) => [
      table,
      'brings rewards of its own, and shows nothing of the account',
    ]),
  ),
  ...Object.fromEntries(
    [
      'announcement_reactions',
      'bookmarks',
      'comments',
      'comment_reports',
      'nicknames_given_up',
      'user_notes',
    ].map((table) => [table, 'words and marks']),
  ),
  failed_attempts: 'a list to be read',
}

let server: TestServer
let owner: ReturnType<typeof apiOf>
beforeAll(async () => {
  server = await startServer({ OPERATOR_LOGIN: 'owner', OPERATOR_PASSWORD: password }, { jobs: false })
  owner = apiOf(server.url, await operatorToken(server.url, 'owner'))
})
afterAll(() => server?.close())

const call = (method: string, path: string, body?: unknown, token?: string) =>
  sendJson(method, `${server.url}/api/v1${path}`, body, token ? byCookie('session', token) : {})
const byCookie = (name: string, token: string) => ({ cookie: `${name}=${token}`, ...fromOwnPage })
/** The token that the answer put into the browser's cookie. */
const newCookie = ({ headers }: Answer) => /session=([^;]+)/.exec(headers.get('set-cookie') ?? '')?.[1]
/** A call of the operator in a browser. */
const inBrowser =
  ({ token }: { token: string }) =>
  (method: string, path: string, body?: unknown) =>
    apiOf(server.url)(method, path, body, byCookie('operator_session', token))
const newPassword = 'the owner chose this one 7'
let serial = 0

/** The remaining data of an account, by ids recorded when it was filled. */
type Stands<K extends string> = Readonly<Record<K, () => Promise<unknown>>>

const addLink = async (
  holder: { kind: 'user' | 'operator'; id: string },
  purpose: string,
  email: string | null,
  hours = 0,
) => {
  const hash = hashToken(randomBytes(32).toString('hex'))
  await server.context.db.query(
    sql`insert into one_time_links (token_hash, purpose, user_id, operator_id, email, created_at, expires_at)
        values (${hash}, ${purpose}, ${holder.kind === 'user' ? holder.id : null}, ${holder.kind === 'operator' ? holder.id : null},
                ${email}, now() + make_interval(hours => ${hours}), now() + interval '2 hours')`,
  )
  return () =>
    server.context.db.maybeOne(
      sql`select 1 from one_time_links where token_hash = ${hash} and used_at is null and expires_at > now()`,
    )
}

/** Adds an app, a passkey and recovery codes, and returns what remains of them. */
async function addFactors(kind: 'user' | 'operator', id: string, days: number) {
  const { db } = server.context
  const { code } = await switchOnApp(server.context, kind, id)
  const [passkey, challenge] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')]
  const [userId, operatorId] = kind === 'user' ? [id, null] : [null, id]
  const passkeyRow = await db.one<{ id: string }>(
    sql`insert into passkeys (credential_id, user_id, operator_id, name, public_key)
        values (${passkey}, ${userId}, ${operatorId}, 'Desk', '') returning id::text`,
  )
  await db.query(
    sql`insert into passkey_challenges (challenge, purpose, user_id, operator_id, expires_at)
        values (${challenge}, ${`${kind}_registration`}, ${userId}, ${operatorId}, now() + interval '5 minutes')`,
  )
  const aged = sql`with a as (update totp_secrets set confirmed_at = now() - make_interval(days => ${days}) where user_id = ${userId} or operator_id = ${operatorId}),
                        p as (update passkeys set created_at = now() - make_interval(days => ${days}) where user_id = ${userId} or operator_id = ${operatorId})
                   update recovery_codes set created_at = now() - make_interval(days => ${days}) where user_id = ${userId} or operator_id = ${operatorId} returning id`
  const [first] = await db.query<{ id: string }>(aged)
  const app = await db.one<{ id: string }>(
    sql`select id from totp_secrets where user_id = ${userId} or operator_id = ${operatorId}`,
  )
  const former = await db.one<{ id: string }>(
    sql`insert into totp_secrets (user_id, operator_id, secret_encrypted, confirmed_at, removed_at)
        values (${userId}, ${operatorId}, '', now() - interval '900 days', now() - make_interval(days => ${days})) returning id`,
  )
  return {
    code,
    passkeyId: passkeyRow.id,
    stands: {
      app: () => db.maybeOne(sql`select 1 from totp_secrets where id = ${app.id} and removed_at is null`),
      'app that was switched off': () => db.maybeOne(sql`select 1 from totp_secrets where id = ${former.id}`),
      passkey: () => db.maybeOne(sql`select 1 from passkeys where credential_id = ${passkey}`),
      'passkey that is begun': () =>
        db.maybeOne(sql`select 1 from passkey_challenges where challenge = ${challenge}`),
      'recovery codes': () => db.maybeOne(sql`select 1 from recovery_codes where id = ${first?.id}`),
    },
  }
}

const sessionOf = async (whose: 'accounts' | 'operators', token: string) =>
  (await server.context[whose].authenticate(token))?.session_id ?? ''

async function filledBuyer(act: BuyersAct, age: Age) {
  const { db } = server.context
  const days = age === 'young' ? 2 : 8
  const email = `buyer${(serial += 1)}@example.org`
  const token = await registerToken(server.url, email)
  const other = (await call('POST', '/session', { email, password, as: 'token' })).body.token as string
  const isProved = act !== 'resets the password, the address never proved' && !act.includes('confirm')
  const { id, password_hash: hash } = await db.one<{ id: string; password_hash: string }>(
    sql`update users set confirmed_at = case when ${isProved} then now() end where email_key = ${email} returning id, password_hash`,
  )
  const holder = { kind: 'user', id } as const
  await db.query(sql`update user_sessions set kind = 'browser' where token_hash = ${hashToken(token)}`)
  const { code, passkeyId, stands } = await addFactors('user', id, days)
  const [own, others] = [await sessionOf('accounts', token), await sessionOf('accounts', other)]
  const mark = randomBytes(32)
  await db.query(
    sql`insert into push_devices (user_id, session_id, mark, target_encrypted, user_agent, tells_orders) values (${id}, ${others}, ${mark}, '', '', true)`,
  )
  const address = async (counting: boolean) => {
    const row = await db.one<{ id: string }>(
      sql`insert into delivery_addresses (user_id, address, proof, message, signature, named_at, confirmed_at, counts_from, network, chain_id)
          values (${id}, '0x00000000000000000000000000000000000000AA', 'signature', 'm', 's', now() - make_interval(days => ${days}),
                  now() - make_interval(days => ${days}), now() + make_interval(hours => ${counting ? -1 : 20}), 'ethereum', 1) returning id`,
    )
    return () =>
      db.maybeOne(sql`select 1 from delivery_addresses where id = ${row.id} and withdrawn_at is null`)
  }
  await server.context.limits.rememberNetwork(db, `user:${email}`, '192.0.2.99')
  const refundAddress = async (hours: number) => {
    await db.query(
      sql`insert into chains (name, family, confirmation_rules) values ('polygon', 'evm', '{}') on conflict do nothing`,
    )
    const row = await db.one<{ id: string }>(
      sql`with p as (insert into payments (chain, transaction_id, output_key, address, asset, amount, seen_at, confirmations_needed)
                     values ('polygon', ${`${email} ${hours}`}, '0', 'a', 'native', 2, now(), 1) returning id)
          insert into refunds (payment_id, user_id, currency_id, chain, currency, amount, usd, reason, state, address, address_key, claimed_at)
          select p.id, ${id}, c.id, 'polygon', c.code, 1, 1, 'surplus', 'claimed', 'a', 'a', now() - make_interval(hours => ${hours})
            from p, (select * from currencies limit 1) c returning id`,
    )
    return () => db.maybeOne(sql`select 1 from refunds where id = ${row.id} and state = 'claimed'`)
  }
  const session = (which: string) => () => db.maybeOne(sql`select 1 from user_sessions where id = ${which}`)
  const standing: Stands<BuyersOpener> = {
    ...stands,
    password: () => db.maybeOne(sql`select 1 from users where id = ${id} and password_hash = ${hash}`),
    'own session': session(own),
    'copy of its cookie': () => server.context.accounts.authenticate(token),
    'other session': session(others),
    'link for a new password': await addLink(holder, 'reset_password', email),
    'link to another e-mail address': await addLink(holder, 'change_email', `next-${email}`),
    'link to a delivery address': await addLink(holder, 'delivery_address', email),
    'link that takes back': await addLink(holder, 'take_back', email, -1),
    'link that takes back, of an earlier address': await addLink(holder, 'take_back', `then-${email}`, -2),
    'link that takes back, of a later address': await addLink(holder, 'take_back', `later-${email}`, 1),
    'place of a login': () =>
      server.context.limits
        .isNetworkKnown(`user:${email}`, '192.0.2.99')
        .then((isKnown) => isKnown || undefined),
    'delivery address': await address(true),
    'delivery address that waits': await address(false),
    'address for a refund': await refundAddress(days * 24),
    'address for a refund that waits': await refundAddress(2),
    'browser that is sent notices': () => db.maybeOne(sql`select 1 from push_devices where mark = ${mark}`),
  }
  return { email, token, code, passkeyId, standing }
}
type Buyer = Awaited<ReturnType<typeof filledBuyer>>

const openByLink = async (purpose: string, email: string) => {
  const token = await openLink(server.context.db, purpose, email)
  return call('POST', '/account/password-resets/use', { token, password: newPassword })
}
const resetByMail = async ({ email }: Buyer) => {
  await call('POST', '/account/password-resets', { email })
  return openByLink('reset_password', email)
}
const proofOf = async ({ code }: { code: () => Promise<string> }) => ({ password, code: await code() })
const confirm = async ({ email }: Buyer, token?: string) =>
  call(
    'POST',
    '/account/confirmations/use',
    { token: await openLink(server.context.db, 'confirm_email', email) },
    token,
  )

const buyersActs: Readonly<Record<BuyersAct, (buyer: Buyer) => Promise<{ status: number }>>> = {
  'confirms the address in a session': (buyer) => confirm(buyer, buyer.token),
  'is asked to confirm the address outside of one': async (buyer) => {
    expect((await confirm(buyer)).status).toBe(401)
    return { status: 204 }
  },
  'resets the password, the address never proved': resetByMail,
  'resets the password': resetByMail,
  // By another link than the one that is looked up.
  'takes the account back': async ({ email }) => {
    const { id } = await server.context.db.one<{ id: string }>(
      sql`select id from users where email_key = ${email}`,
    )
    await addLink({ kind: 'user', id }, 'take_back', email)
    return openByLink('take_back', email)
  },
  'changes the password': async ({ token, code }) => {
    const proof = { code: await code() }
    return call('POST', '/account/password', { currentPassword: password, newPassword, proof }, token)
  },
  'adds a passkey': async (buyer) => {
    const device = createPasskeyDevice(server.url)
    const options = await call(
      'POST',
      '/account/passkeys/options',
      { proof: await proofOf(buyer) },
      buyer.token,
    )
    return call(
      'POST',
      '/account/passkeys',
      { name: 'Other', answer: device.register(options.body) },
      newCookie(options),
    )
  },
  'makes new recovery codes': async (buyer) =>
    call('POST', '/account/second-factor/recovery-codes', { proof: await proofOf(buyer) }, buyer.token),
  'removes the passkey': async (buyer) => {
    const proof = await proofOf(buyer)
    return call('POST', `/account/passkeys/${buyer.passkeyId}/removal`, { proof }, buyer.token)
  },
  'ends the other sessions': ({ token }) => call('DELETE', '/account/sessions', undefined, token),
  'moves to another e-mail address': async (buyer) => {
    const email = `moved-${buyer.email}`
    const asked = await call('PATCH', '/account', { email, proof: await proofOf(buyer) }, buyer.token)
    const token = await openLink(server.context.db, 'change_email', email)
    return call('POST', '/account/confirmations/use', { token }, newCookie(asked))
  },
}

async function filledOperator(age: Age) {
  const { db } = server.context
  const login = `clerk${(serial += 1)}`
  const { operator, link } = await owner<{ operator: { id: string; revision: number }; link: string }>(
    'POST',
    '/operator/operators',
    { login, role: 'support' },
  )
  await acceptInvitation(server.url, link)
  const [token, other] = [await operatorToken(server.url, login), await operatorToken(server.url, login)]
  const [own, others] = [await sessionOf('operators', token), await sessionOf('operators', other)]
  const { id } = operator
  await db.query(sql`update operator_sessions set kind = 'browser' where token_hash = ${hashToken(token)}`)
  const { password_hash: hash } = await db.one<{ password_hash: string }>(
    sql`select password_hash from operators where id = ${id}`,
  )
  const { code, stands } = await addFactors('operator', id, age === 'young' ? 2 : 8)
  const key = await db.one<{ id: string }>(
    sql`insert into api_keys (name, token_hash, hint, scopes, operator_id) values ('Books', ${randomBytes(32)}, 'x', '{orders:read}', ${id}) returning id`,
  )
  const channel = await db.one<{ id: string }>(
    sql`insert into operator_channels (operator_id, kind, label, target_encrypted, notices, proven_at) values (${id}, 'webhook', 'x', '', '{order_created}', now()) returning id`,
  )
  const request = await db.one<{ id: string }>(
    sql`insert into approval_requests (kind, subject_type, subject_id, payload, summary, requested_by)
        values ('holding.grant', 'user', 'x', '{}', '{}', ${id}) returning id::text`,
  )
  const session = (which: string) => () =>
    db.maybeOne(sql`select 1 from operator_sessions where id = ${which}`)
  const standing: Stands<OperatorsOpener> = {
    ...stands,
    password: () => db.maybeOne(sql`select 1 from operators where id = ${id} and password_hash = ${hash}`),
    'own session': session(own),
    'copy of its cookie': () => server.context.operators.authenticate(token),
    'other session': session(others),
    'link for a new password': await addLink({ kind: 'operator', id }, 'operator_invitation', null),
    'API key': () => db.maybeOne(sql`select 1 from api_keys where id = ${key.id} and revoked_at is null`),
    'approval request': () =>
      db.maybeOne(sql`select 1 from approval_requests where id = ${request.id} and expires_at > now()`),
    channel: () =>
      db.maybeOne(sql`select 1 from operator_channels where id = ${channel.id} and proven_at is not null`),
  }
  return { ...operator, login, token, code, standing }
}
type Clerk = Awaited<ReturnType<typeof filledOperator>>

const change = ({ id, revision }: Clerk, what: object) =>
  owner('PATCH', `/operator/operators/${id}`, { revision, ...what })
const renew = ({ id }: Clerk, removesSecondFactor: boolean) =>
  owner<{ link: string }>('POST', `/operator/operators/${id}/invitation`, { removesSecondFactor })
const operatorsActs: Readonly<Record<OperatorsAct, (clerk: Clerk) => Promise<unknown>>> = {
  'changes the password': async (clerk) =>
    inBrowser(clerk)('POST', '/operator/password', {
      name: clerk.login,
      oldPassword: password,
      newPassword,
      proof: { code: await clerk.code() },
    }),
  'makes new recovery codes': async (clerk) =>
    inBrowser(clerk)('POST', '/operator/second-factor/recovery-codes', {
      proof: await proofOf(clerk),
    }),
  'ends the other sessions': (clerk) => inBrowser(clerk)('DELETE', '/operator/sessions'),
  'is given a new link': (clerk) => renew(clerk, false),
  'is given a new link without the second factor': (clerk) => renew(clerk, true),
  'uses the link': async (clerk) => {
    const token = (await renew(clerk, false)).link.split('#invitation=')[1]
    return apiOf(server.url)(
      'POST',
      '/operator/invitations/use',
      { token, password: newPassword },
      fromOwnPage,
    )
  },
  'has another role': (clerk) => change(clerk, { role: 'content' }),
  'is disabled': (clerk) => change(clerk, { isDisabled: true }),
}

const ages = ['young', 'old'] as const
const expected = (cells: Readonly<Record<string, Cell>>, age: Age) =>
  Object.fromEntries(
    Object.entries(cells).map(([opener, cell]) => [
      opener,
      cell === 'stays' || (cell === 'young goes' && age === 'old'),
    ]),
  )
async function standingOf(stands: Stands<string>) {
  const read = Object.entries(stands).map(
    async ([opener, find]) => [opener, (await find()) !== undefined] as const,
  )
  return Object.fromEntries(await Promise.all(read))
}

describe('what is left of a buyer’s account [RIGHT-38, RIGHT-40]', () => {
  test.each(Object.keys(buyersTable) as BuyersAct[])('whose owner %s', async (act) => {
    for (const age of ages) {
      const buyer = await filledBuyer(act, age)
      expect(await standingOf(buyer.standing)).toEqual(expected(all(buyersOpeners, 'stays'), age))
      expect((await buyersActs[act](buyer)).status).toBeLessThan(300)
      expect([age, await standingOf(buyer.standing)]).toEqual([age, expected(buyersTable[act], age)])
    }
  })
})

describe('what is left of an operator’s account [RIGHT-8]', () => {
  test.each(Object.keys(operatorsTable) as OperatorsAct[])('whose holder %s', async (act) => {
    for (const age of ages) {
      const clerk = await filledOperator(age)
      expect(await standingOf(clerk.standing)).toEqual(expected(all(operatorsOpeners, 'stays'), age))
      await operatorsActs[act](clerk)
      expect([age, await standingOf(clerk.standing)]).toEqual([age, expected(operatorsTable[act], age)])
    }
  })
})

test('each table of a buyer is among the openers, or is named as opening nothing', async () => {
  const rows = await server.context.db.query<{ name: string }>(
    sql`select distinct table_name::text as name from information_schema.columns
         where table_schema = 'public' and column_name = 'user_id' order by 1`,
  )
  const openers = new Set<string>(Object.values(buyersOpeners))
  const isOpener = (name: string) => openers.has(name) || name in opensNothing
  expect(rows.filter(({ name }) => !isOpener(name))).toEqual([])
  expect(Object.keys(opensNothing).filter((name) => !rows.some((row) => row.name === name))).toEqual([])
})
