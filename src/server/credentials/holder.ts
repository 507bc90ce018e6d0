import { type Fragment, fragment, type Queryable, sql } from '../database/database.ts'

export type Holder = { kind: 'user'; id: string } | { kind: 'operator'; id: string }

export function holderKey(holder: Holder): string {
  return `${holder.kind}:${holder.id}`
}

const columns = { user: fragment`user_id`, operator: fragment`operator_id` } as const

export function holderColumn({ kind }: Pick<Holder, 'kind'>): Fragment {
  return columns[kind]
}

/** Until the transaction ends: logins and changes of access come one after another. */
export async function holdHolder(tx: Queryable, { kind, id }: Holder): Promise<void> {
  await tx.query(
    kind === 'user'
      ? sql`select from users where id = ${id} for no key update`
      : sql`select from operators where id = ${id} for no key update`,
  )
}
