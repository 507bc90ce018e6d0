import { isPublicLocale } from './languages.ts'

const isItem = (word: string) => /^\d+$/.test(word) || isPublicLocale(word)

/** Whether the path leads to an item of a list or to one language of a text, whose setting alone has a name. */
export const isWithinSetting = (path: string): boolean => path.split('.').some(isItem)

/**
 * Ids of the texts in `locales/CODE/server.po` that may name a setting, a part of one (`levels.0.threshold`) or what belongs to the campaign
 * beside them (`stages.1.goalUsd`, `paused`): the first that is there is its name. A path within a stage may lack `stages`.
 */
export function settingIds(path: string): [string, string] {
  const name = path
    .split('.')
    .filter((word) => !isItem(word))
    .join('.')
  return [`setting.${name}`, `setting.stages.${name}`]
}
