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

/** Who is signed in; null for nobody. */
export const sessionQuery = queryOptions({
  queryKey: keyOf(accountRoutes.session),
  queryFn: async ({ signal }): Promise<Profile | null> =>
    (await call(accountRoutes.session, { signal })).user,
})

/** The signed-in buyer. The guard has checked it before any guarded page is shown. */
export function useSession(): Profile | null | undefined {
  return useQuery(sessionQuery).data
}

function loginPath(url: URL): string {
  return `${paths.login}?next=${encodeURIComponent(url.pathname + url.search)}`
}

/** What stands on the open page and not in its address, as the address would say it, and which page that is. */
let onPage: { pathname: string; search: URLSearchParams } | undefined

/** Lets a login in between find what was typed on the page that is open; undefined: its address says it all. */
export function keepForLogin(pathname: string, search: URLSearchParams | undefined): () => void {
  onPage = search && { pathname, search }
  return () => {
    onPage = undefined
  }
}

let isFirst = true

/**
 * Checks the session on every change of route. A visitor is sent to log in and comes back to where they were going. Where another tab has
 * signed somebody else in, the page is loaded anew, because all that it has read is somebody else's.
 */
export async function guard({ request }: { request: Request }) {
  // The server has just asked for the page that it drew.
  const known = isFirst ? queryClient.getQueryData(sessionQuery.queryKey) : undefined
  isFirst = false
  const user = known ?? (await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 }))
  const url = new URL(request.url)
  // Not the browser's address: Back has changed it by now, while the page that is left still stands.
  if (!user && url.pathname === onPage?.pathname) url.search = String(onPage.search)
  if (!user) return redirect(loginPath(url))
  if (shownAs && user.reference !== shownAs) {
    location.reload()
    return new Promise<never>(() => {})
  }
  showAs(user.reference)
  // Guarded pages follow the profile's language.
  if (user.language !== documentLocale()) await activate(user.language)
  return null
}

/** Where to go after logging in: the page that was asked for, if the page is one of ours, else the buy page. */
export function pathAfterLogin(search: URLSearchParams): string {
  return ownPath(search.get('next')) ?? paths.buy
}

/** What everybody reads alike. */
const anyones: readonly string[] = [campaignRoutes.show.path, currencyRoutes.list.path]

/** Takes over the new session, and forgets what was read as somebody else. */
export function takeSession(user: Profile) {
  queryClient.removeQueries({
    predicate: ({ queryKey }) => !anyones.includes(String(queryKey[0])),
  })
  queryClient.setQueryData(sessionQuery.queryKey, user)
  showAs(user.reference)
}

/** Really ends the session, then shows the login. */
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
