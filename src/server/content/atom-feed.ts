import type { Announcement } from '../../shared/api/content.ts'
import { type Language, localPath, pickText } from '../../shared/languages.ts'
import { plainText } from '../../shared/plain-markup.ts'

export interface FeedOptions {
  readonly publicUrl: string
  readonly name: string
  readonly language: Language
}

/** RFC 4287, texts only. */
export function atomFeed(
  feed: { pinned: Announcement | null; items: readonly Announcement[] },
  { publicUrl, name, language }: FeedOptions,
): string {
  const announcements = [...(feed.pinned ? [feed.pinned] : []), ...feed.items].toSorted((a, b) =>
    a.publishedAt < b.publishedAt ? 1 : -1,
  )
  const changedAt = (entry: Announcement) => entry.editedAt ?? entry.publishedAt
  const updated = announcements.map(changedAt).toSorted().at(-1) ?? '1970-01-01T00:00:00.000Z'
  const page = publicUrl + localPath(language, '/updates')
  const entries = announcements.map((entry) => {
    const title = pickText(entry.title, language)
    const body = pickText(entry.body, language)
    return `  <entry xml:lang="${body.lang}">
    <id>${escapeXml(`${publicUrl}/updates#${entry.id}`)}</id>
    <title>${escapeXml(title.text)}</title>
    <link href="${escapeXml(`${page}/${entry.id}`)}"/>
    <published>${entry.publishedAt}</published>
    <updated>${changedAt(entry)}</updated>
    <content type="text">${escapeXml(plainText(body.text))}</content>
  </entry>`
  })
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">
  <id>${escapeXml(`${publicUrl}/updates`)}</id>
  <title>${escapeXml(name)}</title>
  <link href="${escapeXml(page)}"/>
  <link rel="self" href="${escapeXml(`${publicUrl}/updates.xml`)}"/>
  <updated>${updated}</updated>
  <author><name>${escapeXml(name)}</name></author>
${entries.join('\n')}
</feed>
`
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** XML 1.0 can't represent control characters. */
function escapeXml(text: string): string {
  return (
    text
      // oxlint-disable-next-line no-control-regex -- these are the characters that are taken out
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .toWellFormed()
      .replace(/[&<>"']/g, (c) => ENTITIES[c] ?? '')
  )
}
