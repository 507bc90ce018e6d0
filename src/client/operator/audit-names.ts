import type { I18n } from '@lingui/core'
import { factsOf } from '../../shared/languages.ts'
import { firstText, ownNameOf } from '../ui/setting-names.ts'

/** What a downloaded list was narrowed by: the name of the filter, never what was filtered for. */
export const auditFilterName = (i18n: I18n, filter: string): string =>
  firstText(i18n, [`filter.${filter}`]) ?? filter

/** What was done or is asked for, in words. */
export const auditActionName = (i18n: I18n, action: string): string =>
  firstText(i18n, [`action.${action}`]) ?? action

/** What it was done to: the kind in words. */
export const auditSubjectName = (i18n: I18n, subjectType: string): string =>
  firstText(i18n, [`subject.${subjectType}`]) ?? subjectType

/** When a mail of this kind is sent. */
export const mailName = (i18n: I18n, kind: string): string => firstText(i18n, [`occasion.${kind}`]) ?? kind

/** Which one it was: its number or code, and what the program names itself in words. */
export function auditSubjectId(i18n: I18n, subjectType: string, id: string): string {
  if (subjectType === 'mail') return mailSubject(i18n, id)
  const setting = subjectType === 'campaign' ? ownNameOf(i18n, id) : undefined
  const name = setting ?? firstText(i18n, [`subject.${subjectType}.${id}`])
  return name ? `(${name})` : id
}

/** Which mail, by when it is sent, and in which language. */
function mailSubject(i18n: I18n, id: string): string {
  const [kind = '', language = ''] = id.split(' ')
  return language ? `(${mailName(i18n, kind)}, ${factsOf(language).name})` : id
}
