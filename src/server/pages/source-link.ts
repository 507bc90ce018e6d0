import type { Language } from '../../shared/languages.ts'
import { say } from '../texts.ts'

/** The link to this copy's source, if set (docs/decisions/0030). */
export function sourceFoot(url: string | null, language: Language): string {
  if (url === null) return ''
  const address = url.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  const link = `<a href="${address}" target="_blank" rel="noopener" style="text-decoration:underline">${say(language, 'area.source')}</a>`
  return `<footer lang="${language}" style="padding:0 16px 24px;text-align:center;font-size:14px">${link}</footer>`
}
