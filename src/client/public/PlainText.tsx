import type { ReactNode } from 'react'
import { type Block, type Inline, parseMarkup } from '../../shared/plain-markup.ts'

/**
 * An operator's long text. Its markup becomes elements and text nodes, so nothing in it can run. Who confirms
 * it sees each block in the same direction (`Markup`).
 */
export function PlainText({ text }: { text: string }) {
  return (
    <div className="prose-plain measure">
      {numbered(parseMarkup(text), (block, key) => (
        <BlockOf key={key} block={block} />
      ))}
    </div>
  )
}

/** Parts of a text never reorder, so an index is a safe key. */
function numbered<T>(parts: readonly T[], draw: (part: T, key: string) => ReactNode): ReactNode[] {
  return parts.map((part, index) => draw(part, String(index)))
}

function BlockOf({ block }: { block: Block }) {
  if (block.kind === 'heading') {
    const Heading = block.level === 2 ? 'h2' : 'h3'
    return <Heading dir="auto">{words(block.content)}</Heading>
  }
  if (block.kind === 'list') {
    const List = block.ordered ? 'ol' : 'ul'
    return (
      <List dir="auto">
        {numbered(block.items, (item, key) => (
          <li key={key}>{words(item)}</li>
        ))}
      </List>
    )
  }
  return (
    <p dir="auto">
      {numbered(block.lines, (line, key) => (
        <span key={key} className="block">
          {words(line)}
        </span>
      ))}
    </p>
  )
}

function words(inlines: readonly Inline[]): ReactNode[] {
  return numbered(inlines, (inline, key) => {
    if (inline.kind === 'strong') return <strong key={key}>{inline.text}</strong>
    if (inline.kind === 'link')
      return (
        <a key={key} href={inline.href} rel="nofollow noopener" className="under break-words">
          {inline.text}
        </a>
      )
    return inline.text
  })
}
