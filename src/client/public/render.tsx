import { messages } from 'virtual:messages/all'
import { type I18n, setupI18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { renderToString } from 'react-dom/server'
import { type PublicLocale, publicLocales } from '../../shared/languages.ts'
import type { PublicPage } from '../../shared/public-pages.ts'
import { Document } from './Document.tsx'
import { FrameProvider } from './frame.tsx'
import { HeroPicture, type HeroPictureInput } from './HeroPicture.tsx'
import { HeroFigures } from './landing/Hero.tsx'
import { ProgressBadge } from './ProgressBadge.tsx'

/** Only the server has the messages of public pages. */
const catalogues = Object.fromEntries(
  publicLocales.map((locale) => [
    locale,
    setupI18n({ locale, messages: { [locale]: messages[locale] ?? {} } }),
  ]),
) as Record<PublicLocale, I18n>

/** Renders a public page, or the hero's figures alone. Pure: equal input gives equal bytes. */
export function renderPage(page: PublicPage): string {
  const isFragment = page.content.page === 'hero'
  const html = renderToString(
    <I18nProvider i18n={catalogues[page.locale]}>
      <FrameProvider value={page}>{isFragment ? <HeroFigures /> : <Document page={page} />}</FrameProvider>
    </I18nProvider>,
  )
  return isFragment ? html : `<!doctype html>${html}`
}

/** Renders an SVG of 1200 × 630. */
export function renderPicture(input: HeroPictureInput, locale: PublicLocale): string {
  return renderToString(
    <I18nProvider i18n={catalogues[locale]}>
      <HeroPicture {...input} locale={locale} />
    </I18nProvider>,
  )
}

export function renderBadge(input: HeroPictureInput, locale: PublicLocale): string {
  return renderToString(
    <I18nProvider i18n={catalogues[locale]}>
      <ProgressBadge {...input} locale={locale} />
    </I18nProvider>,
  )
}
