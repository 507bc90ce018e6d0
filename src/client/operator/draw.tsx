import { messages } from 'virtual:messages/all'
import type { RouteObject } from 'react-router'
import type { OperatorMe } from '../../shared/api/operator-session.ts'
import { operatorSessionRoutes } from '../../shared/api/operator-session.ts'
import { type Drawing, drawArea } from '../area/draw-area.tsx'
import { PageToCome } from '../area/PageToCome.tsx'
import type { Drawn } from '../document-facts.ts'
import { LoginPage } from './login/LoginPage.tsx'
import { Shell } from './Shell.tsx'
import { areaRouteId } from './session.ts'

export { pathAfterLogin } from './paths.ts'

export async function draw(drawing: Drawing): Promise<Drawn> {
  const session = drawing.reads.find(({ path }) => path === operatorSessionRoutes.show.path)
  const operator = session?.reply as OperatorMe | undefined
  const area = `/${drawing.facts.operatorPath}/dashboard`
  const isPage = new URL(drawing.url).pathname.startsWith(area)
  const routes: RouteObject[] =
    isPage && operator
      ? [
          {
            id: areaRouteId,
            path: area,
            loader: () => operator,
            Component: Shell,
            children: [{ path: '*', Component: PageToCome }],
          },
        ]
      : [{ path: '*', Component: LoginPage }]
  return drawArea(routes, messages[drawing.locale] ?? {}, drawing)
}
