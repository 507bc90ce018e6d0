import { useLingui } from '@lingui/react/macro'
import { fieldName } from '../field-name.ts'

/** Returns the name of a setting or its part, such as `levels.threshold`, as in exports and the audit log. */
export function useSettingName(): (path: string) => string {
  const { i18n } = useLingui()
  return (path) => fieldName(i18n, path, 'setting')
}
