import type { Reach } from '../site.ts'
import { Site } from '../site.ts'
import type { LogWriter } from './log-writer.ts'

/** What a site in memory was asked, and what may happen between two looks at it. */
export interface Served {
  site: Site
  asked: string[]
  waited: number[]
}

export const ADDRESS = 'https://sale.example'

/** The answer about currencies, documents, announcements and legal texts of a sale that has none. */
export const NOTHING_ELSE = { items: [], pinned: null, next: null, version: 0 }

/** A site in memory: its log, and what its campaign's address says. `between` happens while the verifier waits. */
export function serve(
  log: () => LogWriter,
  campaign: () => unknown,
  between: () => void = () => {},
  rows?: () => string,
): Served {
  const asked: string[] = []
  const waited: number[] = []
  const reach: Reach = {
    fetch: async (url) => {
      const path = url.slice(ADDRESS.length + 1)
      asked.push(path)
      if (path === 'api/v1/campaign') return Response.json(campaign())
      if (rows && path === 'transparency/orders.csv') return new Response(rows())
      if (path.startsWith('api/')) return Response.json(NOTHING_ELSE)
      const bytes = path.startsWith('journal/')
        ? log().file(path.slice('journal/'.length).replace(/\?.*$/, ''))
        : undefined
      return new Response(bytes === undefined ? 'Not found' : new Uint8Array(bytes), {
        status: bytes ? 200 : 404,
      })
    },
    wait: async (ms) => {
      waited.push(ms)
      between()
    },
  }
  return { site: new Site(ADDRESS, reach), asked, waited }
}
