import { messages } from 'virtual:messages/all'
import type { RouteObject } from 'react-router'
import { accountPages, type BuyerPage, buyerPages } from '../../shared/pages.ts'
import { type Drawing, drawArea } from '../area/draw-area.tsx'
import { PageToCome } from '../area/PageToCome.tsx'
import type { Drawn } from '../document-facts.ts'
import { inEachLanguage } from '../i18n.ts'
import { AccountFrame } from './account/AccountFrame.tsx'
import { Login } from './account/Login.tsx'
import { Register } from './account/Register.tsx'
import { pages } from './pages.ts'
import { Shell } from './Shell.tsx'

export { pathAfterLogin } from './session.ts'

const accounts: RouteObject[] = [
  { path: accountPages.login, Component: Login },
  { path: accountPages.register, Component: Register },
]

const area = '/dashboard'

function pageAt(url: string): BuyerPage | undefined {
  const path = new URL(url).pathname.replace(/\/$/, '')
  const asked = path === area ? '' : path.startsWith(`${area}/`) ? path.slice(area.length + 1) : undefined
  return (Object.keys(buyerPages) as BuyerPage[]).find((page) => buyerPages[page] === asked)
}

export async function draw(drawing: Drawing): Promise<Drawn> {
  const page = pageAt(drawing.url)
  const Component = page ? await pages[page].load() : PageToCome
  const routes: RouteObject[] = [
    { path: '/', Component: AccountFrame, children: inEachLanguage(accounts) },
    {
      path: area,
      Component: Shell,
      children: [
        { index: true, Component },
        { path: '*', Component },
      ],
    },
  ]
  return drawArea(routes, messages[drawing.locale] ?? {}, drawing)
}
