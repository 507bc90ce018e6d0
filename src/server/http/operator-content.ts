import type { FastifyInstance, FastifyRequest } from 'fastify'
import { documentBytesMax } from '../../shared/api/content.ts'
import { operatorContentEndpoints } from '../../shared/api/content-schemas.ts'
import { can } from '../../shared/roles.ts'
import type { Content, Editor } from '../content/content.ts'
import { refuse } from '../refusal.ts'
import { type OperatorActor, type Server, serve } from './serve.ts'

/** Announcements, documents, legal texts and uploads, as operators edit them. */
export function mountOperatorContent(server: Server, content: Content): void {
  const { announcements, documents, legal } = content
  const routes = operatorContentEndpoints
  serve(server, routes.announcements, ({ query: { after, limit } }) =>
    announcements.listAll({ after, limit }),
  )
  serve(server, routes.announcement, ({ params }) => announcements.showAny(params.id))
  serve(server, routes.addAnnouncement, ({ actor, body, request, keepReply }) =>
    announcements.add(body, editorOf(actor, request), keepReply),
  )
  serve(server, routes.updateAnnouncement, ({ actor, params, body: { revision, ...input }, request }) =>
    announcements.update(params.id, revision, input, editorOf(actor, request)),
  )
  serve(server, routes.removeAnnouncement, async ({ actor, params, request }) => {
    await announcements.remove(params.id, editorOf(actor, request))
    return { id: params.id }
  })
  serve(server, routes.addDocument, ({ actor, body, request }) =>
    documents.add(body, editorOf(actor, request)),
  )
  serve(server, routes.removeDocument, async ({ actor, params, request }) => {
    await documents.remove(params.id, editorOf(actor, request))
    return { id: params.id }
  })
  serve(server, routes.legalVersions, async ({ params }) => ({ items: await legal.versions(params.kind) }))
  serve(server, routes.publishLegal, ({ actor, params, body, request }) =>
    legal.publish(params.kind, body.basedOn, body.body, editorOf(actor, request)),
  )
  mountUploads(server, content)
}

export function editorOf(actor: OperatorActor, request: FastifyRequest): Editor {
  return { operatorId: actor.operatorId, requestId: request.id }
}

/** Files are the one kind of body that is no JSON. Who sends it is asked before 20 MB are read. */
function mountUploads(server: Server, content: Content): void {
  server.app.register(async (scope: FastifyInstance) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: documentBytesMax },
      (_request, body, done) => done(null, body),
    )
    scope.addHook('onRequest', async (request) => {
      const actor = (await server.authenticator.operator(request)) ?? refuse('not_signed_in')
      if (!can(actor.role, 'content:write')) refuse('not_for_your_role')
    })
    serve({ ...server, app: scope }, operatorContentEndpoints.uploadFile, ({ actor, request }) => {
      const bytes = request.body
      if (!Buffer.isBuffer(bytes) || bytes.length === 0) refuse('upload_type_refused')
      return content.uploads.store(bytes, editorOf(actor, request))
    })
  })
}
