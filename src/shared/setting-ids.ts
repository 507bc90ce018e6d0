import { isPublicLocale } from './languages.ts'

const isItem = (word: string) => /^\d+$/.test(word) || isPublicLocale(word)

/** True for a list item or a language, which have no names of their own. */
export const isWithinSetting = (path: string): boolean => path.split('.').some(isItem)

/**
 * Ids in `locales/CODE/server.po` for a setting, its part (`levels.0.threshold`) or another campaign field
 * (`stages.1.goalUsd`, `paused`), best first. A path within a stage may lack `stages`.
 */
export function settingIds(path: string): [string, string] {
  const name = path
    .split('.')
    .filter((word) => !isItem(word))
    .join('.')
  return [`setting.${name}`, `setting.stages.${name}`]
}
