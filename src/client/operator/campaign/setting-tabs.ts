import { settingRow, settingSections } from '../../../shared/settings.ts'

export const settingTabs = ['stages', ...settingSections] as const
export type SettingTab = (typeof settingTabs)[number]

export const isSettingTab = (name: string | undefined): name is SettingTab =>
  settingTabs.some((tab) => tab === name)

/** `stages` for a path outside the settings. */
export const tabOf = (path: string): SettingTab => settingRow(path)?.section ?? 'stages'
