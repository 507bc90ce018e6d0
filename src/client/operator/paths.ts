import { type OperatorPage, operatorPages } from '../../shared/pages.ts'
import { documentFacts } from '../document-facts.ts'

/** First segment of the operator area's address; the server writes the setting into the page. */
const segment = (typeof document !== 'undefined' && documentFacts().operatorPath) || 'operator'

const login = `/${segment}`
const area = `${login}/dashboard`

/** The address of a page, with `id` for the one thing that the page is about. */
export function pathOf(page: OperatorPage, id: number | string = ''): string {
  const { path } = operatorPages[page]
  return path ? `${area}/${path.replace(':id', String(id))}` : area
}

type PlainPage = Exclude<OperatorPage, 'user' | 'order'>
const pages = Object.fromEntries(
  Object.keys(operatorPages).map((page) => [page, pathOf(page as OperatorPage)]),
) as Record<PlainPage, string>

/** Every address of the operator area, by its page's name. */
export const paths = {
  ...pages,
  login,
  /** Where a missing or ended session goes; shows the login form instead of the joke. */
  refused: '/admin?operator=1',
  area,
  user: (id: number | string) => pathOf('user', id),
  order: (id: number | string) => pathOf('order', id),
}

/** A path inside the operator area to come back to after a login, or the overview. */
export function pathAfterLogin(candidate: string | null): string {
  return candidate && /^\/[\w./?=&%~+-]*$/.test(candidate) && candidate.startsWith(area)
    ? candidate
    : paths.overview
}

/** Leaves for the login form; what was open is where the login leads back to. */
export function leave(): void {
  const back = location.pathname + location.search
  location.assign(`${paths.refused}&next=${encodeURIComponent(back)}`)
}
