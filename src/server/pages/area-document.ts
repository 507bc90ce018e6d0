import { brandStyle } from '../../shared/brand.ts'
import type { CampaignSettings } from '../../shared/campaign-settings.ts'
import { factsOf, openGraphLocale, type PublicLocale } from '../../shared/languages.ts'
import { say } from '../texts.ts'
import { type Area, fonts, type Language, scriptsOf, styles } from './area-build.ts'
import { sellerFoot } from './seller-foot.ts'
import { sourceFoot } from './source-link.ts'
import { needsScripts, untilScripts } from './until-scripts.ts'

export interface AreaDocument {
  readonly area: Area
  readonly language: Language
  /** The address's language, which the area lacks. */
  readonly lacking?: Exclude<PublicLocale, Language> | undefined
  readonly languages: readonly Language[]
  readonly theme: 'light' | 'dark' | undefined
  readonly settings: Pick<CampaignSettings, 'name' | 'symbol' | 'brand' | 'seller' | 'sourceUrl'>
  readonly demo: boolean
  readonly operatorPath: string
  /** Their scripts load with the area's. */
  readonly page: readonly string[]
  /** Empty: the scripts render the page. */
  readonly drawn: string
  readonly title: string
  /** For a page that anybody may get. */
  readonly shared?: { readonly publicUrl: string; readonly path: string } | undefined
  /** Data that the scripts need not request. */
  readonly known: object
}

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

function previewOf({ shared, language, title, settings }: AreaDocument): string {
  if (!shared) return ''
  const facts = {
    'og:type': 'website',
    'og:site_name': settings.name,
    'og:title': title,
    'og:url': shared.publicUrl + shared.path,
    'og:locale': openGraphLocale(language),
    'og:image': `${shared.publicUrl}/og/${language}.png`,
    'og:image:width': '1200',
    'og:image:height': '630',
  }
  const tags = Object.entries(facts).map(
    ([name, value]) => `<meta property="${name}" content="${escape(value)}">\n`,
  )
  return `${tags.join('')}<meta name="twitter:card" content="summary_large_image">\n`
}

const lackingNote = ({ lacking }: AreaDocument) =>
  lacking
    ? `<p lang="${lacking}" dir="${factsOf(lacking).direction ?? 'ltr'}" style="padding:8px 16px;text-align:center">${say(lacking, 'area.lacking')}</p>`
    : ''

/** Scripts come after the fonts and pictures of the first paint. */
export function areaDocument(document: AreaDocument): string {
  const { area, language, languages, theme, settings, demo, operatorPath, page, drawn, title, known } =
    document
  const [main, ...preloads] = scriptsOf(area, language, page)
  const scripts = [
    `<script type="module" src="/${main}" fetchpriority="low"></script>`,
    ...preloads.map((file) => `<link rel="modulepreload" href="/${file}" fetchpriority="low">`),
  ].join('\n')
  const style = Object.entries(brandStyle(settings.brand)).map(([name, value]) => `${name}:${value}`)
  const logo = settings.brand.logoUploadId && escape(settings.brand.logoUploadId)
  return `<!doctype html>
<html lang="${language}" data-area="${area}"${theme ? ` data-theme="${theme}"` : ''}${style.length > 0 ? ` style="${style.join(';')}"` : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="campaign-name" content="${escape(settings.name)}">
<meta name="campaign-symbol" content="${escape(settings.symbol)}">
${logo ? `<meta name="campaign-logo" content="${logo}">\n` : ''}<meta name="languages" content="${languages.join(' ')}">
<meta name="demo" content="${demo}">
<meta name="operator-path" content="${escape(operatorPath)}">
<title>${escape(title)}</title>
${previewOf(document)}<link rel="manifest" href="/manifest.webmanifest">
${logo ? `<link rel="icon" href="/uploads/${logo}">` : '<link rel="icon" href="/favicon.svg" type="image/svg+xml">'}
${fonts(language, drawn)
  .map((file) => `<link rel="preload" href="/${file}" as="font" type="font/woff2" crossorigin>`)
  .join('\n')}
<style>${styles()}</style>
${drawn ? `<template id="scripts">${scripts}</template>` : scripts}
</head>
<body>${lackingNote(document)}<div id="root"${drawn ? ' aria-busy="true"' : ''}>${drawn}</div>${area === 'buyer' ? sellerFoot(settings.seller, language) : ''}${sourceFoot(settings.sourceUrl, language)}<script type="application/json" id="known">${JSON.stringify(known).replaceAll('<', '\\u003c')}</script>${untilScripts(language)}<noscript>${needsScripts(language)}</noscript></body>
</html>`
}
