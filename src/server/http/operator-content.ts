import type { FastifyInstance } from 'fastify'
import { operatorContentEndpoints as routes } from '../../shared/api/content-schemas.ts'
import { type Content, encodeUpload } from '../content/content.ts'
import { createQueue } from '../queue.ts'
import { refuse } from '../refusal.ts'
import { requireOperator, type Server, serve, serveAction, serveActions } from './serve.ts'

/** Limits how many files an operator sends; refuses `too_many_requests`. */
type TakeUpload = (operatorId: string) => Promise<void>

/** Announcements, documents, legal texts and uploads, as operators edit them. */
export function mountOperatorContent(server: Server, content: Content, takeUpload?: TakeUpload): void {
  const { actions, announcements, legal } = content
  serve(server, routes.announcements, ({ query }) => announcements.listAll(query))
  serve(server, routes.announcement, ({ params }) => announcements.showAny(params.id))
  serve(server, routes.legalVersions, async ({ params }) => ({ items: await legal.versions(params.kind) }))
  serve(server, routes.legalDraft, ({ params }) => legal.draft(params.kind))
  // Its route is mounted apart, because files are no JSON.
  const { uploadFile: _, ...others } = routes
  serveActions(server, others, actions)
  mountUploads(server, content, takeUpload)
}

/** A file is in memory whole until it is kept, so that only so many are read at once. The others wait in their connections. */
const FILES_AT_ONCE = 3

/** Files are the one kind of body that is no JSON. Who sends a file is asked before 20 MB are read. */
function mountUploads(server: Server, { actions }: Content, takeUpload?: TakeUpload): void {
  server.app.register(async (scope: FastifyInstance) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    const take = createQueue(FILES_AT_ONCE)
    scope.addHook('onRequest', async (request, reply) => {
      const { operatorId } = await requireOperator(server.authenticator, request, 'content:write')
      // Before the body: of a file that is refused nothing is read.
      await takeUpload?.(operatorId)
      const end = await take()
      for (const over of ['finish', 'close']) reply.raw.once(over, end)
      // Who has left meanwhile says so no more.
      if (request.raw.destroyed) end()
    })
    // A picture is encoded before the action's transaction begins, because encoding takes long.
    serveAction({ ...server, app: scope }, routes.uploadFile, actions['upload.add'], async ({ request }) => {
      const bytes = request.body
      if (!Buffer.isBuffer(bytes) || bytes.length === 0) refuse('upload_type_refused')
      return encodeUpload(bytes)
    })
  })
}
