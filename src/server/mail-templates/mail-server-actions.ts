import { z } from 'zod'
import type { MailServer as ShownServer } from '../../shared/api/mail-templates.ts'
import { mailServerInput } from '../../shared/api/mail-templates-inputs.ts'
import { type ApprovalDraft, defineAction } from '../actions/actions.ts'
import { type Queryable, sql } from '../database/database.ts'
import type { Mailer } from '../mail/mail.ts'
import type { Operators } from '../operators/operators.ts'
import { refuse } from '../refusal.ts'
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts'

const setInput = mailServerInput.extend({ revision: z.number().int().nullable() })
type SetInput = z.output<typeof setInput>
const byId = z.object({ id: z.string() })
const nothing = z.object({})
/** The result of a trial that happened before the transaction. */
const triedInput = z.object({ host: z.string(), to: z.string() })

export type ServerMailer = Pick<Mailer, 'server' | 'resend'>

/** Mails every owner through the former mail server, because the new one may be a thief's. */
export type Tellers = Pick<Operators, 'tellOwnersThrough'>

const subject = { type: 'mail', id: 'server' } as const

// Rules: TEXT-22
/**
 * Operators' actions on the mail server and on resending. Account links pass through it, so a change needs a
 * whole proof, and a second operator under dual control.
 */
export const mailServerActions = (mailer: ServerMailer, operators: Tellers) => ({
  /**
   * Errors: mail_server_of_environment, conflict; invalid input for a stored password with another server.
   */
  'mail-server.set': defineAction({
    name: 'mail-server.set',
    input: setInput,
    needsApproval: async (tx: Queryable, input: SetInput): Promise<ApprovalDraft> => {
      await checkServer(mailer, tx, input)
      const { host, port, login, from } = input
      const before = (await mailer.server.read(tx))?.host ?? '—'
      return { subject, summary: { before, host: `${host}:${port}`, login, email: from } }
    },
    execute: (unit, input) => setServer(mailer, operators, unit, input),
  }),
  /** Records who tried which host; the mail was sent before the transaction. */
  'mail-server.test': defineAction({
    name: 'mail-server.test',
    input: triedInput,
    execute: async (unit, { host, to }) => {
      await unit.audit('mail-server.test', subject, { after: { host } })
      return { to }
    },
  }),
  /** Errors: mail_server_missing, not_found. */
  'mail.resend': defineAction({
    name: 'mail.resend',
    input: byId,
    execute: async (unit, { id }) => {
      const count = (await resend(mailer, unit, id)) || refuse('not_found')
      await unit.audit('mail.resend', subject, { after: { delivery: id } })
      return { count }
    },
  }),
  /** Errors: mail_server_missing. */
  'mail.send-waiting': defineAction({
    name: 'mail.send-waiting',
    input: nothing,
    execute: async (unit) => {
      const count = await resend(mailer, unit, null)
      await unit.audit('mail.send-waiting', subject, { after: { total: count } })
      return { count }
    },
  }),
})

async function resend(mailer: ServerMailer, unit: UnitOfWork, id: string | null): Promise<number> {
  if (!(await mailer.server.isSet())) refuse('mail_server_missing')
  return mailer.resend(unit, id)
}

async function checkServer({ server }: ServerMailer, tx: Queryable, input: SetInput): Promise<void> {
  if (server.isGiven) refuse('mail_server_of_environment')
  const stands = await server.read(tx)
  if ((stands?.revision ?? null) !== input.revision) refuse('conflict')
  await server.checkPassword(tx, input)
}

async function setServer(
  mailer: ServerMailer,
  operators: Tellers,
  unit: UnitOfWork,
  input: SetInput,
): Promise<ShownServer> {
  await unit.query(sql`select pg_advisory_xact_lock(hashtext('mail_server'))`)
  await checkServer(mailer, unit, input)
  const before = await mailer.server.readOpen(unit)
  await mailer.server.store(unit, input)
  await mailer.resend(unit, null)
  await unit.audit('mail-server.set', subject, {
    before: before && { host: before.host, login: before.login, email: before.from },
    after: { host: input.host, login: input.login, email: input.from },
  })
  const notice = { what: 'mail_server_changed', before: before?.host ?? '', after: input.host } as const
  await operators.tellOwnersThrough(before, unit, notice, unit.actor.login)
  return showServer(mailer, unit)
}

/** The configured mail server, and the number of waiting mails. */
export async function showServer({ server }: ServerMailer, tx: Queryable): Promise<ShownServer> {
  const { waiting } = await tx.one<{ waiting: number }>(
    sql`select count(*)::integer as waiting from parked_mails p join mail_deliveries d using (id) where d.state = 'waiting'`,
  )
  if (server.isGiven) return { source: 'environment', server: null, waiting }
  const row = await server.read(tx)
  return { source: row ? 'page' : 'none', server: row, waiting }
}
