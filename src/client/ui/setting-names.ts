import type { I18n } from '@lingui/core'
import { isWithinSetting, settingIds } from '../../shared/setting-ids.ts'

/** The text of the first id that the page has one for. */
export function firstText(i18n: I18n, ids: readonly string[]): string | undefined {
  const id = ids.find((each) => each in i18n.messages)
  return id && i18n._(id)
}

/**
 * The name of a setting, of a part of one (`levels.0.threshold`) or of what belongs to the campaign beside them (`stages.1.goalUsd`, `paused`);
 * undefined where it has none.
 */
export const ownNameOf = (i18n: I18n, path: string): string | undefined => firstText(i18n, settingIds(path))

/** Whether the name of the setting says all of the path, down to the value: no item of a list, no language. */
export const isNamedWhole = (i18n: I18n, path: string) =>
  !isWithinSetting(path) && ownNameOf(i18n, path) !== undefined

/** The name of what the path leads to; of an item, or what has no name, that of the setting. */
export function settingName(i18n: I18n, path: string): string {
  const own = isNamedWhole(i18n, path) ? ownNameOf(i18n, path) : undefined
  return own ?? ownNameOf(i18n, path.split('.')[0] ?? '') ?? path
}
