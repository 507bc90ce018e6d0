import type { Language } from '../../shared/languages.ts'
import { say } from '../texts.ts'

/**
 * The foot of an area's document where an operator has named the source of this copy of the program (docs/decisions/0030): outside of what the
 * scripts draw, so that it stands below every page of the area and costs none of them anything.
 */
export function sourceFoot(url: string | null, language: Language): string {
  if (url === null) return ''
  const address = url.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  const link = `<a href="${address}" target="_blank" rel="noopener" style="text-decoration:underline">${say(language, 'area.source')}</a>`
  return `<footer lang="${language}" style="padding:0 16px 24px;text-align:center;font-size:14px">${link}</footer>`
}
