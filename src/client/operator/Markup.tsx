import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { type Block, type Inline, parseMarkup } from '../../shared/plain-markup.ts'

export function useMarkupHint(): string {
  const { t } = useLingui()
  return t`Blank line: paragraph. “## ” heading, “- ” list, **strong**, [words](https://…).`
}

/** Shows a text as readers see it: `PlainText` has the same words and directions. */
export function Markup({ text, lang }: { text: string; lang?: string }) {
  return (
    <div lang={lang} className="measure flex flex-col gap-3">
      {parseMarkup(text).map((block, index) => (
        // The text is rendered anew on each change, so indexes are safe keys.
        // oxlint-disable-next-line react/no-array-index-key
        <BlockOf key={index} block={block} />
      ))}
    </div>
  )
}

function BlockOf({ block }: { block: Block }): ReactNode {
  if (block.kind === 'heading')
    return block.level === 2 ? (
      <h4 dir="auto" className="mt-2 text-lg font-semibold">
        {inlines(block.content)}
      </h4>
    ) : (
      <h5 dir="auto" className="mt-1 font-semibold">
        {inlines(block.content)}
      </h5>
    )
  if (block.kind === 'paragraph')
    return (
      <p dir="auto">
        {block.lines.map((line, index) => (
          // oxlint-disable-next-line react/no-array-index-key
          <span key={index}>
            {index > 0 ? <br /> : null}
            {inlines(line)}
          </span>
        ))}
      </p>
    )
  const items = block.items.map((item, index) => (
    // oxlint-disable-next-line react/no-array-index-key
    <li key={index}>{inlines(item)}</li>
  ))
  return block.ordered ? (
    <ol dir="auto" className="list-decimal pl-6">
      {items}
    </ol>
  ) : (
    <ul dir="auto" className="list-disc pl-6">
      {items}
    </ul>
  )
}

function inlines(content: readonly Inline[]): ReactNode[] {
  return content.map((inline, index) => {
    const key = `${index}`
    if (inline.kind === 'strong') return <strong key={key}>{inline.text}</strong>
    if (inline.kind === 'link')
      return (
        <a key={key} href={inline.href} target="_blank" rel="noreferrer nofollow" className="underline">
          {inline.text}
        </a>
      )
    return <span key={key}>{inline.text}</span>
  })
}
