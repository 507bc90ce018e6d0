import { useNavigate, useSearchParams } from 'react-router'
import type { SignedIn } from '../../../shared/api/account.ts'
import { paths } from '../../paths.ts'
import { pathAfterLogin, takeSession } from '../session.ts'

/** Goes to the page that was asked for, in the router if it is one of the buyer's, else as a page load. */
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

/** Takes the way back along from one account page to the other. */
export function keepNext(search: URLSearchParams): string {
  const next = search.get('next')
  return next ? `?next=${encodeURIComponent(next)}` : ''
}
