import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { redirect, useNavigate } from 'react-router'
import { accountRoutes, type Profile } from '../../shared/api/account.ts'
import { api } from '../api.ts'
import { activate, documentLocale } from '../i18n.ts'
import { ownPath, paths } from '../paths.ts'
import { queryClient } from './client.ts'

/** Who is signed in; null for nobody. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<Profile | null> => (await api(accountRoutes.session, { signal })).user,
})

/** The signed-in buyer. The guard has checked it before any guarded page is shown. */
export function useSession(): Profile | null | undefined {
  return useQuery(sessionQuery).data
}

function loginPath(url: URL): string {
  return `${paths.login}?next=${encodeURIComponent(url.pathname + url.search)}`
}

/** Checks on every change of route; a visitor is sent to log in and comes back to where they were going. */
export async function guard({ request }: { request: Request }) {
  const user = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
  if (!user) return redirect(loginPath(new URL(request.url)))
  // Guarded pages follow the profile's language.
  if (user.language !== documentLocale()) await activate(user.language, 'buyer')
  return null
}

/** Where to go after logging in: the page that was asked for, if it is one of ours, else the buy page. */
export function pathAfterLogin(search: URLSearchParams): string {
  return ownPath(search.get('next')) ?? paths.buy
}

/** Takes over the new session: nothing that was read as somebody else stays. */
export function takeSession(user: Profile) {
  queryClient.removeQueries({
    predicate: (query) => !['campaign', 'currencies'].includes(String(query.queryKey[0])),
  })
  queryClient.setQueryData(sessionQuery.queryKey, user)
}

/** Really ends the session, then shows the login. */
export function useLogOut() {
  const navigate = useNavigate()
  return useMutation({
    mutationFn: () => api(accountRoutes.logOut),
    onSuccess: async () => {
      await navigate(paths.login)
      queryClient.clear()
    },
  })
}
