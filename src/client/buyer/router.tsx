import { createBrowserRouter, type RouteObject } from 'react-router'
import { type AccountPage, accountPages, type BuyerPage, buyerPages } from '../../shared/pages.ts'
import { BrokenPage, MissingPage } from '../area/BrokenPage.tsx'
import { onAnotherPage } from '../area/on-another-page.ts'
import { inEachLanguage } from '../i18n.ts'
import { paths } from '../paths.ts'
import { PageSpinner } from '../ui/Spinner.tsx'
import { AccountFrame } from './account/AccountFrame.tsx'
import { accountLoaders, type Load, pages } from './pages.ts'
import { Shell } from './Shell.tsx'
import { guard } from './session.ts'

const drawnBy = (load: Load) => async () => ({ Component: await load() })

const accountRoutes = (Object.keys(accountPages) as AccountPage[]).map(
  (page): RouteObject => ({
    path: accountPages[page],
    lazy: drawnBy(accountLoaders[page]),
  }),
)

const routeOf = (page: BuyerPage): RouteObject => {
  const path = buyerPages[page]
  const lazy = drawnBy(pages[page].load)
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
          Component: AccountFrame,
          children: inEachLanguage(accountRoutes),
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
