import { type Fragment, fragment } from '../database/database.ts'

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
