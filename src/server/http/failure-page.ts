import { createHash } from 'node:crypto'
import { factsOf, type PublicLocale } from '../../shared/languages.ts'

const STYLE =
  'html{color-scheme:light dark;font:1.125rem/1.5 system-ui,sans-serif}body{max-width:36rem;margin:20vh auto 0;padding:0 1.5rem}'

/** An inline style; loads nothing. */
export const failurePolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Reloads if a retry may help. Needs no database and no file. */
export function failurePage(message: string, locale: PublicLocale, retryAfter: number | undefined): string {
  const again =
    retryAfter === undefined ? '' : `<meta http-equiv="refresh" content="${Math.max(5, retryAfter)}">`
  return `<!doctype html><html lang="${locale}" dir="${factsOf(locale).direction ?? 'ltr'}"><meta charset="utf-8">${again}<meta name="viewport" content="width=device-width"><title>${escaped(message)}</title><style>${STYLE}</style><h1>${escaped(message)}</h1></html>\n`
}
