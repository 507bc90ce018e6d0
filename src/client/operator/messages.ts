import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useCallback } from 'react'

/** What the shared schemas say of a field, for the reader's language. Said in English there, one rule for both sides. */
const known: readonly MessageDescriptor[] = [
  msg`Currency must be at least 2 characters.`,
  msg`Rate must be a positive number.`,
  msg`Address must be at least 5 characters.`,
  msg`Full name must be at least 2 characters.`,
  msg`Invalid number format`,
  msg`Passwords do not match.`,
  msg`API Key is required`,
  msg`Location is required`,
  msg`At least 2 characters.`,
  msg`At least 4 characters.`,
  msg`At least 10 characters.`,
  msg`At most 100 characters.`,
  msg`At most 200 characters.`,
  msg`Remove the control characters.`,
  msg`At most 2000 characters.`,
  msg`Write something.`,
  msg`Enter your login.`,
  msg`Enter your password.`,
  msg`Enter the code.`,
  msg`Enter an e-mail address.`,
  msg`Enter a plain number with at most 2 decimals.`,
  msg`Enter a plain number with at most 6 decimals.`,
  msg`Enter a plain number with at most 8 decimals.`,
  msg`Enter a percentage with at most 2 decimals.`,
  msg`Must be a positive number.`,
  msg`At most 100.`,
  msg`Choose one of the shares.`,
  msg`Bonuses need a share of their own.`,
  msg`The soft cap is above the hard cap.`,
  msg`The minimum is above the maximum.`,
  msg`The default lies outside the limits.`,
  msg`Each level starts above the one before it.`,
  msg`A higher level never has a smaller bonus.`,
  msg`The end lies before the start.`,
]

const byEnglish = new Map(known.map((descriptor) => [descriptor.message, descriptor]))

/** Puts a schema's message into the reader's language; one that nobody has translated stays as it is. */
export function useRuleText(): (message: string | undefined) => string | undefined {
  const { i18n, t } = useLingui()
  return useCallback(
    (message) => {
      if (!message) return undefined
      const total = /^The shares add up to ([\d.]+) %, not to exactly 100 %\.$/.exec(message)?.[1]
      if (total) return t`The shares add up to ${total} %, not to exactly 100 %.`
      const descriptor = byEnglish.get(message)
      if (descriptor) return i18n._(descriptor)
      // The schema library's own words name types, which help nobody.
      return message.startsWith('Invalid') || message.startsWith('Too ')
        ? t`This value is not right.`
        : message
    },
    [i18n, t],
  )
}
