import { localPath, pickText } from '../../shared/languages.ts'
import { type PublicPage } from '../../shared/public-pages.ts'

/** Claims no offer, rating or price history. Escapes each `<`, so that no text can end the script element. */
export function structuredData(page: PublicPage): string {
  const { campaign, publicUrl, locale, path } = page
  if (!campaign) return '{}'
  const { name, seller, tagline } = campaign.settings
  const organization = {
    '@type': 'Organization',
    '@id': `${publicUrl}/#seller`,
    name: seller.name || name,
    ...(seller.address ? { address: seller.address } : {}),
    ...(/^\S+@\S+$/.test(seller.contact) ? { email: seller.contact } : {}),
    url: `${publicUrl}/`,
  }
  const site = {
    '@type': 'WebSite',
    '@id': `${publicUrl}/#site`,
    name,
    url: `${publicUrl}/`,
    inLanguage: campaign.settings.languages,
    description: pickText(tagline, locale).text || undefined,
    publisher: { '@id': organization['@id'] },
  }
  const webPage = {
    '@type': 'WebPage',
    url: publicUrl + localPath(locale, path),
    inLanguage: locale,
    isPartOf: { '@id': site['@id'] },
  }
  return JSON.stringify({
    '@context': 'https://schema.org',
    '@graph': [organization, site, webPage],
  }).replaceAll('<', '\\u003c')
}
