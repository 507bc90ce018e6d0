import type { z } from 'zod'
import type { comment, commentSchemas, operatorComment, operatorCommentSchemas } from './comments-schemas.ts'
import { executes, routes } from './route.ts'

/** The reasons for hiding are public. */
export const commentReasons = ['spam', 'fraud', 'insult', 'personal', 'off_topic', 'unlawful'] as const
export type CommentReason = (typeof commentReasons)[number]

export const commentLengthMax = 1_000
export const commentViews = ['reported', 'hidden', 'all'] as const

export type PublicComment = z.infer<typeof comment>
export type OperatorComment = z.infer<typeof operatorComment>

export const commentRoutes = routes<typeof commentSchemas>()({
  list: { method: 'GET', path: '/announcements/:id/comments', audience: 'visitor' },
  add: { method: 'POST', path: '/announcements/:id/comments', audience: 'buyer' },
  remove: { method: 'DELETE', path: '/comments/:id', audience: 'buyer' },
  report: { method: 'POST', path: '/comments/:id/reports', audience: 'buyer' },
})

export const operatorCommentRoutes = routes<typeof operatorCommentSchemas>()({
  list: { method: 'GET', path: '/operator/comments', audience: { operator: 'content:write' } },
  hide: { method: 'POST', path: '/operator/comments/:id/hide', ...executes('comment.hide') },
  unhide: { method: 'POST', path: '/operator/comments/:id/unhide', ...executes('comment.unhide') },
  keep: { method: 'POST', path: '/operator/comments/:id/keep', ...executes('comment.keep') },
})
