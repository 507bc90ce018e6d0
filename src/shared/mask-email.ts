// Rules: BOARD-2
/** Returns `j•••@g•••.com`: one mask for all lengths. */
export function maskEmail(email: string): string {
  const [local = '', domain = ''] = email.split('@')
  const dot = domain.lastIndexOf('.')
  const ending = dot > 0 ? domain.slice(dot) : ''
  return `${[...local][0] ?? ''}•••@${[...domain][0] ?? ''}•••${ending}`
}
