// scripts/messages/plugin.ts generates these for each importing file.
declare module 'virtual:messages' {
  import type { Catalogues } from './i18n.ts'
  export const catalogues: Catalogues
}

declare module 'virtual:messages/all' {
  import type { Messages } from '@lingui/core'
  export const messages: Readonly<Record<string, Messages>>
}

declare module '*.css' {}

declare module '*.woff2' {
  const url: string
  export default url
}
