import type { FastifyInstance } from 'fastify'
import { API_PREFIX } from './serve.ts'

/** API routes mounted from now on. Returns a path's sorted methods, empty if unknown. */
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

function patternOf(url: string): RegExp {
  const escaped = url.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll(/:\w+/g, '[^/]+').replaceAll('*', '.*')}$`)
}
