import {
  type MailKind,
  type MailLanguage,
  type MailText,
  mailKinds,
  mailLanguages,
} from '../../shared/api/mails.ts'
import { type Database, sql } from '../database/database.ts'
import type { Notices } from '../notices/notices.ts'
import { mailActs } from './mail-acts.ts'
import { readMailText } from './mail-rows.ts'

export interface MailsNeeds {
  readonly db: Database
  readonly notices: Pick<Notices, 'preview' | 'sendTest' | 'deliveries'>
}

type Summary = Pick<MailText, 'kind' | 'language' | 'version' | 'isEdited' | 'publishedAt' | 'operator'>

/** The words of mails as operators edit them, and how deliveries went. */
export class Mails {
  readonly acts: ReturnType<typeof mailActs>
  readonly #needs: MailsNeeds

  constructor(needs: MailsNeeds) {
    this.#needs = needs
    this.acts = mailActs({
      sendTest: (tx, ...test) => needs.notices.sendTest(tx, ...test),
      preview: (...words) => needs.notices.preview(...words),
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

  /** Mails that were tried, newest first. */
  deliveries(query: Parameters<Notices['deliveries']>[0]): ReturnType<Notices['deliveries']> {
    return this.#needs.notices.deliveries(query)
  }
}
