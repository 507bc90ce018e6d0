import type { FastifyReply, FastifyRequest } from 'fastify'
import { localPath, type PublicLocale } from '../../shared/languages.ts'
import { type FollowStep } from '../../shared/public-pages.ts'
import type { Followers } from '../followers/followers.ts'
import { networkOf, refuseForeignForm } from '../http/authentication.ts'
import { charged, SHARED, VISITOR_BODY_BYTES_MAX } from '../http/costs.ts'
import type { Server } from '../http/serve.ts'
import { errorText, Refusal } from '../refusal.ts'

// Rules: TEXT-9
export type FollowSource = Pick<Followers, 'ask' | 'confirm' | 'isAsked' | 'isOn' | 'leave'>

type ShowFollow = (
  request: FastifyRequest,
  reply: FastifyReply,
  step: FollowStep,
  status?: number,
) => Promise<FastifyReply>

type WithKey = FastifyRequest<{ Params: { key: string } }>

const CHANGE = charged({ statements: 20, mails: 1, bodyBytes: VISITOR_BODY_BYTES_MAX })
const KEY = /^[\w-]{20,60}$/

/**
 * Forms without scripts. The address in a mail's unsubscribe header accepts RFC 8058 POSTs of any mail
 * program, without cookie or token.
 */
export function mountFollow(
  { app }: Server,
  { followers, publicUrl }: { readonly followers: FollowSource; readonly publicUrl: string },
  locale: PublicLocale,
  show: ShowFollow,
): void {
  const at = (path: string) => localPath(locale, path)
  app.get(at('/updates/follow/:key'), charged({ statements: 10 }), async (request: WithKey, reply) => {
    const { key } = request.params
    const isAsked = KEY.test(key) && (await followers.isAsked(key))
    return show(request, reply, isAsked ? { is: 'confirm', key } : { is: 'expired' }, isAsked ? 200 : 404)
  })
  app.get(at('/updates/leave/:key'), SHARED, (request: WithKey, reply) =>
    show(request, reply, { is: 'leave', key: request.params.key.slice(0, 60) }),
  )
  void app.register(async (scope) => {
    // Mail programs send either of two content types.
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    scope.post(
      at('/updates/follow'),
      CHANGE,
      (request: FastifyRequest<{ Body: { email?: string } | undefined }>, reply) =>
        answering(request, reply, { locale, show }, async () => {
          refuseForeignForm(request, publicUrl)
          await followers.ask(request.body?.email ?? '', locale, networkOf(request.ip))
          return { is: 'asked' }
        }),
    )
    scope.post(at('/updates/follow/:key'), CHANGE, (request: WithKey, reply) =>
      answering(request, reply, { locale, show }, async () => {
        refuseForeignForm(request, publicUrl)
        await followers.confirm(request.params.key)
        return { is: 'confirmed' }
      }),
    )
    scope.post(at('/updates/leave/:key'), CHANGE, async (request: WithKey, reply) => {
      await followers.leave(request.params.key)
      return show(request, reply, { is: 'left' })
    })
  })
}

async function answering(
  request: FastifyRequest,
  reply: FastifyReply,
  { locale, show }: { readonly locale: PublicLocale; readonly show: ShowFollow },
  work: () => Promise<FollowStep>,
): Promise<FastifyReply> {
  try {
    return await show(request, reply, await work())
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const step = { is: 'refused', sentence: errorText(error.code, locale) } as const
    return show(request, reply, step, error.code === 'too_many_requests' ? 429 : 422)
  }
}
