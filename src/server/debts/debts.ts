import { setTimeout } from 'node:timers/promises'
import type { Refund } from '../../shared/api/payments.ts'
import { emailKey } from '../../shared/mailbox.ts'
import type { Network } from '../../shared/networks.ts'
import type { Client, Credentials } from '../credentials/credentials.ts'
import { type Database, type Queryable, sql } from '../database/database.ts'
import type { Limits } from '../limits/limits.ts'
import type { Mail } from '../mail/mail-kinds.ts'
import type { Refunds } from '../payments/refunds.ts'
import { refuse } from '../refusal.ts'
import { marksOfMailbox, type Secrets } from '../secrets/secrets.ts'
import type { UnitsOfWork } from '../unit-of-work/unit-of-work.ts'

const ANSWER_MS = 200

export interface DebtsNeeds {
  readonly db: Database
  readonly units: UnitsOfWork
  readonly secrets: Secrets
  readonly limits: Limits
  readonly credentials: Pick<Credentials, 'links'>
  readonly refunds: Pick<Refunds, 'owedTo' | 'claimOf'>
  readonly publicUrl: string
  sendMail(tx: Queryable, mail: Mail): Promise<void>
}

// Rules: REFUND-14
/** For deleted accounts, which have no login: a link mailed to the former address lets the owner claim. */
export class Debts {
  readonly #needs: DebtsNeeds

  constructor(needs: DebtsNeeds) {
    this.#needs = needs
  }

  get #page(): string {
    return `${this.#needs.publicUrl}/claim-refund`
  }

  /** The reply is the same if nothing is owed. */
  async requestLink(email: string, client: Client): Promise<void> {
    const { limits } = this.#needs
    await limits.take('debt_network', client.network)
    await limits.take('debt_address', emailKey(email))
    // Far longer than making a link: the time reveals no debt.
    await Promise.all([this.#mailLink(email), setTimeout(ANSWER_MS)])
  }

  async #mailLink(email: string): Promise<void> {
    const { db, secrets, credentials, sendMail } = this.#needs
    // Another spelling than that behind the account's mark may be a different mailbox.
    const to = emailKey(email)
    const marks = marksOfMailbox(secrets, to)
    await db.transaction(async (tx) => {
      const user = await tx.maybeOne<{ id: string; language: Mail['language'] }>(
        sql`select u.id, u.language from users u
             where u.mailbox_mark = any(${marks})
               and exists (select from refunds r where r.user_id = u.id and r.state not in ('paid', 'written_off'))
             order by u.id limit 1 for no key update`,
      )
      if (!user) return
      const token = await credentials.links.create(tx, 'claim_debt', { kind: 'user', id: user.id }, to)
      const link = `${this.#page}#token=${token}`
      await sendMail(tx, { kind: 'debt_link', to, language: user.language, link })
    })
  }

  /** Debts to all deleted accounts of the link's mailbox. */
  async show(token: string): Promise<Refund[]> {
    const { db, credentials, refunds } = this.#needs
    const { userId } = await credentials.links.read(db, ['claim_debt'], token)
    return refunds.owedTo(db, await accountsBeside(db, userId))
  }

  /** One address for each chain. After an error the link stays valid. */
  async claim(
    token: string,
    claims: readonly { readonly network: Network; readonly address: string }[],
  ): Promise<Refund[]> {
    const { db, credentials, units, refunds, sendMail } = this.#needs
    const { userId } = await credentials.links.read(db, ['claim_debt'], token)
    const actor = {
      kind: 'buyer',
      operatorId: null,
      userId: userId ?? '',
      login: 'buyer',
      requestId: null,
    } as const
    return units.run(actor, async (unit) => {
      const { email } = await credentials.links.use(unit, 'claim_debt', token)
      const accounts = await accountsBeside(unit, userId)
      await refunds.claimOf(unit, accounts, claims)
      const { language } = await unit.one<{ language: Mail['language'] }>(
        sql`select language from users where id = ${userId}`,
      )
      const addresses = claims.map(({ network, address }) => `${network}: ${address}`).join(', ')
      await sendMail(unit, { kind: 'debt_claimed', to: email ?? '', language, addresses, link: this.#page })
      return refunds.owedTo(unit, accounts)
    })
  }
}

async function accountsBeside(tx: Queryable, userId: string | null): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    sql`select o.id from users u join users o on o.mailbox_mark = u.mailbox_mark where u.id = ${userId} order by o.id`,
  )
  return rows.length > 0 ? rows.map(({ id }) => id) : refuse('link_expired')
}
