/** Removes NUL, which PostgreSQL can't store. */
export function emailKey(email: string): string {
  return email.replaceAll('\0', '').trim().toLowerCase()
}

const gmail = ['gmail.com', 'googlemail.com']

// Rules: TEXT-6
/** The same as `functions/referral/mailbox_of.sql`: without a plus suffix, and without dots for Gmail. */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  const local = address.slice(0, Math.max(at, 0)).split('+')[0] ?? ''
  return gmail.includes(domain) ? `${local.replaceAll('.', '')}@gmail.com` : `${local}@${domain}`
}
