import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkNewPassword } from '../credentials/credentials.ts'
import { sql } from '../database/database.ts'
import { StartError } from '../start-error.ts'
import { system, type UnitOfWork } from '../unit-of-work/unit-of-work.ts'
import { newLink } from './invitations.ts'
import { type OperatorParts, operatorSubject } from './parts.ts'

export type FirstOwner = { kind: 'link' } | { kind: 'password'; login: string; password: string }

const OWNER_LOGIN = 'owner'
const FILE_NAME = 'owner-link.txt'

interface OwnerRow {
  id: string
  login: string
  has_password: boolean
  has_link: boolean
}

export async function ensureFirstOwner(
  parts: OperatorParts,
  first: FirstOwner,
  dataDir: string,
): Promise<{ login: string; link: string } | null> {
  const made = await parts.units.run(system, (unit) => makeFirstOwner(parts, unit, first))
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

/** The login and link to print; `waiting` if an owner has an open link, null if one has a password. */
async function makeFirstOwner(
  parts: OperatorParts,
  unit: UnitOfWork,
  first: FirstOwner,
): Promise<{ login: string; link: string } | 'waiting' | null> {
  // One process at a time.
  await unit.query(sql`select pg_advisory_xact_lock(7031802115)`)
  const owners = await unit.query<OwnerRow>(
    sql`select id, login, password_hash is not null as has_password,
               exists (select from one_time_links l where l.operator_id = o.id and l.purpose = 'operator_invitation'
                          and l.used_at is null and l.expires_at > now()) as has_link
          from operators o where role = 'owner' and disabled_at is null order by id`,
  )
  if (owners.some((owner) => owner.has_password)) return null
  const waiting = owners[0]
  if (waiting?.has_link) return 'waiting'
  if (waiting) return { login: waiting.login, link: await newLink(parts, unit, waiting.id) }
  const passwordHash = first.kind === 'password' ? await hashOf(parts, first) : null
  const login = first.kind === 'password' ? first.login : OWNER_LOGIN
  const { id } = await unit.one<{ id: string }>(
    sql`insert into operators (login, role, password_hash) values (${login}, 'owner', ${passwordHash}) returning id`,
  )
  await unit.audit('operator.first', operatorSubject(id), { after: { login, role: 'owner' } })
  return passwordHash ? null : { login, link: await newLink(parts, unit, id) }
}

export async function removeUsedLink(dataDir: string, token: string): Promise<void> {
  const file = join(dataDir, FILE_NAME)
  const kept = await readFile(file, 'utf8').catch(() => '')
  if (kept.includes(token)) await rm(file, { force: true })
}

async function hashOf(
  { credentials }: OperatorParts,
  first: { login: string; password: string },
): Promise<string> {
  try {
    await checkNewPassword(first.password, [first.login])
  } catch {
    throw new StartError('OPERATOR_PASSWORD is among the most common passwords: choose another')
  }
  return credentials.passwords.hash(first.password, 'operator')
}
