import type { FastifyInstance } from 'fastify'
import { operatorContentEndpoints as routes } from '../../shared/api/content-schemas.ts'
import { type Content, encodeUpload } from '../content/content.ts'
import { createQueue } from '../queue.ts'
import { refuse } from '../refusal.ts'
import { requireOperator, type Server, serve, serveAction, serveActions } from './serve.ts'

type TakeUpload = (operatorId: string) => Promise<void>

export function mountOperatorContent(server: Server, content: Content, takeUpload?: TakeUpload): void {
  const { actions, announcements, legal } = content
  serve(server, routes.announcements, ({ query }) => announcements.listAll(query))
  serve(server, routes.announcement, ({ params }) => announcements.showAny(params.id))
  serve(server, routes.legalVersions, async ({ params }) => ({ items: await legal.versions(params.kind) }))
  serve(server, routes.legalDraft, ({ params }) => legal.draft(params.kind))
  // Files are not JSON.
  const { uploadFile: _, ...others } = routes
  serveActions(server, others, actions)
  mountUploads(server, content, takeUpload)
}

/** Each is held in memory. Others wait before their body is read. */
const FILES_AT_ONCE = 3

/** Raw bodies up to 20 MB, after authentication. */
function mountUploads(server: Server, { actions }: Content, takeUpload?: TakeUpload): void {
  server.app.register(async (scope: FastifyInstance) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    const take = createQueue(FILES_AT_ONCE)
    scope.addHook('onRequest', async (request, reply) => {
      const { operatorId } = await requireOperator(server.authenticator, request, 'content:write')
      // A rejected file is not read.
      await takeUpload?.(operatorId)
      const end = await take()
      for (const over of ['finish', 'close']) reply.raw.once(over, end)
      // A client that has left sends no further event.
      if (request.raw.destroyed) end()
    })
    // Before the transaction: encoding a picture takes long.
    serveAction({ ...server, app: scope }, routes.uploadFile, actions['upload.add'], async ({ request }) => {
      const bytes = request.body
      if (!Buffer.isBuffer(bytes) || bytes.length === 0) refuse('upload_type_refused')
      return encodeUpload(bytes)
    })
  })
}
