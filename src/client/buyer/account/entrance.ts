import { useNavigate, useSearchParams } from 'react-router'
import type { SignedIn } from '../../../shared/api/account.ts'
import { paths } from '../../paths.ts'
import { pathAfterLogin, takeSession } from '../session.ts'

/** Goes to the requested page: by the router within the buyer's area, else by a page load. */
export function useEntrance() {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  return async ({ user }: SignedIn) => {
    takeSession(user)
    const next = pathAfterLogin(search)
    if (next.startsWith(paths.dashboard)) await navigate(next, { replace: true })
    else location.assign(next)
  }
}

/** Carries the return path to another account page. */
export function keepNext(search: URLSearchParams): string {
  const next = search.get('next')
  return next ? `?next=${encodeURIComponent(next)}` : ''
}
