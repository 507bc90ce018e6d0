import { defaultLanguage, localPath, type PublicLocale, publicLocales } from '../../shared/languages.ts'

export const indexedPaths = [
  '/',
  '/updates',
  '/transparency',
  '/reserves',
  '/verify',
  '/claim',
  '/giveaway',
  '/accessibility',
  '/privacy',
  '/terms',
  '/risks',
] as const

interface Dated {
  readonly id: string
  readonly changedAt: Date
}

/** Links each page and announcement to its other languages. */
export function siteMap(
  publicUrl: string,
  locales: readonly PublicLocale[],
  announcements: readonly Dated[],
): string {
  const pages = [
    ...indexedPaths.map((path) => ({ path, changed: '' })),
    ...announcements.map(({ id, changedAt }) => ({
      path: `/updates/${id}`,
      changed: `<lastmod>${changedAt.toISOString()}</lastmod>`,
    })),
  ]
  const entries = pages.flatMap(({ path, changed }) =>
    locales.map((locale) => {
      const links = [...locales, 'x-default' as const].map((language) => {
        const href = publicUrl + localPath(language === 'x-default' ? defaultLanguage : language, path)
        return `<xhtml:link rel="alternate" hreflang="${language}" href="${href}"/>`
      })
      return `<url><loc>${publicUrl + localPath(locale, path)}</loc>${changed}${links.join('')}</url>`
    }),
  )
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">' +
    `${entries.join('')}</urlset>\n`
  )
}

/** Private pages need no entry; they are guarded elsewhere. */
export function robots(publicUrl: string): string {
  return [
    'User-agent: *',
    'Disallow: /api/',
    'Disallow: /dashboard',
    ...publicLocales.map((locale) => `Disallow: ${localPath(locale, '/fragments/')}`),
    `Sitemap: ${publicUrl}/sitemap.xml`,
    '',
  ].join('\n')
}
