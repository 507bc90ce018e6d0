import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, openDatabase, sql } from '../database/database.ts'
import { startEmbedded } from '../database/embedded.ts'
import { isAlive } from '../is-alive.ts'
import { checkInSnapshot } from '../ledger/check.ts'
import { Secrets } from '../secrets/secrets.ts'
import type { Protection } from './protection.ts'
import { everyRule } from './rules.ts'
import { restoreSnapshot, takeSnapshot } from './snapshot.ts'

export interface Drill {
  rows: bigint
  takenAt: string
  /** Rules broken in the restored database; empty: the drill passed. */
  broken: string[]
}

const CHECK_MS_MAX = 30 * 60_000

/**
 * Restores the file at `path`, else a new backup, into a separate server below `dataDir`, and checks its
 * ledger. Records the success in `db`.
 */
export async function drillBackup(
  db: Database,
  dataDir: string,
  protection: Protection,
  path?: string,
): Promise<Drill> {
  await removeLeftovers(dataDir)
  await mkdir(dataDir, { recursive: true })
  const folder = await mkdtemp(join(dataDir, `drill-${process.pid}-`))
  try {
    const file = path ?? join(folder, 'backup')
    if (path === undefined) await takeSnapshot(db.url, file, protection)
    const drill = await restoreInto(folder, file, protection)
    if (drill.broken.length === 0) {
      await db.query(
        sql`insert into backup_drills (taken_at, rows) values (${drill.takenAt}, ${drill.rows.toString()})`,
      )
    }
    return drill
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function restoreInto(folder: string, file: string, protection: Protection): Promise<Drill> {
  const scratch = await startEmbedded({ dataDir: folder, mode: 'own' })
  const owner = { url: scratch.ownerUrl, runner: undefined }
  try {
    const { rows, takenAt } = await restoreSnapshot(owner, file, protection, {
      replaces: false,
    })
    const restored = openDatabase({
      url: owner.url,
      applicationName: 'presale backup drill',
      statementTimeoutMs: CHECK_MS_MAX,
    })
    try {
      const secrets = new Secrets({ keys: [protection.secretKey, ...(protection.otherKeys ?? [])] })
      const broken = await checkInSnapshot(restored, everyRule(secrets))
      return { rows, takenAt, broken: broken.map(({ rule }) => rule.name) }
    } finally {
      await restored.close()
    }
  } finally {
    await scratch.stop()
  }
}

/** A killed drill leaves personal data. */
async function removeLeftovers(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch(() => [])
  for (const name of names) {
    const pid = Number(/^drill-(\d+)-/.exec(name)?.[1])
    if (pid && !isAlive(pid)) await rm(join(dataDir, name), { recursive: true, force: true })
  }
}
