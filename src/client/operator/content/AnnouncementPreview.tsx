import { Trans } from '@lingui/react/macro'
import type { PublicLocale } from '../../../shared/languages.ts'
import { pickText } from '../../../shared/languages.ts'
import { Markup } from '../Markup.tsx'
import type { AnnouncementValues } from './AnnouncementForm.tsx'

export function AnnouncementPreview({
  values: { title, body, image },
  locale,
}: {
  values: AnnouncementValues
  locale: PublicLocale
}) {
  const heading = pickText(title, locale)
  const text = pickText(body, locale)
  if (!heading.text && !text.text)
    return (
      <p className="text-soft">
        <Trans>There is nothing to show yet.</Trans>
      </p>
    )
  return (
    <article>
      <h3 className="display mb-3 text-3xl" lang={heading.lang}>
        {heading.text}
      </h3>
      <Markup text={text.text} lang={text.lang} />
      {image ? (
        <img
          src={image.url}
          alt={pickText(image.alt, locale).text}
          className="mt-4 max-h-96 rounded-md border border-line"
        />
      ) : null}
    </article>
  )
}
