import type { MailKind, MailLanguage, MailText } from '../../shared/api/mail-templates.ts'
import { type Queryable, sql } from '../database/database.ts'
import { wordRules } from '../mail/mail.ts'

const VERSIONS_MAX = 50

/** With the default, required parts and newest versions. */
export async function readMailText(db: Queryable, kind: MailKind, language: MailLanguage): Promise<MailText> {
  const rows = await db.query<{
    version: number
    subject: string | null
    body: string | null
    published_at: Date
    operator: string | null
  }>(
    sql`select t.version, t.subject, t.body, t.published_at, o.login as operator
          from mail_texts t left join operators o on o.id = t.operator_id
         where t.kind = ${kind} and t.language = ${language} order by t.version desc limit ${VERSIONS_MAX}`,
  )
  const versions = rows.map(({ version, subject, body, published_at: at, operator }) => ({
    version,
    words: subject === null || body === null ? null : { subject, body },
    publishedAt: at.toISOString(),
    operator,
  }))
  const rules = wordRules(kind, language)
  const [latest] = versions
  return {
    kind,
    language,
    version: latest?.version ?? 0,
    isEdited: Boolean(latest?.words),
    publishedAt: latest?.publishedAt ?? null,
    operator: latest?.operator ?? null,
    words: latest?.words ?? rules.product,
    product: rules.product,
    variables: [...rules.variables],
    required: [...rules.required],
    musts: [...rules.musts],
    versions,
  }
}
