import { useLingui } from '@lingui/react/macro'
import { fieldName } from '../field-name.ts'

/** Such as of `levels.threshold`, as in exports and the audit log. */
export function useSettingName(): (path: string) => string {
  const { i18n } = useLingui()
  return (path) => fieldName(i18n, path, 'setting')
}
