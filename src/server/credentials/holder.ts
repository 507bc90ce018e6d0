import { type Statement, statement } from '../database/database.ts'

/** Whose credential it is. */
export type Holder = { kind: 'user'; id: string } | { kind: 'operator'; id: string }

/** Names a holder where a text is needed: limits, authenticated context of what is encrypted. */
export function holderKey(holder: Holder): string {
  return `${holder.kind}:${holder.id}`
}

export interface HolderStatement {
  user: Statement
  operator: Statement
}

/** One statement for each kind of holder: `:holder` in the text becomes the column that its index is on. */
export function holderStatement(name: string, text: string): HolderStatement {
  return {
    user: statement(`${name}_user`, text.replaceAll(':holder', 'user_id')),
    operator: statement(`${name}_operator`, text.replaceAll(':holder', 'operator_id')),
  }
}
