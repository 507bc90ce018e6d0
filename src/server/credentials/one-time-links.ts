import { type Queryable, sql } from '../database/database.ts'
import { refuse } from '../refusal.ts'
import { hashToken, newToken } from '../secrets/secrets.ts'
import { type Holder, holderColumn } from './holder.ts'

export type LinkPurpose =
  | 'confirm_email'
  | 'change_email'
  | 'reset_password'
  | 'take_back'
  | 'operator_invitation'
  | 'delivery_address'
  | 'claim_debt'

export interface UsedLink {
  holder: Holder
  /** The address that the link was mailed to; null for an operator's. */
  email: string | null
  createdAt: Date
}

interface LinkOwner {
  readonly userId: string | null
  readonly operatorId: string | null
}

// Rules: RIGHT-38, RIGHT-40, ACCOUNT-1
/** The days in which an owner can take an account back after a mailed change or deletion. */
export const TAKE_BACK_DAYS = 7

const HOUR = 3600
const linkSeconds: Readonly<Record<LinkPurpose, number>> = {
  confirm_email: 7 * 24 * HOUR,
  change_email: 24 * HOUR,
  reset_password: HOUR,
  take_back: TAKE_BACK_DAYS * 24 * HOUR,
  operator_invitation: 24 * HOUR,
  delivery_address: 24 * HOUR,
  claim_debt: HOUR,
}

/** Several links of these purposes stay valid, because a thief may request one too. */
const keepsEarlier: ReadonlySet<LinkPurpose> = new Set(['reset_password', 'take_back'])

/** Only hashes of their tokens are stored. */
export class Links {
  /** For most purposes, revokes the person's earlier unused links. */
  async create(tx: Queryable, purpose: LinkPurpose, holder: Holder, email?: string): Promise<string> {
    if (!keepsEarlier.has(purpose)) await this.revoke(tx, holder, [purpose])
    const token = newToken('')
    await tx.query(
      sql`insert into one_time_links (token_hash, purpose, ${holderColumn(holder)}, email, expires_at)
          values (${hashToken(token)}, ${purpose}, ${holder.id}, ${email ?? null},
                  now() + make_interval(secs => ${linkSeconds[purpose]}))`,
    )
    return token
  }

  /** In this transaction. Throws `link_expired`. */
  async use(tx: Queryable, purpose: LinkPurpose, token: string): Promise<UsedLink> {
    return (await this.useIfOpen(tx, purpose, token)) ?? refuse('link_expired')
  }

  /** Leaves the link open. Throws `link_expired`. */
  async read(tx: Queryable, purposes: readonly LinkPurpose[], token: string): Promise<LinkOwner> {
    const row = await tx.maybeOne<LinkOwner>(
      sql`select user_id as "userId", operator_id as "operatorId" from one_time_links
           where token_hash = ${hashToken(token)} and purpose = any(${[...purposes]}) and used_at is null and expires_at > now()`,
    )
    return row ?? refuse('link_expired')
  }

  /** Returns undefined instead of throwing. */
  async useIfOpen(tx: Queryable, purpose: LinkPurpose, token: string): Promise<UsedLink | undefined> {
    const row = await tx.maybeOne<{
      user_id: string | null
      operator_id: string | null
      email: string | null
      created_at: Date
    }>(
      sql`update one_time_links set used_at = now()
           where token_hash = ${hashToken(token)} and purpose = ${purpose} and used_at is null and expires_at > now()
           returning user_id, operator_id, email, created_at`,
    )
    if (!row) return undefined
    const holder: Holder = row.user_id
      ? { kind: 'user', id: row.user_id }
      : { kind: 'operator', id: row.operator_id ?? '' }
    return { holder, email: row.email, createdAt: row.created_at }
  }

  async revoke(tx: Queryable, holder: Holder, purposes: readonly LinkPurpose[]): Promise<void> {
    await tx.query(
      sql`delete from one_time_links
           where ${holderColumn(holder)} = ${holder.id} and purpose = any(${[...purposes]}) and used_at is null`,
    )
  }
}
