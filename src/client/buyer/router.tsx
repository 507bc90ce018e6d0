import { createBrowserRouter, type RouteObject } from 'react-router'
import { type AccountPage, accountPages, type BuyerPage, buyerPages } from '../../shared/pages.ts'
import { BrokenPage, MissingPage } from '../area/BrokenPage.tsx'
import { onAnotherPage } from '../area/on-another-page.ts'
import { paths } from '../paths.ts'
import { PageSpinner } from '../ui/Spinner.tsx'
import { accountLoaders, pages } from './pages.ts'
import { Shell } from './Shell.tsx'
import { guard } from './session.ts'

const accountRoutes = (Object.keys(accountPages) as AccountPage[]).map(
  (page): RouteObject => ({
    path: accountPages[page],
    lazy: async () => ({ Component: await accountLoaders[page]() }),
  }),
)

const routeOf = (page: BuyerPage): RouteObject => {
  const path = buyerPages[page]
  const lazy = async () => ({ Component: await pages[page].load() })
  return path ? { path, lazy } : { index: true, lazy }
}

export const createRouter = () =>
  createBrowserRouter([
    {
      ErrorBoundary: BrokenPage,
      HydrateFallback: PageSpinner,
      children: [
        {
          path: '/',
          lazy: async () => ({ Component: (await import('./account/AccountFrame.tsx')).AccountFrame }),
          children: [...accountRoutes, { path: 'ru', children: accountRoutes }],
        },
        {
          path: paths.dashboard,
          loader: guard,
          shouldRevalidate: onAnotherPage,
          Component: Shell,
          children: [
            {
              ErrorBoundary: BrokenPage,
              children: [
                ...(Object.keys(pages) as BuyerPage[]).map(routeOf),
                { path: '*', Component: MissingPage },
              ],
            },
          ],
        },
        { path: '*', Component: MissingPage },
      ],
    },
  ])
