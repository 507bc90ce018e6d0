import type { Messages } from '@lingui/core'

export const files = import.meta.glob<{ messages: Messages }>(['./{kit,buyer,operator}.po', './buyer/*.po'])
export const issues = () => import('../../../shared/locales/es/issues.ts')
