import { Trans as LinguiTrans, type TransProps } from '@lingui/react'

// The build gives this file to whoever imports `@lingui/react`, as the macros do.
export { I18nProvider, useLingui } from '@lingui/react'

/** Lingui looks for elements (`<0>`) and escapes (`\u0041`) in a message once its values are in it; it never looks into an element. */
const asWritten = (value: unknown) =>
  typeof value === 'string' && /[<\\]/.test(value) ? <>{value}</> : value

/** A message whose values are shown as they were written, whoever wrote them. */
export function Trans({ values, ...message }: TransProps) {
  const shown = Object.entries(values ?? {}).map(([name, value]) => [name, asWritten(value)])
  return <LinguiTrans {...message} values={Object.fromEntries(shown)} />
}
