import type { RouteObject } from 'react-router'
import { accountPages, type BuyerPage, buyerPages } from '../../shared/pages.ts'
import { type Drawing, drawArea } from '../area/draw-area.tsx'
import { PageToCome } from '../area/PageToCome.tsx'
import type { Drawn } from '../document-facts.ts'
import { inEachLanguage, messagesOf } from '../i18n.ts'
import { AccountFrame } from './account/AccountFrame.tsx'
import { Login } from './account/Login.tsx'
import { Register } from './account/Register.tsx'
import { Buy } from './buy/Buy.tsx'
import { Overview } from './overview/Overview.tsx'
import { Shell } from './Shell.tsx'

export { pathAfterLogin } from './session.ts'

/** Pages whose first paint is the page; the others come with their frame. */
const drawn: Partial<Record<BuyerPage, () => React.JSX.Element>> = { dashboard: Overview, buy: Buy }

const accounts: RouteObject[] = [
  { path: accountPages.login, Component: Login },
  { path: accountPages.register, Component: Register },
]

const routes: RouteObject[] = [
  { path: '/', Component: AccountFrame, children: inEachLanguage(accounts) },
  {
    path: '/dashboard',
    Component: Shell,
    children: [
      ...(Object.keys(buyerPages) as BuyerPage[]).map((page): RouteObject => {
        const Component = drawn[page] ?? PageToCome
        return buyerPages[page] ? { path: buyerPages[page], Component } : { index: true, Component }
      }),
      { path: '*', Component: PageToCome },
    ],
  },
]

/** Draws a page of the buyer's area on the server. */
export async function draw(drawing: Drawing): Promise<Drawn> {
  const messages = await messagesOf(drawing.locale, 'buyer', ['account', 'buy', 'overview'])
  return drawArea(routes, messages, drawing)
}
