import { z } from 'zod'
import { wholeProof } from './account-inputs.ts'
import { mailDeliveryStates, mailKinds, mailLanguages, mailRoutes } from './mail-templates.ts'
import { mailServerInput, mailWords } from './mail-templates-inputs.ts'
import { proofErrors } from './own-access-schemas.ts'
import type { RouteSchemas } from './route.ts'
import { endpoints, instant, pageOf, pageQuery } from './route-schemas.ts'

export { mailWords }

const place = z.object({ kind: z.enum(mailKinds), language: z.enum(mailLanguages) })

const summary = place.extend({
  /** 0 before the first edit. */
  version: z.number().int(),
  /** False if the default text is active. */
  isEdited: z.boolean(),
  publishedAt: instant.nullable(),
  operator: z.string().nullable(),
})

export const mailText = summary.extend({
  words: mailWords,
  product: mailWords,
  /** Placeholders, written `{name}`. */
  variables: z.array(z.string()),
  /** Placeholders and parts that the text must contain. */
  required: z.array(z.string()),
  /** The sentences behind `{must}`. */
  musts: z.array(z.string()),
  /** Newest first; null: the default text was restored. */
  versions: z.array(
    z.object({
      version: z.number().int(),
      words: mailWords.nullable(),
      publishedAt: instant,
      operator: z.string().nullable(),
    }),
  ),
})

export const mailDelivery = z.object({
  id: z.string(),
  kind: z.enum(mailKinds),
  language: z.enum(mailLanguages),
  textVersion: z.number().int(),
  /** Masked. */
  to: z.string(),
  state: z.enum(mailDeliveryStates),
  tries: z.number().int(),
  error: z.string().nullable(),
  firstTriedAt: instant,
  lastTriedAt: instant,
})

export const mailServer = z.object({
  /**
   * `environment`: SMTP_URL; `page`: saved by an operator; `none`: mails wait, or go to a folder in a demo.
   */
  source: z.enum(['environment', 'page', 'none']),
  /** Null unless an operator saved one. */
  server: mailServerInput
    .omit({ password: true })
    .extend({ hasPassword: z.boolean(), revision: z.number().int() })
    .nullable(),
  /** Mails that wait for a mail server. */
  waiting: z.number().int(),
})

export const mailSchemas = {
  server: { summary: 'Which mail server is set, and how many mails wait for one.', reply: mailServer },
  setServer: {
    summary: 'Sets the mail server; the password is sealed. What waited for one is sent.',
    cost: { hashes: 1 },
    body: mailServerInput.extend({
      revision: z.number().int().nullable(),
      proof: wholeProof.optional(),
    }),
    reply: mailServer,
    errors: [...proofErrors, 'mail_server_of_environment', 'conflict'],
  },
  tryServer: {
    summary:
      'Sends a mail to the operator who asks, by these settings or (`server: null`) by those in force.',
    body: z.object({ server: mailServerInput.nullable() }),
    reply: z.object({ to: z.string() }),
    errors: ['own_email_missing', 'mail_server_missing', 'mail_server_refused'],
  },
  resend: {
    summary: 'Sends one mail again that waits or was given up.',
    params: z.object({ id: z.string().regex(/^\d{1,18}$/) }),
    reply: z.object({ count: z.number().int() }),
    errors: ['mail_server_missing', 'not_found'],
  },
  sendWaiting: {
    summary: 'Sends at once whatever waits for a mail server or failed for now.',
    reply: z.object({ count: z.number().int() }),
    errors: ['mail_server_missing'],
  },
  list: {
    summary: 'Every mail in every language, and whose words are in force.',
    reply: z.object({ items: z.array(summary) }),
  },
  show: {
    summary: 'One mail: its words, the product’s, what has to stay in them, and every version.',
    params: place,
    reply: mailText,
  },
  publish: {
    summary: 'Puts an operator’s words in force, or the product’s again (`words: null`).',
    params: place,
    body: z.object({
      /** The version that was shown. */
      basedOn: z.number().int().min(0),
      words: mailWords.nullable(),
    }),
    reply: mailText,
    errors: ['conflict'],
  },
  preview: {
    summary: 'How a mail with these words looks, filled with examples; nothing is kept or sent.',
    params: place,
    body: mailWords,
    reply: z.object({ subject: z.string(), html: z.string(), text: z.string() }),
  },
  test: {
    summary: 'Sends a mail with these words, filled with examples, to the operator who asks.',
    params: place,
    body: mailWords,
    reply: z.object({ to: z.string() }),
    errors: ['own_email_missing'],
  },
  deliveries: {
    summary: 'Mails that were tried, newest first, with what went wrong.',
    query: pageQuery.extend({ state: z.enum(mailDeliveryStates).optional() }),
    reply: pageOf(mailDelivery),
  },
} as const satisfies Record<string, RouteSchemas>
export const mailEndpoints = endpoints(mailRoutes, mailSchemas)
