export type Theme = 'light' | 'dark' | 'system'

/** What follows in the round of the theme's button. It begins with what looks otherwise, so that a first click shows something. */
export function themeAfter(theme: Theme, isSystemDark: boolean): Theme {
  const [first, second] = isSystemDark ? (['light', 'dark'] as const) : (['dark', 'light'] as const)
  if (theme === 'system') return first
  return theme === first ? second : 'system'
}
