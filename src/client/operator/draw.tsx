import { type Drawing, drawArea } from '../area/draw-area.tsx'
import { messagesOf } from '../i18n.ts'
import { LoginPage } from './login/LoginPage.tsx'

export { pathAfterLogin } from './paths.ts'

/** Draws the operators' login on the server, wherever it stands. */
export async function draw(drawing: Drawing): Promise<string> {
  return drawArea(
    [{ path: '*', Component: LoginPage }],
    await messagesOf(drawing.locale, 'operator', []),
    drawing,
  )
}
