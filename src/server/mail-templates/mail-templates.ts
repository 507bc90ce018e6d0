import {
  type MailKind,
  type MailLanguage,
  type MailText,
  mailKinds,
  mailLanguages,
} from '../../shared/api/mail-templates.ts'
import { type Database, sql } from '../database/database.ts'
import type { Mailer } from '../mail/mail.ts'
import { mailTemplateActions } from './mail-template-actions.ts'
import { readMailText } from './mail-template-rows.ts'

export interface MailsNeeds {
  readonly db: Database
  readonly mailer: Pick<Mailer, 'preview' | 'sendTest' | 'deliveries'>
}

type Summary = Pick<MailText, 'kind' | 'language' | 'version' | 'isEdited' | 'publishedAt' | 'operator'>

/** The words of mails as operators edit them, and how deliveries went. */
export class MailTemplates {
  readonly actions: ReturnType<typeof mailTemplateActions>
  readonly #needs: MailsNeeds

  constructor(needs: MailsNeeds) {
    this.#needs = needs
    this.actions = mailTemplateActions({
      sendTest: (tx, ...test) => needs.mailer.sendTest(tx, ...test),
      preview: (...words) => needs.mailer.preview(...words),
    })
  }

  /** Every mail in every language, and whose words are in force. */
  async list(): Promise<Summary[]> {
    const rows = await this.#needs.db.query<{
      kind: MailKind
      language: MailLanguage
      version: number
      is_edited: boolean
      published_at: Date
      operator: string | null
    }>(
      sql`select distinct on (t.kind, t.language) t.kind, t.language, t.version, t.body is not null as is_edited,
                 t.published_at, o.login as operator
            from mail_texts t left join operators o on o.id = t.operator_id
           order by t.kind, t.language, t.version desc`,
    )
    const known = new Map(rows.map((row) => [`${row.kind} ${row.language}`, row]))
    return mailKinds.flatMap((kind) =>
      mailLanguages.map((language) => {
        const row = known.get(`${kind} ${language}`)
        return {
          kind,
          language,
          version: row?.version ?? 0,
          isEdited: row?.is_edited ?? false,
          publishedAt: row?.published_at.toISOString() ?? null,
          operator: row?.operator ?? null,
        }
      }),
    )
  }

  /** One mail with its versions. */
  show(kind: MailKind, language: MailLanguage): Promise<MailText> {
    return readMailText(this.#needs.db, kind, language)
  }

  /** MailTemplates that were tried, newest first. */
  deliveries(query: Parameters<Mailer['deliveries']>[0]): ReturnType<Mailer['deliveries']> {
    return this.#needs.mailer.deliveries(query)
  }
}
