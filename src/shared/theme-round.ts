export type Theme = 'light' | 'dark' | 'system'

/** The cycle starts with a visibly different one. */
export function themeAfter(theme: Theme, isSystemDark: boolean): Theme {
  const [first, second] = isSystemDark ? (['light', 'dark'] as const) : (['dark', 'light'] as const)
  if (theme === 'system') return first
  return theme === first ? second : 'system'
}
