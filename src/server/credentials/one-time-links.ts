import type { Queryable } from '../database/database.ts'
import { statement } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { hashToken, newToken } from '../secrets/secrets.ts'
import { type Holder, holderStatement } from './holder.ts'

export type LinkPurpose = 'confirm_email' | 'change_email' | 'reset_password' | 'operator_invitation'

export interface UsedLink {
  holder: Holder
  /** The address that the link was mailed to; null for an operator's. */
  email: string | null
}

/** Links that work once, kept as hashes. */
export interface Links {
  /** Makes a token; earlier unused ones of the same person and purpose stop working. */
  create(tx: Queryable, purpose: LinkPurpose, holder: Holder, email?: string): Promise<string>
  /** Uses it up in this transaction. Refuses `link_expired`. */
  use(tx: Queryable, purpose: LinkPurpose, token: string): Promise<UsedLink>
  /** Ends all unused ones of a person, of these purposes. */
  revoke(tx: Queryable, holder: Holder, purposes: readonly LinkPurpose[]): Promise<void>
  /** Deletes what was over a week ago. */
  sweep(db: Queryable): Promise<number>
}

const HOUR = 3600
export const linkSeconds: Readonly<Record<LinkPurpose, number>> = {
  confirm_email: 7 * 24 * HOUR,
  change_email: 24 * HOUR,
  reset_password: HOUR,
  operator_invitation: 24 * HOUR,
}

const insertLink = holderStatement(
  'links_create',
  `insert into one_time_links (token_hash, purpose, :holder, email, expires_at)
   values ($1, $2, $3, $4, now() + make_interval(secs => $5))`,
)
const useLink = statement(
  'links_use',
  `update one_time_links set used_at = now()
   where token_hash = $1 and purpose = $2 and used_at is null and expires_at > now()
   returning user_id, operator_id, email`,
)
const revokeLinks = holderStatement(
  'links_revoke',
  'delete from one_time_links where :holder = $1 and purpose = any($2) and used_at is null',
)
const sweepLinks = statement(
  'links_sweep',
  `delete from one_time_links where expires_at < now() - interval '7 days' returning 1 as gone`,
)

export function createLinks(): Links {
  const revoke: Links['revoke'] = async (tx, holder, purposes) => {
    await tx.query(revokeLinks[holder.kind], [holder.id, [...purposes]])
  }
  return {
    async create(tx, purpose, holder, email) {
      await revoke(tx, holder, [purpose])
      const token = newToken('')
      await tx.query(insertLink[holder.kind], [
        hashToken(token),
        purpose,
        holder.id,
        email ?? null,
        linkSeconds[purpose],
      ])
      return token
    },
    async use(tx, purpose, token) {
      const row = await tx.maybeOne<{
        user_id: string | null
        operator_id: string | null
        email: string | null
      }>(useLink, [hashToken(token), purpose])
      if (!row) return refuse('link_expired')
      const holder: Holder = row.user_id
        ? { kind: 'user', id: row.user_id }
        : { kind: 'operator', id: row.operator_id ?? '' }
      return { holder, email: row.email }
    },
    revoke,
    async sweep(db) {
      return (await db.query(sweepLinks)).length
    },
  }
}
