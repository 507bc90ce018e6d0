import type { QueryClient } from '@tanstack/react-query'
import { type ComponentType, createElement } from 'react'
import { createBrowserRouter, type LoaderFunctionArgs, type RouteObject, redirect } from 'react-router'
import type { Right } from '../../shared/roles.ts'
import { isSessionOver } from '../errors.ts'
import { activate } from '../i18n.ts'
import { sessionQuery } from './data.ts'
import { Broken, NoSuchPage, Starting } from './frame.tsx'
import { LoginPage } from './login/LoginPage.tsx'
import { NeedsRight } from './page.tsx'
import { places } from './places.ts'
import { Shell } from './Shell.tsx'
import { areaRouteId } from './session.ts'

type Screen = ComponentType

/** A page below the area, loaded when it is opened; `right` is what reading it needs. */
function screen(path: string, load: () => Promise<Screen>, right?: Right): RouteObject {
  return {
    path,
    lazy: async () => {
      const Opened = await load()
      return {
        Component: () =>
          right ? createElement(NeedsRight, { right }, createElement(Opened)) : createElement(Opened),
      }
    },
  }
}

export function createRouter(client: QueryClient) {
  /** Asks who is signed in on every change of page; nobody: to the login form, and back here afterwards. */
  const guard = async ({ request }: LoaderFunctionArgs) => {
    try {
      const operator = await client.fetchQuery({ ...sessionQuery, staleTime: 0 })
      if (document.documentElement.lang !== operator.language) await activate(operator.language, 'operator')
      return operator
    } catch (error) {
      if (!isSessionOver(error)) throw error
      const { pathname, search } = new URL(request.url)
      client.clear()
      // A whole load: the address may be served by other pages than these.
      location.assign(`${places.refused}&next=${encodeURIComponent(pathname + search)}`)
      return new Promise<never>(() => {})
    }
  }

  const signedInAlready = async () => {
    if (location.hash.startsWith('#invitation=')) return null
    try {
      await client.fetchQuery({ ...sessionQuery, staleTime: 0 })
    } catch {
      return null
    }
    return redirect(places.area)
  }

  return createBrowserRouter([
    {
      path: places.login,
      children: [
        { index: true, loader: signedInAlready, HydrateFallback: Starting, Component: LoginPage },
        {
          id: areaRouteId,
          path: 'dashboard',
          loader: guard,
          // Filters live in the URL; only another page is worth another question.
          shouldRevalidate: ({ currentUrl, nextUrl, defaultShouldRevalidate }) =>
            currentUrl.pathname !== nextUrl.pathname ||
            (currentUrl.search === nextUrl.search && defaultShouldRevalidate),
          HydrateFallback: Starting,
          ErrorBoundary: Broken,
          Component: Shell,
          children: [
            {
              ErrorBoundary: Broken,
              children: [
                {
                  ...screen('', async () => (await import('./crypto/CryptoPage.tsx')).CryptoPage),
                  path: undefined,
                  index: true,
                } as RouteObject,
                screen('overview', async () => (await import('./overview/OverviewPage.tsx')).OverviewPage),
                screen('users', async () => (await import('./users/UsersPage.tsx')).UsersPage, 'users:read'),
                screen(
                  'users/:id',
                  async () => (await import('./users/UserPage.tsx')).UserPage,
                  'users:read',
                ),
                screen(
                  'transactions',
                  async () => (await import('./orders/OrdersPage.tsx')).OrdersPage,
                  'orders:read',
                ),
                screen(
                  'transactions/:id',
                  async () => (await import('./orders/OrderPage.tsx')).OrderPage,
                  'orders:read',
                ),
                screen(
                  'approved-transactions',
                  async () => (await import('./orders/ApprovedPage.tsx')).ApprovedPage,
                  'orders:read',
                ),
                screen(
                  'payments',
                  async () => (await import('./payments/PaymentsPage.tsx')).PaymentsPage,
                  'orders:read',
                ),
                screen(
                  'approvals',
                  async () => (await import('./approvals/ApprovalsPage.tsx')).ApprovalsPage,
                ),
                screen(
                  'change-main-currency',
                  async () => (await import('./crypto/PricePage.tsx')).PricePage,
                ),
                screen(
                  'change-password',
                  async () => (await import('./account/PasswordPage.tsx')).PasswordPage,
                ),
                screen('account', async () => (await import('./account/AccountPage.tsx')).AccountPage),
                screen(
                  'pixels',
                  async () => (await import('./pixels/PixelsPage.tsx')).PixelsPage,
                  'analytics:write',
                ),
                screen('campaign', async () => (await import('./campaign/CampaignPage.tsx')).CampaignPage),
                screen(
                  'content',
                  async () => (await import('./content/ContentPage.tsx')).ContentPage,
                  'content:write',
                ),
                screen(
                  'integrations',
                  async () => (await import('./integrations/IntegrationsPage.tsx')).IntegrationsPage,
                  'webhooks:write',
                ),
                screen(
                  'operators',
                  async () => (await import('./operators/OperatorsPage.tsx')).OperatorsPage,
                  'operators:write',
                ),
                screen('audit', async () => (await import('./audit/AuditPage.tsx')).AuditPage, 'audit:read'),
                { path: '*', Component: NoSuchPage },
              ],
            },
          ],
        },
      ],
    },
    // Where a refused guard leads; the server answers it with these pages.
    { path: '/admin', Component: LoginPage },
    { path: '*', Component: NoSuchPage },
  ])
}
