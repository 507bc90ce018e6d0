import { Trans as LinguiTrans, type TransProps } from '@lingui/react'

// The build resolves `@lingui/react` to this file, also for the macros.
export { I18nProvider, useLingui } from '@lingui/react'

/**
 * Shows values unchanged. Lingui looks for elements (`<0>`) after inserting strings, but never inside
 * elements. `lingui-core.ts` handles escapes.
 */
export function Trans(props: TransProps) {
  // Not compiled: half the size of its memo code, and on every page.
  'use no memo'
  const values: Record<string, unknown> = { ...props.values }
  for (const [name, value] of Object.entries(values))
    if (typeof value === 'string' && value.includes('<')) values[name] = <>{value}</>
  return <LinguiTrans {...props} values={values} />
}
