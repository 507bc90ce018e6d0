import type { FastifyInstance } from 'fastify'

/** `//elsewhere` and `/\elsewhere` would name another host. */
const isHere = (path: string) => /^\/[^/\\]/.test(path)

/**
 * Undefined without trailing slashes of the path. No regular expression, because an address may be all
 * slashes.
 */
function withoutSlash(url: string): string | undefined {
  const question = url.indexOf('?')
  const path = question < 0 ? url : url.slice(0, question)
  let end = path.length
  while (path.endsWith('/', end)) end -= 1
  return end < path.length && isHere(path) ? path.slice(0, end) + url.slice(path.length) : undefined
}

/** Redirects pages with a trailing slash, on this host only. */
export function leadToOneAddress(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !request.url.startsWith('/api/')
    const address = isPage ? withoutSlash(request.url) : undefined
    if (address === undefined) return done()
    return reply.redirect(address, 301)
  })
}
