import type { FastifyReply, FastifyRequest } from 'fastify'
import { operatorCampaignRoutes } from '../../shared/api/campaign.ts'
import type { ErrorBody } from '../../shared/api/route.ts'
import type { CampaignSettings } from '../../shared/campaign-settings.ts'
import { defaultLanguage, type PublicLocale } from '../../shared/languages.ts'
import { CSRF_HEADER, CSRF_VALUE, refuseForeignForm } from '../http/authentication.ts'
import { charged } from '../http/costs.ts'
import { languageOf } from '../http/errors.ts'
import { API_PREFIX, type Server } from '../http/serve.ts'
import { headersFor } from './areas.ts'
import type { Rendered } from './page-cache.ts'
import { previewPolicy } from './security-policy.ts'

export interface PreviewNeeds {
  readonly operatorPath: string
  readonly publicUrl: string
  readonly cssHash: string
  readonly draw: (
    settings: CampaignSettings,
    locale: PublicLocale,
    request: FastifyRequest,
  ) => Promise<Rendered>
}

/** The API's limit times three: form encoding can triple a letter. */
const formMaxBytes = 3 * 64 * 1024

type Asked = FastifyRequest<{ Body: { draft?: string; language?: string } | undefined }>

/**
 * The landing page with unsaved settings. A form of the operators' area sends the draft and shows the answer
 * in a frame or tab. The API's route checks caller and draft. Stores nothing; the page is anonymous, counts
 * no visit and runs no script.
 */
export function mountPreview({ app }: Server, needs: PreviewNeeds): void {
  void app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    scope.addHook('onRequest', (request, _reply, done) => {
      refuseForeignForm(request, needs.publicUrl)
      done()
    })
    scope.post(
      `/${needs.operatorPath}/preview`,
      charged({ statements: 0, bodyBytes: formMaxBytes }),
      async (request: Asked, reply) => {
        const { draft = '', language } = request.body ?? {}
        const answer = await app.inject({
          method: operatorCampaignRoutes.preview.method,
          url: API_PREFIX + operatorCampaignRoutes.preview.path,
          headers: {
            ...headersFor(request, languageOf(request)),
            [CSRF_HEADER]: CSRF_VALUE,
            'content-type': 'application/json',
          },
          remoteAddress: request.ip,
          payload: draft,
        })
        keepPrivate(reply, needs.cssHash)
        if (answer.statusCode !== 200) {
          const { error } = answer.json<ErrorBody>()
          return reply.code(answer.statusCode).type('text/plain; charset=utf-8').send(error.message)
        }
        const { settings } = answer.json<{ settings: CampaignSettings }>()
        const locale = settings.languages.find((one) => one === language) ?? defaultLanguage
        const rendered = await needs.draw(settings, locale, request)
        const { body, encoding } = await rendered.encoded(request.headers['accept-encoding'] ?? '')
        if (encoding) reply.header('content-encoding', encoding)
        return reply.type('text/html; charset=utf-8').header('content-language', locale).send(body)
      },
    )
  })
}

/** Not cached, not indexed, framed by this site alone. */
function keepPrivate(reply: FastifyReply, cssHash: string): void {
  reply.raw.setHeader('x-frame-options', 'SAMEORIGIN')
  void reply
    .header('content-security-policy', previewPolicy(cssHash))
    .header('cache-control', 'no-store')
    .header('x-robots-tag', 'noindex, nofollow')
    .header('vary', 'Accept-Encoding, Cookie')
}
