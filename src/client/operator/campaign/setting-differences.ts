export interface SettingDifference {
  /** The path in the schema: `levels.0.bonusPercent`. */
  path: string
  before: unknown
  after: unknown
}

/** At any depth. An item that only one side has is one difference. */
export function settingDifferences(before: unknown, after: unknown, path = ''): SettingDifference[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  // A setting that is switched on or off is compared by its values.
  if (before === null && isParted(after) && !Array.isArray(after)) return settingDifferences({}, after, path)
  if (after === null && isParted(before) && !Array.isArray(before))
    return settingDifferences(before, {}, path)
  if (!isParted(before) || !isParted(after) || areWords(before, after)) return [{ path, before, after }]
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.flatMap((name) =>
    settingDifferences(before[name], after[name], path === '' ? name : `${path}.${name}`),
  )
}

/** Lists of words, such as languages or countries, are compared as a whole. */
const areWords = (...lists: unknown[]) =>
  lists.every((list) => Array.isArray(list) && list.every((item) => typeof item === 'string'))

const isParted = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
