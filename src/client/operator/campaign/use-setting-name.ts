import { useLingui } from '@lingui/react/macro'
import { fieldName } from '../field-name.ts'

/** Returns the name of a setting or of a part of one, as all pages, exports and the audit log call it: `levels.threshold`. */
export function useSettingName(): (path: string) => string {
  const { i18n } = useLingui()
  return (path) => fieldName(i18n, path, 'setting')
}
