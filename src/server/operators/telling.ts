import { type Queryable, sql } from '../database/database.ts'
import type { Language, MailContent, OwnerNotice } from '../mail/mail-kinds.ts'
import type { OperatorParts } from './parts.ts'

interface Addressee {
  readonly email: string
  readonly language: Language
}

// Rules: TWO-19
/**
 * Every owner with an address, and the operator concerned (`operatorId`), even if disabled, if the
 * transaction commits. `formerly`: that operator's previous address.
 */
export async function tellOwners(
  { sendMail }: Pick<OperatorParts, 'sendMail'>,
  tx: Queryable,
  notice: OwnerNotice,
  by: string,
  operatorId: string | null = null,
  formerly?: { readonly email: string | null; readonly language: Language },
): Promise<void> {
  const at = new Date().toISOString()
  const known = await tx.query<Addressee>(
    sql`select email, language from operators
         where email is not null and (role = 'owner' and disabled_at is null or id = ${operatorId}) order by id`,
  )
  const all = formerly?.email ? [...known, { email: formerly.email, language: formerly.language }] : known
  const languages = new Map(all.map(({ email, language }) => [email, language]))
  for (const [to, language] of languages)
    await sendMail(tx, { kind: 'owner_notice', to, language, notice, by, at })
}

/** If the operator has an address. */
export async function tellOperator(
  { sendMail }: Pick<OperatorParts, 'sendMail'>,
  tx: Queryable,
  operatorId: string,
  content: (login: string) => MailContent,
): Promise<void> {
  const known = await tx.maybeOne<Addressee & { login: string }>(
    sql`select login, email, language from operators where id = ${operatorId} and email is not null`,
  )
  if (!known) return
  const { email: to, language, login } = known
  await sendMail(tx, { to, language, isOperators: true, ...content(login) })
}
