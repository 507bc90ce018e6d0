import type { MailServerInput } from '../../shared/api/mail-templates.ts'
import type { Config } from '../config.ts'
import { type Queryable, sql } from '../database/database.ts'
import { refuseField } from '../invalid-input.ts'
import type { Outside } from '../outside/outside.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { type Delivery, deliveryBy, type SmtpServer } from './delivery.ts'

/** Purpose and context of the sealed password; there is one row. */
const PURPOSE = 'mail-server'
const ROW = '1'

export interface MailServerRow {
  readonly host: string
  readonly port: number
  readonly login: string
  readonly from: string
  readonly hasPassword: boolean
  readonly revision: number
}

interface StoredRow extends MailServerRow {
  readonly sealed: Buffer | null
}

export interface MailServerNeeds {
  readonly database: Queryable
  readonly secrets: Secrets
  /** From the environment, which has priority over the page's. */
  readonly given: Config['mail']
  readonly outside?: Outside | undefined
}

const readRow = (tx: Queryable): Promise<StoredRow | undefined> =>
  tx.maybeOne<StoredRow>(
    sql`select host, port, login, from_address as "from", password_sealed as sealed, revision,
               password_sealed is not null as "hasPassword" from mail_server`,
  )

/** The environment's mail server, or the one set on the page. */
export class MailServer {
  readonly #needs: MailServerNeeds
  #opened: { revision: number; delivery: Delivery } | undefined

  constructor(needs: MailServerNeeds) {
    this.#needs = needs
  }

  /** If so, no page can set one. */
  get isGiven(): boolean {
    return this.#needs.given.kind === 'smtp'
  }

  /** The page's configuration without the password. */
  async read(tx: Queryable = this.#needs.database): Promise<MailServerRow | null> {
    const row = await readRow(tx)
    if (!row) return null
    const { sealed: _, ...shown } = row
    return shown
  }

  /** The page's configuration with the password, or null. */
  async readOpen(tx: Queryable): Promise<SmtpServer | null> {
    const row = await readRow(tx)
    if (!row) return null
    const { host, port, login, from } = row
    return { host, port, login, from, password: this.#passwordOf(row) }
  }

  /** A delivery by a former configuration. The caller closes it. */
  deliveryThrough({ password, ...server }: SmtpServer): Delivery {
    return this.#deliveryBy(server, password)
  }

  /** True if mails leave this server. */
  async isSet(): Promise<boolean> {
    return this.isGiven || (await readRow(this.#needs.database)) !== undefined
  }

  async store(tx: Queryable, { host, port, login, from, password }: MailServerInput): Promise<void> {
    const sealed = password ? this.#needs.secrets.encrypt(PURPOSE, password, ROW) : null
    await tx.query(
      sql`insert into mail_server (host, port, login, from_address, password_sealed)
          values (${host}, ${port}, ${login}, ${from}, ${sealed})
          on conflict (id) do update
             set host = excluded.host, port = excluded.port, login = excluded.login, from_address = excluded.from_address,
                 password_sealed = case when ${login} = '' then null
                                        else coalesce(excluded.password_sealed, mail_server.password_sealed) end,
                 revision = mail_server.revision + 1`,
    )
  }

  /** The currently configured delivery; a change closes old connections. */
  async delivery(): Promise<Delivery> {
    const row = this.isGiven ? undefined : await readRow(this.#needs.database)
    const revision = row?.revision ?? 0
    if (this.#opened?.revision === revision) return this.#opened.delivery
    this.close()
    const { given, outside } = this.#needs
    const delivery = row ? this.#deliveryBy(row, this.#passwordOf(row)) : deliveryBy(given, outside)
    this.#opened = { revision, delivery }
    return delivery
  }

  /** Throws if the stored password would go to another server or login. */
  async checkPassword(tx: Queryable, { host, port, login, password }: MailServerInput): Promise<void> {
    if (password !== null || login === '') return
    const row = await readRow(tx)
    const isSame = row && row.host === host && row.port === port && row.login === login
    if (!isSame || !row.hasPassword) refuseField('password', 'required')
  }

  /** A delivery with unsaved settings; a missing password is the stored one. The caller closes it. */
  async trial(input: MailServerInput): Promise<Delivery> {
    await this.checkPassword(this.#needs.database, input)
    const row = await readRow(this.#needs.database)
    return this.#deliveryBy(input, input.password ?? (row && this.#passwordOf(row)) ?? null)
  }

  close(): void {
    this.#opened?.delivery.close()
    this.#opened = undefined
  }

  #deliveryBy({ host, port, login, from }: Omit<SmtpServer, 'password'>, password: string | null): Delivery {
    return deliveryBy({ kind: 'named', server: { host, port, login, password, from } }, this.#needs.outside)
  }

  #passwordOf({ sealed }: StoredRow): string | null {
    return sealed && this.#needs.secrets.decrypt(PURPOSE, sealed, ROW)
  }
}
