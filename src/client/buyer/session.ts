import { queryOptions, useQuery } from '@tanstack/react-query'
import { redirect, useNavigate } from 'react-router'
import { accountRoutes, type Profile } from '../../shared/api/account.ts'
import { campaignRoutes } from '../../shared/api/campaign.ts'
import { currencyRoutes } from '../../shared/api/currencies.ts'
import { showAs, shownAs } from '../api.ts'
import { call } from '../area/call.ts'
import { queryClient } from '../area/query-client.ts'
import { keyOf } from '../area/reading.ts'
import { useChange } from '../area/use-change.ts'
import { activate, documentLocale } from '../i18n.ts'
import { ownPath, paths } from '../paths.ts'

export const sessionQuery = queryOptions({
  queryKey: keyOf(accountRoutes.session),
  queryFn: async ({ signal }): Promise<Profile | null> =>
    (await call(accountRoutes.session, { signal })).user,
})

/** The signed-in buyer, already checked by the guard. */
export function useSession(): Profile | null | undefined {
  return useQuery(sessionQuery).data
}

function loginPath(url: URL): string {
  return `${paths.login}?next=${encodeURIComponent(url.pathname + url.search)}`
}

/** The state of the open page as a query string, if its address lacks that state, and the page's path. */
let onPage: { pathname: string; search: URLSearchParams } | undefined

/** Undefined if the address holds the whole state. */
export function keepForLogin(pathname: string, search: URLSearchParams | undefined): () => void {
  onPage = search && { pathname, search }
  return () => {
    onPage = undefined
  }
}

let isFirst = true

/**
 * On each route change. A visitor goes to the login and returns afterwards. If another tab signed somebody
 * else in, the page reloads, because its data belongs to the other account.
 */
export async function guard({ request }: { request: Request }) {
  // The server has just read the session for the page it drew.
  const known = isFirst ? queryClient.getQueryData(sessionQuery.queryKey) : undefined
  isFirst = false
  const user = known ?? (await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 }))
  const url = new URL(request.url)
  // Not `location`: after Back it already names the next page.
  if (!user && url.pathname === onPage?.pathname) url.search = String(onPage.search)
  if (!user) return redirect(loginPath(url))
  if (shownAs && user.reference !== shownAs) {
    location.reload()
    return new Promise<never>(() => {})
  }
  showAs(user.reference)
  // Guarded pages use the profile's language.
  if (user.language !== documentLocale()) await activate(user.language)
  return null
}

/** The requested page if it is the buyer's, else the buy page. */
export function pathAfterLogin(search: URLSearchParams): string {
  return ownPath(search.get('next')) ?? paths.buy
}

const anyones: readonly string[] = [campaignRoutes.show.path, currencyRoutes.list.path]

/** Forgets all data but the public. */
export function takeSession(user: Profile) {
  queryClient.removeQueries({
    predicate: ({ queryKey }) => !anyones.includes(String(queryKey[0])),
  })
  queryClient.setQueryData(sessionQuery.queryKey, user)
  showAs(user.reference)
}

export function useLogOut() {
  const navigate = useNavigate()
  return useChange({
    run: () => call(accountRoutes.logOut),
    touches: [],
    done: async () => {
      await navigate(paths.login)
      queryClient.clear()
    },
  })
}
