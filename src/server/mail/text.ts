/** One paragraph of a mail: plain words, a list of facts, or the one link to follow. */
export type Block =
  | { p: string }
  /** A paragraph that stays whatever an operator writes: what a reader needs to be safe, or what is so. */
  | { must: string }
  | { facts: readonly (readonly [label: string, value: string])[] }
  | { button: string; href: string }
  /** `href`: an address that these words end with. */
  | { small: string; href?: string }

export interface MailText {
  subject: string
  blocks: readonly Block[]
}

/** ISO 8601 → `2026-08-05 14:03 UTC`, which reads the same in every language. */
export function shownTime(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`
}

export function escapeHtml(text: string): string {
  const names: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }
  return text.replace(/[&<>"']/g, (sign) => names[sign] ?? sign)
}
