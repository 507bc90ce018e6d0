import { settingRow, settingSections } from '../../../shared/settings.ts'

export const settingTabs = ['stages', ...settingSections] as const
export type SettingTab = (typeof settingTabs)[number]

/** The tab that an address names, if there is one of that name. */
export const isSettingTab = (name: string | undefined): name is SettingTab =>
  settingTabs.some((tab) => tab === name)

/** The tab of a setting, or of a path in one; of anything else the stages. */
export const tabOf = (path: string): SettingTab => settingRow(path)?.section ?? 'stages'
