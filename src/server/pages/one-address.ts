import type { FastifyInstance } from 'fastify'

/** From the first character on below this host: `//elsewhere/` and `/\elsewhere/` would name another one. */
const withSlash = /^(\/[^/\\?][^?]*?)\/+(\?.*)?$/

/** A page has one address: the one with a slash at its end leads to the one without, for all pages here and nowhere else. */
export function leadToOneAddress(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !request.url.startsWith('/api/')
    const [, path, query = ''] = (isPage && withSlash.exec(request.url)) || []
    if (path === undefined) return done()
    return reply.redirect(path + query, 301)
  })
}
