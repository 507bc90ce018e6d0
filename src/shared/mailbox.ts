/** How an e-mail address is compared: trimmed, without case. A NUL, which no text of PostgreSQL can hold, is never one of it. */
export function emailKey(email: string): string {
  return email.replaceAll('\0', '').trim().toLowerCase()
}

const gmail = ['gmail.com', 'googlemail.com']

// Rules: TEXT-6
/**
 * The mailbox behind an address in lower case, as `functions/referral/mailbox_of.sql` finds it: without what follows a plus sign, and without the
 * dots that Gmail does not read.
 */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  const local = address.slice(0, Math.max(at, 0)).split('+')[0] ?? ''
  return gmail.includes(domain) ? `${local.replaceAll('.', '')}@gmail.com` : `${local}@${domain}`
}
