import { createBrowserRouter, type RouteObject } from 'react-router'
import { paths } from '../paths.ts'
import { PageSpinner } from '../ui/Spinner.tsx'
import { BrokenPage, MissingPage } from './BrokenPage.tsx'
import { Shell } from './Shell.tsx'
import { guard } from './session.ts'

/** Each page is a chunk of its own, fetched when it is first opened. */
const pages = {
  frame: () => import('./account/AccountFrame.tsx').then((part) => ({ Component: part.AccountFrame })),
  login: () => import('./account/Login.tsx').then((page) => ({ Component: page.Login })),
  register: () => import('./account/Register.tsx').then((page) => ({ Component: page.Register })),
  forgot: () => import('./account/ForgotPassword.tsx').then((page) => ({ Component: page.ForgotPassword })),
  reset: () => import('./account/ResetPassword.tsx').then((page) => ({ Component: page.ResetPassword })),
  confirm: () => import('./account/ConfirmEmail.tsx').then((page) => ({ Component: page.ConfirmEmail })),
  overview: () => import('./overview/Overview.tsx').then((page) => ({ Component: page.Overview })),
  buy: () => import('./buy/Buy.tsx').then((page) => ({ Component: page.Buy })),
  order: () => import('./order/OrderPage.tsx').then((page) => ({ Component: page.OrderPage })),
  profile: () => import('./profile/Profile.tsx').then((page) => ({ Component: page.ProfilePage })),
  status: () => import('./holdings/StatusPage.tsx').then((page) => ({ Component: page.StatusPage })),
  hub: () => import('./holdings/TokenHub.tsx').then((page) => ({ Component: page.TokenHub })),
  leaderboard: () => import('./holdings/Leaderboard.tsx').then((page) => ({ Component: page.Leaderboard })),
  howToBuy: () => import('./guides/HowToBuy.tsx').then((page) => ({ Component: page.HowToBuy })),
  exchange: () => import('./guides/ExchangeGuide.tsx').then((page) => ({ Component: page.ExchangeGuide })),
  documents: () => import('./guides/Documents.tsx').then((page) => ({ Component: page.Documents })),
}

const below = (path: string) => path.slice(paths.dashboard.length + 1)

const account: RouteObject[] = [
  { path: 'login', lazy: pages.login },
  { path: 'register', lazy: pages.register },
  { path: 'forgot-password', lazy: pages.forgot },
  { path: 'reset-password', lazy: pages.reset },
  { path: 'confirm-email', lazy: pages.confirm },
]

export const router = createBrowserRouter([
  {
    ErrorBoundary: BrokenPage,
    HydrateFallback: PageSpinner,
    children: [
      {
        path: '/',
        lazy: pages.frame,
        children: [...account, { path: 'ru', children: account }],
      },
      {
        path: paths.dashboard,
        loader: guard,
        // Typing on the buy page changes only the search: no reason to ask again who this is.
        shouldRevalidate: ({ currentUrl, nextUrl, defaultShouldRevalidate }) =>
          currentUrl.pathname !== nextUrl.pathname ||
          (currentUrl.search === nextUrl.search && defaultShouldRevalidate),
        Component: Shell,
        children: [
          {
            ErrorBoundary: BrokenPage,
            children: [
              { index: true, lazy: pages.overview },
              { path: below(paths.buy), lazy: pages.buy },
              { path: below(paths.transaction), lazy: pages.order },
              { path: below(paths.profile), lazy: pages.profile },
              { path: below(paths.status), lazy: pages.status },
              { path: below(paths.tokenHub), lazy: pages.hub },
              { path: below(paths.leaderboard), lazy: pages.leaderboard },
              { path: below(paths.howToBuy), lazy: pages.howToBuy },
              { path: below(paths.exchangeGuide), lazy: pages.exchange },
              { path: below(paths.documents), lazy: pages.documents },
              { path: '*', Component: MissingPage },
            ],
          },
        ],
      },
      { path: '*', Component: MissingPage },
    ],
  },
])
