import { CopyButton } from './CopyButton.tsx'

/** Shortened in the middle; whole in its title and when copied. `what` names the copy button. */
export function ShortCode({ text, what }: { text: string; what: string }) {
  if (!text) return '—'
  const shown = text.length > 13 ? `${text.slice(0, 6)}…${text.slice(-4)}` : text
  return (
    <span className="inline-flex items-center whitespace-nowrap">
      <span className="figures" title={text}>
        {shown}
      </span>
      <CopyButton text={text} what={what} className="size-7" />
    </span>
  )
}
