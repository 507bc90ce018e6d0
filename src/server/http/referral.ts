import type { FastifyReply, FastifyRequest } from 'fastify'
import { referralEndpoints as routes } from '../../shared/api/referral-schemas.ts'
import { localPath, type PublicLocale, publicLocales } from '../../shared/languages.ts'
import { DEVICE_COOKIE, REFERRAL_COOKIE, referralRules } from '../../shared/referral.ts'
import type { Referral } from '../referral/referral.ts'
import { addCookie } from './authentication.ts'
import { charged } from './costs.ts'
import { type Server, serve } from './serve.ts'

// Rules: REFER-2
export interface ReferralRoutesNeeds {
  readonly referral: Referral
  readonly publicUrl: string
}

type Opened = FastifyRequest<{ Params: { code: string } }>

export function mountReferral(server: Server, { referral, publicUrl }: ReferralRoutesNeeds): void {
  serve(server, routes.show, ({ caller }) => referral.show(caller.userId))
  serve(server, routes.join, ({ caller, body }) => referral.join(caller.userId, body.country))
  serve(server, routes.decisions, ({ query }) => referral.decisions(query))

  /** Stores the code for the registration and redirects to it; an invalid code opens the site. */
  const open = (locale: PublicLocale) => async (request: Opened, reply: FastifyReply) => {
    const { code } = request.params
    if (!(await referral.leads(code)))
      return reply.header('cache-control', 'no-store').redirect(localPath(locale, '/'), 302)
    addCookie(reply, referralCookie(code, publicUrl))
    return reply.redirect(localPath(locale, '/register'), 302)
  }
  for (const locale of publicLocales)
    server.app.get(localPath(locale, '/r/:code'), charged({ statements: 10 }), open(locale))
}

/** Readable by the registration page, which shows or drops the code. Null removes the cookie. */
export function referralCookie(code: string | null, publicUrl: string): string {
  const days = code === null ? 0 : referralRules.linkDays
  return `${REFERRAL_COOKIE}=${code ?? ''}; ${attributes(days, publicUrl)}`
}

/** Pages cannot read it; it comes back at the next sign-in from this browser, on any account. */
export function deviceCookie(value: string, publicUrl: string): string {
  return `${DEVICE_COOKIE}=${value}; ${attributes(referralRules.deviceDays, publicUrl)}; HttpOnly`
}

const attributes = (days: number, publicUrl: string) =>
  `Max-Age=${days * 86_400}; Path=/; SameSite=Lax${publicUrl.startsWith('https:') ? '; Secure' : ''}`
