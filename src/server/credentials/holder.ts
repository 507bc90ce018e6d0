import { type Fragment, fragment, type Queryable, sql } from '../database/database.ts'

/** Whose credential it is. */
export type Holder = { kind: 'user'; id: string } | { kind: 'operator'; id: string }

/** Names a holder where a text is needed: limits, authenticated context of what is encrypted. */
export function holderKey(holder: Holder): string {
  return `${holder.kind}:${holder.id}`
}

const columns = { user: fragment`user_id`, operator: fragment`operator_id` } as const

/** The column that names this kind of holder; each table of credentials has an index on both. */
export function holderColumn({ kind }: Pick<Holder, 'kind'>): Fragment {
  return columns[kind]
}

/** Locks the person's row until the transaction ends: logins and changes of what opens the account come one after another. */
export async function holdHolder(tx: Queryable, { kind, id }: Holder): Promise<void> {
  await tx.query(
    kind === 'user'
      ? sql`select from users where id = ${id} for no key update`
      : sql`select from operators where id = ${id} for no key update`,
  )
}
