import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { everyRule } from '../../src/server/commands/rules.ts'
import { restoreSnapshot, takeSnapshot } from '../../src/server/commands/snapshot.ts'
import { sql } from '../../src/server/database/database.ts'
import { readFunctions } from '../../src/server/database/functions.ts'
import { migrate, readMigrations } from '../../src/server/database/migrate.ts'
import { checkInSnapshot } from '../../src/server/ledger/check.ts'
import { countByKey, reseal, sealPlain } from '../../src/server/secrets/reseal.ts'
import { Secrets } from '../../src/server/secrets/secrets.ts'
import { makeTestDatabase } from '../support/database.ts'
import { testKey as KEY } from '../support/secrets.ts'
import { fillSale } from './filled-sale.ts'

// Each release leaves a filled database here, as a backup (README.md): today's program has to take every one of them on.

const folder = fileURLToPath(new URL('./', import.meta.url))
const rulesUnder = (...keys: string[]) => everyRule(new Secrets({ keys }))
const backups = readdirSync(folder).filter((name) => name.endsWith('.backup'))

test.each(backups)('%s: today’s program upgrades it, and every rule of ledger:check holds', async (name) => {
  const target = await makeTestDatabase()
  try {
    await restoreSnapshot(
      { url: target.url, runner: undefined },
      `${folder}${name}`,
      { secretKey: KEY },
      { replaces: true },
    )
    expect(await checkInSnapshot(target.db, rulesUnder(KEY))).toEqual([])
    // Its orders were waiting for payment when the backup was made, however long ago that was.
    await target.db.query(
      sql`update orders set expires_at = now() + interval '1 hour' where status = 'pending'`,
    )
    const held = await target.db.one<Record<string, boolean>>(
      sql`select exists (select from orders where status = 'approved' and approved_via = 'chain') as by_chain,
                 exists (select from orders where status = 'approved' and approved_via = 'operator') as by_operator,
                 exists (select from refunds where state = 'claimed') as owed,
                 exists (select from postings where kind = 'grant_reversed') as reversed,
                 exists (select from orders o where o.detail = 'awaiting_payment') as waiting,
                 exists (select from orders where held) as holding`,
    )
    expect(Object.values(held)).not.toContain(false)

    // Pending orders continue: their settlement and expiry keep the rules.
    await target.db.query(sql`update orders set expires_at = now() where status = 'pending'`)
    await target.db.query(
      sql`select settle_order(order_id) from payments where order_id is not null order by order_id`,
    )
    expect(await checkInSnapshot(target.db, rulesUnder(KEY))).toEqual([])

    // Plain data, and data sealed without a key id, is sealed with a new key, which then opens all of it.
    const secrets = new Secrets({ keys: ['another key, of thirty-two letters', KEY] })
    await sealPlain({ db: target.db, secrets })
    expect((await reseal({ db: target.db, secrets })).unreadable).toBe(0)
    const counts = await countByKey({ db: target.db, secrets })
    expect(counts.filter(({ older, other }) => older + other > 0)).toEqual([])
    for (const place of ['passwords of buyers', 'names of buyers', 'telephones of buyers'])
      expect(counts.find((count) => count.name === place)?.current).toBeGreaterThan(100)
    expect(
      await target.db.one(
        sql`select count(*)::int as count from users where name <> '' or phone is not null`,
      ),
    ).toEqual({ count: 0 })
    expect(await checkInSnapshot(target.db, rulesUnder('another key, of thirty-two letters'))).toEqual([])

    expect(await migrate(target.url)).toEqual([])
    const migrations = await target.db.one<{ newest: number }>(
      sql`select max(version) as newest from schema_migrations`,
    )
    expect(migrations.newest).toBe((await readMigrations()).at(-1)?.version)
    const { checksum, version } = await readFunctions()
    expect(await target.db.one(sql`select checksum, version from schema_functions`)).toEqual({
      checksum,
      version,
    })
  } finally {
    await target.close()
  }
})

test('the newest release has a database to upgrade', () => {
  expect(backups).toContain('0.1.0.backup')
})

// A hundred accounts, each with a hash of its password, and as many orders.
test('the sale that a release keeps here can be made again, and every rule holds in it', async () => {
  const source = await makeTestDatabase({ holds: 'demo' })
  const scratch = await mkdtemp(join(tmpdir(), 'presale-upgrade-'))
  try {
    await fillSale(source)
    expect(await checkInSnapshot(source.db, rulesUnder(KEY))).toEqual([])
    const { version } = await readFunctions()
    const kept = process.env['UPDATE_BACKUP'] ? folder : scratch
    const { rows } = await takeSnapshot(source.url, join(kept, `${version}.backup`), { secretKey: KEY })
    expect(Number(rows)).toBeGreaterThan(500)
  } finally {
    await source.close()
    await rm(scratch, { recursive: true })
  }
})
