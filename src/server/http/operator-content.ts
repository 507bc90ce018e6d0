import type { FastifyInstance } from 'fastify'
import { documentBytesMax } from '../../shared/api/content.ts'
import { operatorContentEndpoints as routes } from '../../shared/api/content-schemas.ts'
import { type Content, encodeUpload } from '../content/content.ts'
import { refuse } from '../refusal.ts'
import { requireOperator, type Server, serve, serveAct } from './serve.ts'

/** Limits how many files an operator sends; refuses `too_many_requests`. */
type TakeUpload = (operatorId: string) => Promise<void>

/** Announcements, documents, legal texts and uploads, as operators edit them. */
export function mountOperatorContent(server: Server, content: Content, takeUpload?: TakeUpload): void {
  const { acts, announcements, legal } = content
  serve(server, routes.announcements, ({ query }) => announcements.listAll(query))
  serve(server, routes.announcement, ({ params }) => announcements.showAny(params.id))
  serveAct(server, routes.addAnnouncement, acts['announcement.add'], ({ body }) => body)
  serveAct(server, routes.updateAnnouncement, acts['announcement.update'], ({ params, body }) => ({
    ...body,
    ...params,
  }))
  serveAct(server, routes.removeAnnouncement, acts['announcement.remove'], ({ params }) => params)
  serveAct(server, routes.addDocument, acts['document.add'], ({ body }) => body)
  serveAct(server, routes.updateDocument, acts['document.update'], ({ params, body }) => ({
    ...body,
    ...params,
  }))
  serveAct(server, routes.moveDocument, acts['document.move'], ({ params, body }) => ({ ...body, ...params }))
  serveAct(server, routes.removeDocument, acts['document.remove'], ({ params }) => params)
  serve(server, routes.legalVersions, async ({ params }) => ({ items: await legal.versions(params.kind) }))
  serveAct(server, routes.publishLegal, acts['legal.publish'], ({ params, body }) => ({ ...body, ...params }))
  mountUploads(server, content, takeUpload)
}

/** Files are the one kind of body that is no JSON. Who sends a file is asked before 20 MB are read. */
function mountUploads(server: Server, { acts }: Content, takeUpload?: TakeUpload): void {
  server.app.register(async (scope: FastifyInstance) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: documentBytesMax },
      (_request, body, done) => done(null, body),
    )
    scope.addHook('onRequest', async (request) => {
      await requireOperator(server.authenticator, request, 'content:write')
    })
    // A picture is encoded before the act's transaction begins, because encoding takes long.
    serveAct({ ...server, app: scope }, routes.uploadFile, acts['upload.add'], async ({ actor, request }) => {
      await takeUpload?.(actor.operatorId)
      const bytes = request.body
      if (!Buffer.isBuffer(bytes) || bytes.length === 0) refuse('upload_type_refused')
      return encodeUpload(bytes)
    })
  })
}
