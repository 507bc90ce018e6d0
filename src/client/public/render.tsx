import { type I18n, setupI18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { renderToString } from 'react-dom/server'
import type { PublicLocale, PublicPage } from '../../shared/public-pages.ts'
import { messages as kitEn } from '../locales/en/kit.po'
import { messages as publicEn } from '../locales/en/public.po'
import { messages as kitRu } from '../locales/ru/kit.po'
import { messages as publicRu } from '../locales/ru/public.po'
import { Document } from './Document.tsx'
import { FrameProvider } from './frame.tsx'
import { HeroPicture, type HeroPictureInput } from './HeroPicture.tsx'
import { HeroFigures } from './landing/Hero.tsx'
import { ProgressBadge } from './ProgressBadge.tsx'

const catalogues: Record<PublicLocale, I18n> = {
  en: setupI18n({ locale: 'en', messages: { en: { ...kitEn, ...publicEn } } }),
  ru: setupI18n({ locale: 'ru', messages: { ru: { ...kitRu, ...publicRu } } }),
}

/** The HTML document of a public page, or the hero's figures alone. Pure: the same page gives the same bytes. */
export function renderPage(page: PublicPage): string {
  const isFragment = page.content.page === 'hero'
  const html = renderToString(
    <I18nProvider i18n={catalogues[page.locale]}>
      <FrameProvider value={page}>{isFragment ? <HeroFigures /> : <Document page={page} />}</FrameProvider>
    </I18nProvider>,
  )
  return isFragment ? html : `<!doctype html>${html}`
}

/** The picture that is shown where the site is shared, as SVG of 1200 × 630. */
export function renderPicture(input: HeroPictureInput, locale: PublicLocale): string {
  return renderToString(
    <I18nProvider i18n={catalogues[locale]}>
      <HeroPicture {...input} locale={locale} />
    </I18nProvider>,
  )
}

/** The badge that other sites show, as SVG. */
export function renderBadge(input: HeroPictureInput, locale: PublicLocale): string {
  return renderToString(
    <I18nProvider i18n={catalogues[locale]}>
      <ProgressBadge {...input} locale={locale} />
    </I18nProvider>,
  )
}
