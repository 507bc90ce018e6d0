/** Text, a list of facts, or the one link. */
export type Block =
  | { p: string }
  /** Operators can't remove this paragraph, for the reader's safety or the facts. */
  | { must: string }
  | { facts: readonly (readonly [label: string, value: string])[] }
  | { button: string; href: string }
  /** `href`: at the end of the text. */
  | { small: string; href?: string }

export interface MailText {
  subject: string
  blocks: readonly Block[]
}

/** `2026-08-05 14:03 UTC`, readable in every language. */
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
