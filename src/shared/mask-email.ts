// Rules: BOARD-2
/** `j•••@g•••.com`: one mask for all lengths, so that it reveals neither name nor provider. */
export function maskEmail(email: string): string {
  const [local = '', domain = ''] = email.split('@')
  const dot = domain.lastIndexOf('.')
  const ending = dot > 0 ? domain.slice(dot) : ''
  return `${[...local][0] ?? ''}•••@${[...domain][0] ?? ''}•••${ending}`
}
