import type { FastifyInstance } from 'fastify'
import { API_PREFIX } from './serve.ts'

/**
 * Watches what is mounted below the API from now on. The answer tells the methods that a path takes, in order; none for a path
 * that nothing is mounted at.
 */
export function watchPaths(app: FastifyInstance): (path: string) => string[] {
  const methodsByUrl = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    if (!url.startsWith(`${API_PREFIX}/`)) return
    const methods = methodsByUrl.get(url) ?? new Set()
    methodsByUrl.set(url, methods)
    for (const one of [method].flat()) methods.add(one)
  })
  return (path) => {
    const methods = [...methodsByUrl].flatMap(([url, taken]) => (patternOf(url).test(path) ? [...taken] : []))
    return [...new Set(methods)].toSorted()
  }
}

/** `/orders/:token` as an expression; a parameter is one piece of the path, `*` is all the rest. */
function patternOf(url: string): RegExp {
  const escaped = url.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll(/:\w+/g, '[^/]+').replaceAll('*', '.*')}$`)
}
