import { type OperatorPage, operatorPages } from '../../shared/pages.ts'
import { documentFacts } from '../document-facts.ts'

/** The address of the login; its segment is a setting, which the server writes into the page. */
const loginPath = () => `/${documentFacts().operatorPath ?? 'operator'}`

const areaPath = () => `${loginPath()}/dashboard`

/** The address of a page, with `id` for the one thing that the page is about. */
export function pathOf(page: OperatorPage, id: number | string = ''): string {
  const { path } = operatorPages[page]
  return path ? `${areaPath()}/${path.replace(':id', String(id))}` : areaPath()
}

type PlainPage = Exclude<OperatorPage, 'user' | 'order'>

interface OtherPaths {
  readonly login: string
  /** Where a missing or ended session goes; shows the login form instead of the joke. */
  readonly refused: string
  readonly area: string
  user(id: number | string): string
  order(id: number | string): string
}

/** Every address of the operator area, by its page's name. Read while a page is drawn: the server draws for one setting after another. */
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

/** A path inside the operator area to come back to after a login, or the overview. */
export function pathAfterLogin(candidate: string | null, area = paths.area): string {
  return candidate && /^\/[\w./?=&%~+-]*$/.test(candidate) && candidate.startsWith(`${area}/`)
    ? candidate
    : `${area}/${operatorPages.overview.path}`
}
