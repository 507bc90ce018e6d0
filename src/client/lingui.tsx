import { Trans as LinguiTrans, type TransProps } from '@lingui/react'

// The build gives this file to whoever imports `@lingui/react`, as the macros do.
export { I18nProvider, useLingui } from '@lingui/react'

/**
 * A message whose values are shown as they were written, whoever wrote them. Lingui looks for elements (`<0>`) in a message once its values
 * are in it; it never looks into an element. Escapes are the matter of `lingui-core.ts`.
 */
export function Trans(props: TransProps) {
  // Every page has it: what the compiler would keep of it weighs as much again.
  'use no memo'
  const values: Record<string, unknown> = { ...props.values }
  for (const [name, value] of Object.entries(values))
    if (typeof value === 'string' && value.includes('<')) values[name] = <>{value}</>
  return <LinguiTrans {...props} values={values} />
}
