import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { ApiError } from '../../api.ts'
import { errorText } from '../../errors.ts'
import { settingName } from '../../ui/setting-names.ts'

const rules = {
  fixed: msg`It can't be changed any more.`,
  'a sale that pays back ends no later than it said': msg`No stage ends later than the last one any more: below the soft cap the money goes back then.`,
  'a sale that pays back sells no less than it said': msg`Below the soft cap the money goes back, and somebody has ordered: a stage stays, and its time gets no shorter.`,
  'never empty': msg`It may not be empty any more.`,
  'never removed': msg`It can't be removed any more.`,
  'only falls': msg`It only falls from now on.`,
  'only rises': msg`It only rises from now on.`,
  'the sale is over': msg`The sale is over.`,
  'the stage has started': msg`The stage has started.`,
  'the stage has started: change the main currency value': msg`The stage has started: change the main currency value instead.`,
  'a stage starts later than now': msg`A stage starts later than now.`,
  'never moves after it has passed': msg`It never moves after it has passed.`,
  'moves once': msg`It moves once.`,
  'an end lies later than now': msg`An end lies later than now.`,
  'a new stage starts later than now': msg`A new stage starts later than now.`,
} as const

/** With the setting and the rule. */
export function campaignRefusal(i18n: I18n, error: unknown): string {
  const message = errorText(error)
  if (!(error instanceof ApiError)) return message
  const { path, rule, needsTokens, shareTokens, goalsUsd, hardCapUsd, stage } = error.details
  const parts = [message]
  if (typeof path === 'string') parts.unshift(`${settingName(i18n, path)}:`)
  if (typeof rule === 'string') {
    const known = rules[rule as keyof typeof rules]
    parts.push(known ? i18n._(known) : rule)
  }
  if (typeof needsTokens === 'string' && typeof shareTokens === 'string')
    parts.push(i18n._(msg`It would need ${needsTokens} tokens; the share holds ${shareTokens}.`))
  if (typeof goalsUsd === 'string' && typeof hardCapUsd === 'string')
    parts.push(i18n._(msg`The goals come to $${goalsUsd}, the hard cap is $${hardCapUsd}.`))
  if (typeof stage === 'string') parts.push(i18n._(msg`It overlaps “${stage}”.`))
  return parts.join(' ')
}
