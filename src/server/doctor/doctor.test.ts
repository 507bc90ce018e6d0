import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/support/database.ts'
import { makeFolder } from '../../../test/support/folders.ts'
import { testSecrets } from '../../../test/support/secrets.ts'
import { multiply } from '../../shared/money.ts'
import { readConfig } from '../config.ts'
import { sql } from '../database/database.ts'
import { Mailer } from '../mail/mail.ts'
import { priceIdOf } from '../rates/rates.ts'
import { Doctor } from './doctor.ts'

const { db } = await createTestDatabase({ holds: 'demo' })
const dataDir = await makeFolder('doctor')

/** What the price sources agree on; null: nothing. */
let agreed: Map<string, string> | null = new Map()
const rates = {
  agreed: () => (agreed ? Promise.resolve(agreed) : Promise.reject(new Error('no two sources agree'))),
}

async function findings(environment: Record<string, string>, answer: () => Promise<Response>) {
  const config = readConfig({ NODE_ENV: 'test', DATA_DIR: dataDir, DEMO: 'off', ...environment })
  const mailer = new Mailer({
    database: db,
    secrets: testSecrets,
    mail: config.mail,
    publicUrl: config.web.publicUrl,
    log: { info: () => {} },
  })
  const found = await new Doctor({ db, config, mailer, rates, fetch: answer }).examine('en')
  return Object.fromEntries(found.map((finding) => [finding.name, finding]))
}
const states = (found: Awaited<ReturnType<typeof findings>>) =>
  Object.fromEntries(Object.entries(found).map(([name, { state }]) => [name, state]))

test('the doctor names what a server by itself lacks, each with its fix', async () => {
  const found = await findings({ PUBLIC_URL: 'http://sale.example.org', TRUST_PROXY: '1' }, () =>
    Promise.reject(new Error('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND sale.example.org') })),
  )
  expect(states(found)).toMatchObject({
    https: 'bad',
    reached: 'bad',
    proxy: 'bad',
    clock: 'fine',
    backup: 'look',
    mail: 'bad',
    owners: 'look',
    chains: 'fine',
  })
  expect(found['reached']?.detail).toContain('ENOTFOUND')
  for (const { state, fix, title } of Object.values(found)) {
    expect(title).not.toBe('')
    expect(fix === null).toBe(state === 'fine')
  }
})

test('the doctor finds nothing where nothing is wrong', async () => {
  await db.query(sql`insert into backup_drills (taken_at, rows) values (now(), 1)`)
  await db.query(
    sql`insert into mail_deliveries (id, kind, language, text_version, addressee, state) values (1, 'order_created', 'en', 0, 'a•••', 'sent')`,
  )
  await db.query(
    sql`with o as (insert into operators (login, role, email, password_hash) values ('ann', 'owner', 'a@example.org', 'x'), ('ben', 'owner', 'b@example.org', 'x') returning id)
        insert into totp_secrets (operator_id, secret_encrypted, confirmed_at) select id, 'x', now() from o`,
  )
  const found = await findings(
    {
      PUBLIC_URL: 'https://sale.example.org',
      TRUST_PROXY: '1',
      SMTP_URL: 'smtps://mail.example.org',
      MAIL_FROM: 'sale@example.org',
    },
    async () => new Response('{}'),
  )
  const { disk: _, ...others } = states(found)
  expect([...new Set(Object.values(others))]).toEqual(['fine'])
  expect(found['owners']?.detail).toBe('ann, ben')
})

test('the doctor names currencies without a wallet, with a stale rate and with a price far from the sources', async () => {
  const examine = () => findings({}, async () => new Response('{}'))
  const [currency] = await db.query<{ id: number; code: string; price_id: string; usd: string }>(
    sql`select k.id, k.code, ${priceIdOf} as price_id, trim_scale(round(k.rate * c.price_usd, 6)) as usd
          from currencies k, campaign c where k.switched_off_at is null and k.wallet_id is null order by k.position limit 1`,
  )
  const { id, code, price_id, usd } = currency ?? expect.fail('the demo has a manual currency')
  agreed = new Map([[price_id, multiply(usd, '1.05')]])
  expect((await examine())['prices']).toMatchObject({ state: 'fine', detail: `${code} $${usd} (-4.76 %)` })
  agreed = new Map([[price_id, multiply(usd, '2')]])
  expect((await examine())['prices']).toMatchObject({ state: 'bad', detail: `${code} $${usd} (-50.00 %)` })
  agreed = null
  expect((await examine())['prices']).toMatchObject({ state: 'look', detail: '—' })

  await db.query(
    sql`update currencies set rate_source = 'feed', rate_at = now() - interval '1 day' where id = ${id}`,
  )
  expect((await examine())['rates']).toMatchObject({
    state: 'bad',
    detail: expect.stringContaining(`${code}: `),
  })
  await db.query(sql`update currencies set paused_at = now() where id = ${id}`)
  expect((await examine())['wallets']).toMatchObject({ state: 'look', detail: code })
  await db.query(sql`update currencies set address = '' where id = ${id}`)
  expect((await examine())['wallets']).toMatchObject({ state: 'bad', detail: code })
  await db.query(sql`update currencies set switched_off_at = now()`)
  expect((await examine())['wallets']).toMatchObject({ state: 'bad', detail: '—' })
})
