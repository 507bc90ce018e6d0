/** Mailed links open these pages. The token is in the fragment, which browsers never send to a server. */
export const linkPaths = {
  confirm_email: '/confirm-email',
  change_email: '/confirm-email',
  reset_password: '/reset-password',
  take_back: '/reset-password',
} as const

export function mailedLink(publicUrl: string, path: string, token: string): string {
  return `${publicUrl}${path}#token=${token}`
}
