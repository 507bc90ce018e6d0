import {
  type I18n,
  type MessageDescriptor,
  type MessageOptions,
  setupI18n as setUp,
  i18n as shared,
} from '@lingui/core'

// The build resolves `@lingui/core` to this file, also for the macros.
export const i18n = asWritten(shared)
export const setupI18n: typeof setUp = (params) => asWritten(setUp(params))

/**
 * Shows a backslash in a value unchanged: Lingui decodes escapes (`\u0041`, `\x41`) after inserting the
 * values.
 */
function asWritten(own: I18n): I18n {
  const say = own._.bind(own)
  own._ = own.t = (
    id: string | MessageDescriptor,
    values?: Record<string, unknown>,
    options?: MessageOptions,
  ) => (typeof id === 'object' ? say({ ...id, values: kept(id.values) }) : say(id, kept(values), options))
  return own
}

function kept(values: Record<string, unknown> = {}) {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replace(/\\(?=[ux])/g, '\\u005c') : value,
    ]),
  )
}
