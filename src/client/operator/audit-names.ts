import type { I18n } from '@lingui/core'
import { factsOf } from '../../shared/languages.ts'
import { firstText, ownNameOf } from '../ui/setting-names.ts'

export const auditFilterName = (i18n: I18n, filter: string): string =>
  firstText(i18n, [`filter.${filter}`]) ?? filter

export const auditActionName = (i18n: I18n, action: string): string =>
  firstText(i18n, [`action.${action}`]) ?? action

export const auditSubjectName = (i18n: I18n, subjectType: string): string =>
  firstText(i18n, [`subject.${subjectType}`]) ?? subjectType

export const mailName = (i18n: I18n, kind: string): string => firstText(i18n, [`occasion.${kind}`]) ?? kind

/** The subject's number or code, or a name that the program defines. */
export function auditSubjectId(i18n: I18n, subjectType: string, id: string): string {
  if (subjectType === 'mail') return mailSubject(i18n, id)
  const setting = subjectType === 'campaign' ? ownNameOf(i18n, id) : undefined
  const name = setting ?? firstText(i18n, [`subject.${subjectType}.${id}`])
  return name ? `(${name})` : id
}

function mailSubject(i18n: I18n, id: string): string {
  const [kind = '', language = ''] = id.split(' ')
  return language ? `(${mailName(i18n, kind)}, ${factsOf(language).name})` : id
}
