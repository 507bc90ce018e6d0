import type { FastifyReply, FastifyRequest } from 'fastify'
import { feedPath } from '../../shared/api/content.ts'
import { contentEndpoints } from '../../shared/api/content-schemas.ts'
import { languages } from '../../shared/languages.ts'
import { keptFor } from '../clock.ts'
import { atomFeed, type Content } from '../content/content.ts'
import { refuse } from '../refusal.ts'
import { charged } from './costs.ts'
import { languageOf } from './errors.ts'
import { attachmentHeaders, sendStream } from './send-stream.ts'
import { type BuyerCaller, type Server, serve, type VisitorCaller } from './serve.ts'

export interface ContentPages {
  /** Without a trailing slash. */
  readonly publicUrl: string
  campaignName(): Promise<string>
}

const YEAR_SECONDS = 31_536_000
/** Readers share a copy of the feed for this long. */
const FEED_FRESH_MS = 1_000

export function mountContent(server: Server, content: Content, pages: ContentPages): void {
  const { announcements, documents, legal } = content
  serve(server, contentEndpoints.announcements, ({ caller, query }) =>
    announcements.feed(query, userIdOf(caller)),
  )
  serve(server, contentEndpoints.announcement, ({ caller, params }) =>
    announcements.show(params.id, userIdOf(caller)),
  )
  serve(server, contentEndpoints.react, ({ caller, params }) =>
    announcements.react(params.id, params.kind, caller.userId),
  )
  serve(server, contentEndpoints.unreact, ({ caller, params }) =>
    announcements.unreact(params.id, params.kind, caller.userId),
  )
  serve(server, contentEndpoints.keep, ({ caller, params }) => announcements.keep(params.id, caller.userId))
  serve(server, contentEndpoints.unkeep, ({ caller, params }) =>
    announcements.unkeep(params.id, caller.userId),
  )
  serve(server, contentEndpoints.documents, async () => ({ items: await documents.list() }))
  serve(server, contentEndpoints.legal, ({ params, query }) => legal.show(params.kind, query.version))

  server.app.get<{ Params: { name: string } }>(
    '/uploads/:name',
    charged({ statements: 10 }),
    (request, reply) => sendUpload(content, request, reply, server),
  )
  const feeds = new Map(
    languages.map((language) => [
      language,
      keptFor(FEED_FRESH_MS, async () =>
        atomFeed(await announcements.feed({ limit: 30 }, null), {
          ...pages,
          name: await pages.campaignName(),
          language,
        }),
      ),
    ]),
  )
  server.app.get(feedPath, charged({ statements: 10 }), async (request, reply) =>
    reply
      .type('application/atom+xml; charset=utf-8')
      .header('cache-control', 'public, max-age=60')
      .send(await feeds.get(languageOf(request))?.()),
  )
}

function userIdOf(caller: BuyerCaller | VisitorCaller): string | null {
  return caller.kind === 'buyer' ? caller.userId : null
}

// Rules: TWO-21
/**
 * Images for display, because the server encoded them; other files as downloads, all sandboxed. Before
 * publication only operators can read a file.
 */
async function sendUpload(
  content: Content,
  request: FastifyRequest<{ Params: { name: string } }>,
  reply: FastifyReply,
  { limits, authenticator }: Server,
) {
  const file = (await content.uploads.find(request.params.name)) ?? refuse('not_found')
  if (!file.isPublic && !(await authenticator.operator(request))) refuse('not_found')
  const etag = `"${file.sha256}"`
  const headers: Record<string, string> = {
    ...attachmentHeaders((await content.documents.fileNameOf(file.id)) ?? file.name),
    'content-type': file.mediaType,
    'content-length': String(file.sizeBytes),
    'cache-control': `public, max-age=${YEAR_SECONDS}, immutable`,
    'cross-origin-resource-policy': 'same-origin',
    etag,
  }
  if (file.mediaType.startsWith('image/')) headers['content-disposition'] = 'inline'
  // Revalidation hides a removed document from earlier readers too.
  else headers['cache-control'] = 'public, no-cache'
  if (!file.isPublic) headers['cache-control'] = 'no-store'
  if (request.headers['if-none-match'] === etag) {
    delete headers['content-length']
    return reply.code(304).headers(headers).send()
  }
  await sendStream(reply, headers, content.uploads.read(file), { limits })
  return reply
}
