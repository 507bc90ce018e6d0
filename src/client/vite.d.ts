declare module '*.po' {
  import type { Messages } from '@lingui/core'
  export const messages: Messages
}

declare module '*.css' {}

declare module '*.woff2' {
  const url: string
  export default url
}
