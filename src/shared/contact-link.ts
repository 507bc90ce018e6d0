/** Undefined if the contact is no e-mail address. */
export function contactLink(contact: string, subject?: string): string | undefined {
  if (!/^\S+@\S+$/.test(contact)) return undefined
  return `mailto:${contact}${subject ? `?subject=${encodeURIComponent(subject)}` : ''}`
}
