import type { Role } from '../../shared/roles.ts'
import { fragment, type Queryable, sql } from '../database/database.ts'

/** The maker of a one-time link counts as its holder for this long. */
const RELATED_MS = 7 * 24 * 3_600_000

export interface StaffMember {
  readonly id: string
  readonly login: string
  readonly role: Role
  readonly canLogIn: boolean
}

/** Relates maker and holder until `until` (milliseconds). */
export interface StaffLink {
  readonly maker: string
  readonly made: string
  readonly until: number
}

export interface Staff {
  readonly members: readonly StaffMember[]
  readonly links: readonly StaffLink[]
}

/** The operator can log in, and no unused link could take the account over. */
const isReady = fragment`o.password_hash is not null and o.disabled_at is null and not exists (
    select from one_time_links l where l.operator_id = o.id and l.purpose = 'operator_invitation'
       and l.used_at is null and l.expires_at > now())`

// Rules: TWO-11
/**
 * All operators and the links that relate them. While dual control is off, ignores earlier links of ready
 * operators, as switching it on would.
 */
export async function readStaff(tx: Queryable): Promise<Staff> {
  const members = await tx.query<StaffMember>(
    sql`select id, login, role, password_hash is not null and disabled_at is null as "canLogIn"
          from operators order by id`,
  )
  const links = await tx.query<{ maker: string; made: string; at: Date }>(
    sql`select a.operator_id::text as maker, a.subject_id as made, max(a.at) as at
          from audit_log a join operators o on o.id::text = a.subject_id
         where a.subject_type = 'operator' and a.action in ('operator.invite', 'operator.renew-link')
           and a.at > now() - make_interval(secs => ${RELATED_MS / 1000}) and a.operator_id is not null
           and case when (select second_operator from campaign)
                 then a.at > coalesce(o.independent_at, '-infinity') else not (${isReady}) end
         group by a.operator_id, a.subject_id`,
  )
  return {
    members,
    links: links.map(({ maker, made, at }) => ({ maker, made, until: at.getTime() + RELATED_MS })),
  }
}

// Rules: TWO-11, TWO-12
/**
 * Dual control is being switched on: ready operators are independent of earlier links. Skips operators with
 * an unused link, which its maker may hold. Returns the number of owners among them.
 */
export async function declareIndependent(tx: Queryable): Promise<number> {
  // A parallel renewal commits first; the next statement sees its link.
  await tx.query(sql`select 1 from operators order by id for update`)
  const ready = await tx.query<{ role: Role }>(
    sql`update operators o set independent_at = clock_timestamp() where ${isReady} returning role`,
  )
  return ready.filter(({ role }) => role === 'owner').length
}

/** One person may control both: a chain of links leads from one operator to both. */
function areRelated(links: readonly StaffLink[], one: string, other: string): boolean {
  const closure = (ids: Iterable<string>, next: (id: string) => string[]) => {
    const all = new Set(ids)
    for (const id of all) for (const more of next(id)) all.add(more)
    return all
  }
  const makers = closure([one], (id) => links.filter(({ made }) => made === id).map(({ maker }) => maker))
  const reached = closure(makers, (id) => links.filter(({ maker }) => maker === id).map(({ made }) => made))
  return reached.has(other)
}

/** In milliseconds; null if the two are not related. */
export function relatedUntil({ links }: Pick<Staff, 'links'>, one: string, other: string): number | null {
  let until: number | null = null
  for (const end of links.map((link) => link.until).toSorted((a, b) => a - b)) {
    const lasting = links.filter((link) => link.until >= end)
    if (!areRelated(lasting, one, other)) break
    until = end
  }
  return until
}

/** They may not confirm for each other until then. */
export function relatedPairs(staff: Staff): { logins: [string, string]; until: string }[] {
  return staff.members.flatMap((one, at) =>
    staff.members.slice(at + 1).flatMap((other) => {
      const until = relatedUntil(staff, one.id, other.id)
      return until === null
        ? []
        : [{ logins: [one.login, other.login] as [string, string], until: new Date(until).toISOString() }]
    }),
  )
}
