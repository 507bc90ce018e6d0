import { pathWithoutLocale } from '../../shared/languages.ts'

/** Pages on which money moves or an operator works: no request to anybody else is made there. */
const ORDER_PAGES = ['/dashboard/transaction', '/dashboard/buy-token']

/**
 * The location of a page's path, without the language's prefix, doubled or closing slashes, in lower case. Null for what is no path and
 * for a page on which analytics never run: orders, the operators' area at `operatorPath`, the API.
 */
export function openLocation(text: string, operatorPath: string): string | null {
  if (!/^\/[\w\-./~%]*$/.test(text) || text.startsWith('//') || text.includes('..') || text.includes('%'))
    return null
  const path = pathWithoutLocale(text.toLowerCase().replace(/\/{2,}/g, '/')).replace(/\/+$/, '')
  const isClosed = [...ORDER_PAGES, `/${operatorPath}`, '/admin', '/api'].some(
    (page) => path === page || path.startsWith(`${page}/`),
  )
  return isClosed ? null : path || '/'
}
