import { settingRow, settingSections } from '../../../shared/settings.ts'

export const settingTabs = ['stages', ...settingSections] as const
export type SettingTab = (typeof settingTabs)[number]

export const isSettingTab = (name: string | undefined): name is SettingTab =>
  settingTabs.some((tab) => tab === name)

/** The tab of a setting or of a path within one; `stages` for anything else. */
export const tabOf = (path: string): SettingTab => settingRow(path)?.section ?? 'stages'
