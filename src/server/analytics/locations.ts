import { pathWithoutLocale } from '../../shared/languages.ts'

/** Pages about money contact no other host. */
const ORDER_PAGES = ['/dashboard/transaction', '/dashboard/buy-token']

/** Null for an invalid path, and for pages without analytics: orders, the operators' area, the API. */
export function openLocation(text: string, operatorPath: string): string | null {
  if (!/^\/[\w\-./~%]*$/.test(text) || text.startsWith('//') || text.includes('..') || text.includes('%'))
    return null
  const path = pathWithoutLocale(text.toLowerCase().replace(/\/{2,}/g, '/')).replace(/\/+$/, '')
  const isClosed = [...ORDER_PAGES, `/${operatorPath}`, '/admin', '/api'].some(
    (page) => path === page || path.startsWith(`${page}/`),
  )
  return isClosed ? null : path || '/'
}
