import { z } from 'zod'
import { localText } from '../campaign-settings-inputs.ts'
import { commentReasons, commentRoutes, commentViews, operatorCommentRoutes } from './comments.ts'
import { commentInput, commentReasonInput } from './comments-inputs.ts'
import type { RouteSchemas } from './route.ts'
import { endpoints, instant, numberInPath } from './route-schemas.ts'

const reason = z.enum(commentReasons)
const hidden = z.object({ at: instant, reason })

export const comment = z.object({
  id: z.number().int(),
  /** Null if it is hidden. */
  body: z.string().nullable(),
  /** The author's nickname, if they agreed to show it. */
  name: z.string().nullable(),
  at: instant,
  hidden: hidden.nullable(),
  /** True if the asking buyer wrote it. */
  isOwn: z.boolean(),
  isReported: z.boolean(),
})

const byId = z.object({ id: numberInPath })
const cursor = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional()
const done = z.object({ id: z.number().int() })

export const commentSchemas = {
  list: {
    summary: 'Comments below an announcement, newest first; none while they are switched off.',
    params: byId,
    query: z.object({ before: cursor, limit: z.coerce.number().int().min(1).max(100).default(30) }),
    reply: z.object({
      isOn: z.boolean(),
      items: z.array(comment),
      next: z.number().int().nullable(),
    }),
    errors: ['not_found'],
  },
  add: {
    summary: 'Comments on an announcement in plain text; the same words again are the same comment.',
    params: byId,
    body: commentInput,
    reply: comment,
    errors: ['comments_off', 'not_found', 'comment_unconfirmed', 'too_many_requests'],
  },
  remove: {
    summary: 'Takes an own comment back, for good.',
    params: byId,
    reply: done,
    errors: ['not_found'],
  },
  report: {
    summary: 'Reports a comment to the operators, once a buyer; a repeat changes nothing.',
    params: byId,
    body: commentReasonInput,
    reply: done,
    errors: ['too_many_requests', 'comments_off', 'not_found'],
  },
} as const satisfies Record<string, RouteSchemas>
export const commentEndpoints = endpoints(commentRoutes, commentSchemas)

export const operatorComment = comment.omit({ isOwn: true, isReported: true, hidden: true }).extend({
  body: z.string(),
  announcement: z.object({ id: z.number().int(), title: localText }),
  userId: z.number().int(),
  hidden: hidden.extend({ by: z.string() }).nullable(),
  /** Open reports. */
  reports: z.array(z.object({ reason, count: z.number().int() })),
})

export const operatorCommentSchemas = {
  list: {
    summary: 'Comments for the operators: those with open reports, those hidden, or all; newest first.',
    query: z.object({
      view: z.enum(commentViews).default('reported'),
      after: cursor,
      limit: z.coerce.number().int().min(1).max(100).default(30),
    }),
    reply: z.object({ items: z.array(operatorComment), next: z.string().nullable() }),
  },
  hide: {
    summary: 'Hides a comment; its reason stands in its place. Settles its reports.',
    params: byId,
    body: commentReasonInput,
    reply: operatorComment,
    errors: ['not_found', 'conflict'],
  },
  unhide: {
    summary: 'Shows a hidden comment again.',
    params: byId,
    reply: operatorComment,
    errors: ['not_found', 'conflict'],
  },
  keep: {
    summary: 'Leaves a reported comment where it is, and settles its reports.',
    params: byId,
    reply: operatorComment,
    errors: ['not_found'],
  },
} as const satisfies Record<string, RouteSchemas>
export const operatorCommentEndpoints = endpoints(operatorCommentRoutes, operatorCommentSchemas)
