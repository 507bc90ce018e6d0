import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { CommentReason } from '../../shared/api/comments.ts'

export const reasonNames: Record<CommentReason, MessageDescriptor> = {
  spam: msg`spam or advertising`,
  fraud: msg`fraud or a false promise`,
  insult: msg`insult or hatred`,
  personal: msg`personal data of somebody`,
  off_topic: msg`not about this announcement`,
  unlawful: msg`against the law`,
}
