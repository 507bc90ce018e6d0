const gmail = ['gmail.com', 'googlemail.com']

// Rules: TEXT-6
/**
 * The mailbox behind an address in lower case, as `functions/referral/mailbox_of.sql` finds it: without what follows a plus sign, and without the
 * dots that Gmail does not read.
 */
export function mailboxOf(emailKey: string): string {
  const at = emailKey.lastIndexOf('@')
  const domain = emailKey.slice(at + 1)
  const local = emailKey.slice(0, Math.max(at, 0)).split('+')[0] ?? ''
  return gmail.includes(domain) ? `${local.replaceAll('.', '')}@gmail.com` : `${local}@${domain}`
}
