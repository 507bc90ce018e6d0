import { z } from 'zod'
import { type MailText, mailKinds, mailLanguages } from '../../shared/api/mail-templates.ts'
import { mailWords } from '../../shared/api/mail-templates-inputs.ts'
import { act } from '../acts/acts.ts'
import type { Change } from '../changes/changes.ts'
import { type Queryable, sql } from '../database/database.ts'
import type { Mailer } from '../mail/mail.ts'
import { refuse } from '../refusal.ts'
import { readMailText } from './mail-template-rows.ts'
import { refuseUnfit } from './mail-words-fit.ts'

const place = z.object({ kind: z.enum(mailKinds), language: z.enum(mailLanguages) })
const publishInput = place.extend({ basedOn: z.number().int().min(0), words: mailWords.nullable() })
const trialInput = place.extend(mailWords.shape)

interface MailTemplateActsNeeds {
  sendTest: Mailer['sendTest']
  preview: Mailer['preview']
}

// Rules: RIGHT-21
/** What operators can change of mails. */
export const mailTemplateActs = ({ sendTest, preview }: MailTemplateActsNeeds) => ({
  /**
   * Puts words in force, or the product's again. They speak to buyers in the product's name, so they wait. Refuses words that lack what has to
   * stay, as invalid input, and conflict.
   */
  'mail.publish': act({
    name: 'mail.publish',
    input: publishInput,
    needsApproval: async (_tx: Queryable, { kind, language, words }) => ({
      subject: { type: 'mail', id: idOf({ kind, language }) },
      summary: words
        ? { mail: kind, language, subjectLine: words.subject, text: words.body }
        : { mail: kind, language, text: '' },
    }),
    perform: publish,
  }),
  /** How a mail in these words looks, filled with examples; nothing is kept or sent. Refuses words that could not be sent. */
  'mail.preview': act({
    name: 'mail.preview',
    input: trialInput,
    perform: (_change, { kind, language, ...words }) => {
      refuseUnfit(kind, language, words)
      return preview(kind, language, words)
    },
  }),
  /** Sends a mail in these words, filled with examples, to who asks. Refuses own_email_missing. */
  'mail.test': act({
    name: 'mail.test',
    input: trialInput,
    perform: async (change, { kind, language, ...words }) => {
      refuseUnfit(kind, language, words)
      const { email } = await change.one<{ email: string | null }>(
        sql`select email from operators where id = ${change.by.operatorId}`,
      )
      const to = email ?? refuse('own_email_missing')
      await sendTest(change, { kind, language, to }, words)
      await change.audit('mail.test', { type: 'mail', id: idOf({ kind, language }) })
      return { to }
    },
  }),
})

async function publish(
  change: Change,
  { kind, language, basedOn, words }: z.output<typeof publishInput>,
): Promise<MailText> {
  if (words) refuseUnfit(kind, language, words)
  // Held to the end of the transaction: versions of one mail are published one after another.
  await change.query(
    sql`select pg_advisory_xact_lock(hashtext('mail_texts.' || ${kind}::text || ${language}::text))`,
  )
  const before = await readMailText(change, kind, language)
  if (before.version !== basedOn) refuse('conflict', { current: before })
  await change.query(
    sql`insert into mail_texts (kind, language, version, subject, body, operator_id)
        values (${kind}, ${language}, ${basedOn + 1}, ${words?.subject ?? null}, ${words?.body ?? null},
                ${change.by.operatorId})`,
  )
  await change.audit(
    'mail.publish',
    { type: 'mail', id: idOf({ kind, language }) },
    {
      before: { version: basedOn, ...before.words },
      after: { version: basedOn + 1, ...(words ?? before.product) },
    },
  )
  return readMailText(change, kind, language)
}

const idOf = ({ kind, language }: z.output<typeof place>) => `${kind} ${language}`
