import {
  type MailKind,
  type MailLanguage,
  type MailServer,
  type MailServerInput,
  type MailText,
  mailKinds,
  mailLanguages,
} from '../../shared/api/mail-templates.ts'
import { type Database, sql } from '../database/database.ts'
import { InvalidInput } from '../invalid-input.ts'
import type { Mailer } from '../mail/mail.ts'
import { refuse } from '../refusal.ts'
import { mailServerActions, showServer, type Tellers } from './mail-server-actions.ts'
import { mailTemplateActions } from './mail-template-actions.ts'
import { readMailText } from './mail-template-rows.ts'

export interface MailsNeeds {
  readonly db: Database
  readonly mailer: Pick<Mailer, 'preview' | 'sendTest' | 'deliveries' | 'trySending' | 'server' | 'resend'>
  readonly operators: Tellers
}

type Summary = Pick<MailText, 'kind' | 'language' | 'version' | 'isEdited' | 'publishedAt' | 'operator'>

/** The operators' mail templates and the log of deliveries. */
export class MailTemplates {
  readonly actions: ReturnType<typeof mailTemplateActions> & ReturnType<typeof mailServerActions>
  readonly #needs: MailsNeeds

  constructor(needs: MailsNeeds) {
    this.#needs = needs
    this.actions = {
      ...mailTemplateActions({
        sendTest: (tx, ...test) => needs.mailer.sendTest(tx, ...test),
        preview: (...words) => needs.mailer.preview(...words),
      }),
      ...mailServerActions(needs.mailer, needs.operators),
    }
  }

  /** All mails in all languages, and whether the default is active. */
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

  server(): Promise<MailServer> {
    return showServer(this.#needs.mailer, this.#needs.db)
  }

  /**
   * Sends a sample to the operator with the given or the active settings (null). Throws own_email_missing,
   * mail_server_missing, mail_server_refused (details.answer).
   */
  async tryServer(operatorId: string, server: MailServerInput | null): Promise<{ host: string; to: string }> {
    const { db, mailer } = this.#needs
    const { email, language } = await db.one<{ email: string | null; language: MailLanguage }>(
      sql`select email, language from operators where id = ${operatorId}`,
    )
    const to = email ?? refuse('own_email_missing')
    if (!server && !(await mailer.server.isSet())) refuse('mail_server_missing')
    const host = server?.host ?? (await mailer.server.read())?.host ?? 'SMTP_URL'
    try {
      await mailer.trySending(to, language, server)
    } catch (error) {
      if (error instanceof InvalidInput) throw error
      refuse('mail_server_refused', { answer: error instanceof Error ? error.message : String(error) })
    }
    return { host, to }
  }

  /** Attempted mails, newest first. */
  deliveries(query: Parameters<Mailer['deliveries']>[0]): ReturnType<Mailer['deliveries']> {
    return this.#needs.mailer.deliveries(query)
  }
}
