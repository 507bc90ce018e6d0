import type { I18n } from '@lingui/core'
import { isWithinSetting, settingIds } from '../../shared/setting-ids.ts'

export function firstText(i18n: I18n, ids: readonly string[]): string | undefined {
  const id = ids.find((each) => each in i18n.messages)
  return id && i18n._(id)
}

/**
 * Names a setting, its part (`levels.0.threshold`) or another campaign field (`stages.1.goalUsd`, `paused`).
 */
export const ownNameOf = (i18n: I18n, path: string): string | undefined => firstText(i18n, settingIds(path))

/** True if the setting's name covers the whole path: no list item, no language. */
export const isNamedWhole = (i18n: I18n, path: string) =>
  !isWithinSetting(path) && ownNameOf(i18n, path) !== undefined

/** Uses the setting's name for a list item or an unnamed part. */
export function settingName(i18n: I18n, path: string): string {
  const own = isNamedWhole(i18n, path) ? ownNameOf(i18n, path) : undefined
  return own ?? ownNameOf(i18n, path.split('.')[0] ?? '') ?? path
}
