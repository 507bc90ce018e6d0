import { type OperatorPage, operatorPages } from '../../shared/pages.ts'
import { documentFacts } from '../document-facts.ts'

/** The server writes the path's segment into the page. */
const loginPath = () => `/${documentFacts().operatorPath ?? 'operator'}`

const areaPath = () => `${loginPath()}/dashboard`

/** With `id` for a page about one record. */
export function pathOf(page: OperatorPage, id: number | string = ''): string {
  const { path } = operatorPages[page]
  return path ? `${areaPath()}/${path.replace(':id', String(id))}` : areaPath()
}

type PlainPage = Exclude<OperatorPage, 'user' | 'order'>

interface OtherPaths {
  readonly login: string
  /** The target after a session ends: the login form instead of the joke page. */
  readonly refused: string
  readonly area: string
  user(id: number | string): string
  order(id: number | string): string
}

/** Getters, because the server draws with changing settings. */
export const paths: Readonly<Record<PlainPage, string>> & OtherPaths = Object.defineProperties(
  {
    get login() {
      return loginPath()
    },
    refused: '/admin?operator=1',
    get area() {
      return areaPath()
    },
    user: (id: number | string) => pathOf('user', id),
    order: (id: number | string) => pathOf('order', id),
  } as Record<PlainPage, string> & OtherPaths,
  Object.fromEntries(
    (Object.keys(operatorPages) as OperatorPage[])
      .filter((page) => page !== 'user' && page !== 'order')
      .map((page) => [page, { enumerable: true, get: () => pathOf(page) }]),
  ),
)

/** Returns the overview if the path is outside the operator area. */
export function pathAfterLogin(candidate: string | null, area = paths.area): string {
  return candidate && /^\/[\w./?=&%~+-]*$/.test(candidate) && candidate.startsWith(`${area}/`)
    ? candidate
    : `${area}/${operatorPages.overview.path}`
}
