import type { Reach } from '../site.ts'
import { Site } from '../site.ts'
import type { LogWriter } from './log-writer.ts'

/** The requests to an in-memory site. */
export interface Served {
  site: Site
  asked: string[]
  waited: number[]
}

export const ADDRESS = 'https://sale.example'

/** The empty answer about currencies, documents, announcements and legal texts. */
export const NOTHING_ELSE = { items: [], pinned: null, next: null, version: 0 }

/** An in-memory site with a log and a campaign. `between` runs while the verifier waits. */
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
