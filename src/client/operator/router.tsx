import { createElement } from 'react'
import { createBrowserRouter, type LoaderFunctionArgs, type RouteObject, redirect } from 'react-router'
import { type OperatorPage, operatorPages } from '../../shared/pages.ts'
import type { Right } from '../../shared/roles.ts'
import { showAs } from '../api.ts'
import { BrokenPage, MissingPage } from '../area/BrokenPage.tsx'
import { onAnotherPage } from '../area/on-another-page.ts'
import { queryClient } from '../area/query-client.ts'
import { isSessionOver } from '../errors.ts'
import { activate } from '../i18n.ts'
import { PageSpinner } from '../ui/Spinner.tsx'
import { LoginPage } from './login/LoginPage.tsx'
import { NeedsRight } from './NeedsRight.tsx'
import { pages } from './pages.ts'
import { paths } from './paths.ts'
import { sessionQuery } from './queries.ts'
import { Shell } from './Shell.tsx'
import { areaRouteId } from './session.ts'

let isFirst = true

function readOperator() {
  const known = isFirst ? queryClient.getQueryData(sessionQuery.queryKey) : undefined
  isFirst = false
  return known ?? queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
}

/**
 * A visitor goes to the login and returns afterwards. An operator who lacks a required second factor goes to
 * its setup, because the server rejects everything else.
 */
async function guard({ request }: LoaderFunctionArgs) {
  try {
    const operator = await readOperator()
    showAs(operator.reference)
    if (document.documentElement.lang !== operator.language) await activate(operator.language)
    const { pathname } = new URL(request.url)
    const isOpen = pathname === paths.account || pathname === paths.password
    return operator.lacksSecondFactor && !isOpen ? redirect(paths.account) : operator
  } catch (error) {
    if (!isSessionOver(error)) throw error
    const { pathname, search } = new URL(request.url)
    queryClient.clear()
    // A full page load, because the path may belong to other pages.
    location.assign(`${paths.refused}&next=${encodeURIComponent(pathname + search)}`)
    return new Promise<never>(() => {})
  }
}

function signedInAlready() {
  const isSignedIn = queryClient.getQueryData(sessionQuery.queryKey) !== undefined
  return isSignedIn && !location.hash.startsWith('#invitation=') ? redirect(paths.overview) : null
}

function routeOf(page: OperatorPage): RouteObject {
  const { path, right }: { path: string; right?: Right } = operatorPages[page]
  const lazy = async () => {
    const Opened = await pages[page].load()
    return {
      Component: () =>
        right ? createElement(NeedsRight, { right }, createElement(Opened)) : createElement(Opened),
    }
  }
  return path ? { path, lazy } : { index: true, lazy }
}

export const createRouter = () =>
  createBrowserRouter([
    {
      path: paths.login,
      children: [
        { index: true, loader: signedInAlready, HydrateFallback: PageSpinner, Component: LoginPage },
        {
          id: areaRouteId,
          path: 'dashboard',
          loader: guard,
          shouldRevalidate: onAnotherPage,
          HydrateFallback: PageSpinner,
          ErrorBoundary: BrokenPage,
          Component: Shell,
          children: [
            {
              ErrorBoundary: BrokenPage,
              children: [
                ...(Object.keys(pages) as OperatorPage[]).map(routeOf),
                { path: '*', Component: MissingPage },
              ],
            },
          ],
        },
      ],
    },
    // The target of a failed guard; the server answers it with these pages.
    { path: '/admin', Component: LoginPage },
    { path: '*', Component: MissingPage },
  ])
