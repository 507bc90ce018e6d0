import { z } from 'zod'
import { type MailText, mailKinds, mailLanguages } from '../../shared/api/mail-templates.ts'
import { mailWords } from '../../shared/api/mail-templates-inputs.ts'
import { defineAction } from '../actions/actions.ts'
import { type Queryable, sql } from '../database/database.ts'
import type { Mailer } from '../mail/mail.ts'
import { refuse } from '../refusal.ts'
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts'
import { readMailText } from './mail-template-rows.ts'
import { refuseUnfit } from './mail-words-fit.ts'

const place = z.object({ kind: z.enum(mailKinds), language: z.enum(mailLanguages) })
const publishInput = place.extend({ basedOn: z.number().int().min(0), words: mailWords.nullable() })
const trialInput = place.extend(mailWords.shape)

interface MailTemplateActionsNeeds {
  sendTest: Mailer['sendTest']
  preview: Mailer['preview']
}

// Rules: RIGHT-21
export const mailTemplateActions = ({ sendTest, preview }: MailTemplateActionsNeeds) => ({
  /**
   * Also restores the default. Mails speak in the seller's name, so a text can need approval. Errors: invalid
   * input for missing required parts, and conflict.
   */
  'mail.publish': defineAction({
    name: 'mail.publish',
    input: publishInput,
    needsApproval: async (_tx: Queryable, { kind, language, words }) => ({
      subject: { type: 'mail', id: idOf({ kind, language }) },
      // `publishes` adds the words.
      summary: { mail: kind, language, ...(words ? {} : { text: '' }) },
    }),
    publishes: async (_tx, { words, ...at }) => ({
      subject: { type: 'mail', id: idOf(at) },
      pieces: [{ now: words && { subjectLine: words.subject, body: words.body } }],
      summary: { mail: at.kind, language: at.language },
    }),
    execute: publish,
  }),
  /** With example values; stores and sends nothing. Throws for texts that can't be sent. */
  'mail.preview': defineAction({
    name: 'mail.preview',
    input: trialInput,
    execute: (_change, { kind, language, ...words }) => {
      refuseUnfit(kind, language, words)
      return preview(kind, language, words)
    },
  }),
  /** With example values, to the asking operator. */
  'mail.test': defineAction({
    name: 'mail.test',
    input: trialInput,
    execute: async (unit, { kind, language, ...words }) => {
      refuseUnfit(kind, language, words)
      const { email } = await unit.one<{ email: string | null }>(
        sql`select email from operators where id = ${unit.actor.operatorId}`,
      )
      const to = email ?? refuse('own_email_missing')
      await sendTest(unit, { kind, language, to }, words)
      await unit.audit('mail.test', { type: 'mail', id: idOf({ kind, language }) })
      return { to }
    },
  }),
})

async function publish(
  unit: UnitOfWork,
  { kind, language, basedOn, words }: z.output<typeof publishInput>,
): Promise<MailText> {
  if (words) refuseUnfit(kind, language, words)
  // One version of a mail after another.
  await unit.query(
    sql`select pg_advisory_xact_lock(hashtext('mail_texts.' || ${kind}::text || ${language}::text))`,
  )
  const before = await readMailText(unit, kind, language)
  if (before.version !== basedOn) refuse('conflict', { current: before })
  await unit.query(
    sql`insert into mail_texts (kind, language, version, subject, body, operator_id)
        values (${kind}, ${language}, ${basedOn + 1}, ${words?.subject ?? null}, ${words?.body ?? null},
                ${unit.actor.operatorId})`,
  )
  await unit.audit(
    'mail.publish',
    { type: 'mail', id: idOf({ kind, language }) },
    {
      before: { version: basedOn, ...before.words },
      after: { version: basedOn + 1, ...(words ?? before.product) },
    },
  )
  return readMailText(unit, kind, language)
}

const idOf = ({ kind, language }: z.output<typeof place>) => `${kind} ${language}`
