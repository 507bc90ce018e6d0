import { hash } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { quietChanges } from '../../../test/support/acts.ts'
import { switchOnApp } from '../../../test/support/authenticator-app.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { peopleOf } from '../../../test/support/people.ts'
import { type Database, sql } from '../database/database.ts'
import { countByKey, reseal, sealPlain } from './reseal.ts'
import { rotateSecrets } from './rotate.ts'
import { Secrets } from './secrets.ts'

const OLD = 'the old key of thirty-two letters'
const NEW = 'the new key of thirty-two letters'
const { db } = await createTestDatabase()
const changes = quietChanges(db)
const client = { network: '192.0.2.7', userAgent: 'test' }
const email = 'ann@example.org'
const password = 'gravel and violets asleep'

const before = new Secrets({ keys: [OLD] })
const both = new Secrets({ keys: [NEW, OLD] })
const after = new Secrets({ keys: [NEW] })
const peopleUnder = (secrets: Secrets) => peopleOf(db, { secrets, isLimited: true })

const { userId } = await peopleUnder(before).accounts.register(
  { name: 'Ann', email, password },
  client,
  'browser',
)
const { recoveryCodes } = await switchOnApp({ ...peopleUnder(before), db }, 'user', userId)
await db.query(
  sql`insert into webhooks (url, events, secret_encrypted) overriding system value
      values ('https://example.org', '{order.created}', ${before.encrypt('webhook-secret', 's', '1')})`,
)
await db.query(
  sql`select graphile_worker.add_job('send_mail', json_build_object('kind', 'x',
        'sealed', ${before.encrypt('mail', '{}', 'x').toString('base64')}::text))`,
)

const leftOf = async (secrets: Secrets) =>
  Object.fromEntries(
    (await countByKey({ db, secrets }))
      .filter(({ older, other }) => older + other > 0)
      .map(({ name, older, other }) => [name, { older, other }]),
  )

/** The same database, which fails at its so many-th change. */
function failingAt(change: number): Database {
  let left = change
  return new Proxy(db, {
    get: (target, name) => {
      if (name !== 'query') return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name)
      return (statement: { text: string }) => {
        if (statement.text.startsWith('update') && (left -= 1) < 0) throw new Error('killed')
        return target.query(statement as never)
      }
    },
  })
}

const logIn = (secrets: Secrets, code: string | undefined) =>
  peopleUnder(secrets).accounts.logIn({ email, password, code }, client, 'browser')

test('a new key opens and logs in at once, a killed rotation goes on, and then the old key is needed no more', async () => {
  expect(await leftOf(both)).toMatchObject({
    'secrets of authenticator apps': { older: 1, other: 0 },
    'recovery codes': { older: 10, other: 0 },
    'passwords of buyers': { older: 1, other: 0 },
    'secrets of webhooks': { older: 1, other: 0 },
    'mails that wait': { older: 1, other: 0 },
  })
  await expect(rotateSecrets({ db: failingAt(2), changes, secrets: both })).rejects.toThrow('killed')
  expect(await leftOf(both)).not.toHaveProperty('secrets of authenticator apps')
  expect(await leftOf(both)).toHaveProperty('mails that wait')
  // Half of it is under the new key, half under the old one, and both are known.
  await expect(logIn(both, recoveryCodes[0])).resolves.toMatchObject({ userId })

  const done = await rotateSecrets({ db, changes, secrets: both })
  expect(done.unreadable).toBe(0)
  expect(await leftOf(after)).toEqual({})
  expect(await rotateSecrets({ db, changes, secrets: both })).toEqual({ sealed: 0, unreadable: 0 })
  const entries = await db.query(
    sql`select after from audit_log where action = 'secret-key.rotate' and operator_id is null order by id`,
  )
  expect(entries).toHaveLength(3)

  await expect(logIn(after, recoveryCodes[1])).resolves.toMatchObject({ userId })
  await expect(logIn(after, recoveryCodes[1])).rejects.toMatchObject({ code: 'second_factor_wrong' })
  expect(after.decrypt('webhook-secret', (await sealedOfWebhook()).sealed, '1')).toBe('s')
})

const sealedOfWebhook = () => db.one<{ sealed: Buffer }>(sql`select secret_encrypted as sealed from webhooks`)

test('what no known key opens stays as it is, is counted, and logs nobody in', async () => {
  const lost = new Secrets({ keys: [OLD] })
  const { unreadable, sealed } = await reseal({ db, secrets: lost })
  expect(sealed).toBe(0)
  expect(unreadable).toBeGreaterThanOrEqual(14)
  await expect(logIn(lost, recoveryCodes[2])).rejects.toMatchObject({ code: 'login_failed' })
  await expect(logIn(after, recoveryCodes[2])).resolves.toMatchObject({ userId })
})

test('what an older program left plain is sealed, and serves before and after', async () => {
  const plain = await hash(password, { memoryCost: 8 * 1024, timeCost: 1, parallelism: 1 })
  const codes = recoveryCodes.slice(3, 5).map((code) => code.replace('-', ''))
  await db.query(sql`update users set password_hash = ${plain} where id = ${userId}`)
  await db.query(sql`delete from recovery_codes`)
  await db.query(
    sql`insert into recovery_codes (user_id, code_hash)
        select ${userId}::bigint, unnest(${codes.map((code) => after.mac('recovery codes', `user:${userId}:${code}`))}::bytea[])`,
  )
  await expect(logIn(after, codes[0])).resolves.toMatchObject({ userId })
  await db.query(sql`update users set password_hash = ${plain} where id = ${userId}`)
  expect(await sealPlain({ db, secrets: after })).toEqual({ sealed: 3, unreadable: 0 })
  expect(await sealPlain({ db, secrets: after })).toEqual({ sealed: 0, unreadable: 0 })
  await expect(logIn(after, codes[1])).resolves.toMatchObject({ userId })
})

test('a value that changes while it is sealed anew is left to whoever changed it', async () => {
  const newer = after.encrypt('webhook-secret', 'changed meanwhile', '1')
  const slow = new Proxy(db, {
    get: (target, name) => {
      if (name !== 'query') return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name)
      return async (statement: { text: string }) => {
        if (statement.text.startsWith('update webhooks'))
          await target.query(sql`update webhooks set secret_encrypted = ${newer}`)
        return target.query(statement as never)
      }
    },
  })
  await reseal({ db: slow, secrets: new Secrets({ keys: [OLD, NEW] }) })
  expect((await sealedOfWebhook()).sealed).toEqual(newer)
})
