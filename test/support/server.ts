import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { closeApp, createApp } from '../../src/server/app.ts'
import { readConfig } from '../../src/server/config.ts'
import { type Context, createContext } from '../../src/server/context.ts'
import { createLog, type Log } from '../../src/server/log.ts'
import type { Outside } from '../../src/server/outside/outside.ts'
import { countStatements, watchCosts } from './costs.ts'
import { makeTestDatabase, type TestDatabase } from './database.ts'
import { freePort } from './database-server.ts'
import { testKey } from './secrets.ts'

export interface TestServer {
  url: string
  app: FastifyInstance
  context: Context
  database: TestDatabase
  paths(): string[]
  close(): Promise<void>
}

/**
 * Starts a server in this process, on its own database with the demo campaign. Closing fails if a request
 * exceeded its route's cost. Jobs run unless `jobs` is false; a given `database` is kept; `outside` replaces
 * other people's servers. `OPERATOR_LOGIN` and `OPERATOR_PASSWORD` create the first owner.
 */
export async function startServer(
  environment: Record<string, string> = {},
  options: { jobs?: boolean; log?: Log; database?: TestDatabase; outside?: Outside } = {},
): Promise<TestServer> {
  const database =
    options.database ?? (await makeTestDatabase({ holds: environment['DEMO'] === 'off' ? 'empty' : 'demo' }))
  const dataDir = await mkdtemp(join(tmpdir(), 'presale-server-'))
  const port = await freePort()
  const config = readConfig({
    NODE_ENV: 'test',
    DEMO: 'on',
    RATE_LIMIT: 'off',
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    // Tests read the sealed data with it.
    SECRET_KEY: testKey,
    PORT: String(port),
    // No test uses the internet.
    PRICE_API_URL: 'off',
    PRICE_KRAKEN_URL: 'off',
    PRICE_COINBASE_URL: 'off',
    ...environment,
  })
  const log = options.log ?? createLog('silent')
  const context = await createContext(config, countStatements(database.db), log, options.outside)
  const { first } = config.operators
  if (first.kind === 'password') await context.operators.ensureFirstOwner(first, dataDir)
  const app = await createApp(context)
  const dearer = watchCosts(app)
  context.live.start()
  await app.listen({ host: config.web.host, port: config.web.port })
  const hasJobs = options.jobs ?? true
  if (hasJobs) await context.jobs.start()
  return {
    url: config.web.publicUrl,
    app,
    context,
    database,
    paths: () => pathsOf(app.printRoutes({ commonPrefix: false })),
    close: async () => {
      await Promise.all([context.live.stop(), closeApp(app), hasJobs && context.jobs.stop()])
      await context.close()
      if (!options.database) await database.close()
      await rm(dataDir, { recursive: true, force: true })
      const over = dearer()
      if (over.length > 0) throw new Error(over.join('\n'))
    },
  }
}

/** Each line of the printed tree is a part of a path, indented by four columns per level. */
function pathsOf(tree: string): string[] {
  const above: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', piece = '', methods] = /^([│├└─ ]*)(\S+?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? []
    if (piece === '') return []
    above.length = indent.length / 4
    above.push(piece)
    return methods ? [above.join('')] : []
  })
}
