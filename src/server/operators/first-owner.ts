import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkNewPassword, hashPassword } from '../credentials/credentials.ts'
import { statement } from '../database/database.ts'
import { StartError } from '../start-error.ts'
import { audit, type By, type OperatorNeeds } from './needs.ts'
import { newLink } from './staff.ts'

export type FirstOwner = { kind: 'link' } | { kind: 'password'; login: string; password: string }

const OWNER_LOGIN = 'owner'
const FILE_NAME = 'owner-link.txt'

/** One process at a time; given back with the transaction. */
const lock = statement('operators_first_lock', 'select pg_advisory_xact_lock(7031802115)')
const findOwners = statement(
  'operators_find_owners',
  `select id, login, password_hash is not null as has_password,
     exists (select from one_time_links l where l.operator_id = o.id and l.purpose = 'operator_invitation'
       and l.used_at is null and l.expires_at > now()) as has_link
   from operators o where role = 'owner' and disabled_at is null order by id`,
)
const insertFirst = statement(
  'operators_add_first',
  `insert into operators (login, role, password_hash) values ($1, 'owner', $2) returning id`,
)

interface OwnerRow {
  id: string
  login: string
  has_password: boolean
  has_link: boolean
}

const system: By = { operatorId: null, login: 'system', requestId: null }

/**
 * On a database without an operator makes the first owner: with the given password, or with a one-time link (24 h) that
 * is returned to be printed and kept in `DATA_DIR/owner-link.txt`, readable by this user only. While no owner has used a
 * link, an expired one is replaced. Returns null where nothing is to be printed; the file goes once a password is set.
 */
export async function ensureFirstOwner(
  needs: OperatorNeeds,
  first: FirstOwner,
  dataDir: string,
): Promise<{ login: string; link: string } | null> {
  const made = await needs.database.transaction(async (tx) => {
    await tx.query(lock)
    const owners = await tx.query<OwnerRow>(findOwners)
    if (owners.some((owner) => owner.has_password)) return null
    const waiting = owners[0]
    if (waiting)
      return waiting.has_link
        ? 'waiting'
        : { login: waiting.login, link: await newLink(needs, tx, waiting.id) }
    const passwordHash = first.kind === 'password' ? await hashOf(first) : null
    const login = first.kind === 'password' ? first.login : OWNER_LOGIN
    const { id } = await tx.one<{ id: string }>(insertFirst, [login, passwordHash])
    await audit(tx, system, 'operator.first', id, { after: { login, role: 'owner' } })
    return passwordHash ? null : { login, link: await newLink(needs, tx, id) }
  })
  const file = join(dataDir, FILE_NAME)
  if (made === 'waiting') return null
  if (made) {
    await mkdir(dataDir, { recursive: true })
    await rm(file, { force: true })
    await writeFile(file, `${made.link}\n`, { mode: 0o600, flag: 'wx' })
  } else {
    await rm(file, { force: true })
  }
  return made
}

/** Deletes the file with the first owner's link once that very link was used: it opens nothing any more. */
export async function removeUsedLink(dataDir: string, token: string): Promise<void> {
  const file = join(dataDir, FILE_NAME)
  const kept = await readFile(file, 'utf8').catch(() => '')
  if (kept.includes(token)) await rm(file, { force: true })
}

async function hashOf(first: { login: string; password: string }): Promise<string> {
  try {
    checkNewPassword(first.password, [first.login])
  } catch {
    throw new StartError('OPERATOR_PASSWORD is among the most common passwords: choose another')
  }
  return hashPassword(first.password)
}
