import type { FastifyInstance } from 'fastify'

/** From the first character on below this host: `//elsewhere` and `/\elsewhere` would name another one. */
const isHere = (path: string) => /^\/[^/\\]/.test(path)

/** The address without slashes at its path's end; undefined where there are none. No expression looks for them: an address may be all slashes. */
function withoutSlash(url: string): string | undefined {
  const question = url.indexOf('?')
  const path = question < 0 ? url : url.slice(0, question)
  let end = path.length
  while (path.endsWith('/', end)) end -= 1
  return end < path.length && isHere(path) ? path.slice(0, end) + url.slice(path.length) : undefined
}

/** A page has one address: the one with a slash at its end leads to the one without, for all pages here and nowhere else. */
export function leadToOneAddress(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !request.url.startsWith('/api/')
    const address = isPage ? withoutSlash(request.url) : undefined
    if (address === undefined) return done()
    return reply.redirect(address, 301)
  })
}
