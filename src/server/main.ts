import type { FastifyInstance } from 'fastify'
import { closeApp, createApp } from './app.ts'
import { type Config, loadEnvFile, readConfig } from './config.ts'
import { type Context, createContext } from './context.ts'
import { type Connected, connectDatabase, whenReachable } from './database/connect.ts'
import { isConnectionLoss, sql } from './database/database.ts'
import { refuseTestNetworksAtFirst } from './demo/seed.ts'
import type { Log } from './log.ts'
import { createOutageLog, type OutageLog } from './outage-log.ts'
import { RetryableError } from './refusal.ts'
import { StartError } from './start-error.ts'
import { version } from './version.ts'

interface Running {
  readonly connected: Connected
  readonly parts: Part[]
  context?: Context
  app?: FastifyInstance
}

interface Part {
  start(): Promise<void> | void
  stop(): Promise<void>
}

/** Keeps pages up while writes wait for a standby. */
const READ_POOL_SIZE = 6
/** A failover takes seconds, a reboot minutes. */
const WAIT_MS = 120_000
/** Supervisors kill after 20 s; jobs and requests have 10 s. */
const STOP_MS = 14_000
/** By then jobs and watchers have finished their first work. */
const STARTED_MS = 3_000

/** If one part fails, stops those already started. */
async function start(config: Config, { log, watch }: OutageLog, signal: AbortSignal): Promise<Running> {
  refuseTestNetworksAtFirst(config)
  const waiting = {
    waitMs: WAIT_MS,
    onFault: (message: string, error?: Error) => log.warn(error ? { err: error } : {}, message),
    signal,
  }
  const connected = await connectDatabase(config, {
    ...waiting,
    // Several processes on one folder use `--only`; a plain second start is a mistake.
    mode: config.parts.length === 1 ? 'attach' : 'own',
    applicationName: `presale ${config.parts.length === 1 ? config.parts[0] : 'server'}`,
    readPoolSizeMax: config.parts.includes('web') ? READ_POOL_SIZE : undefined,
    beats: true,
  })
  watch(() => connected.db.query(sql`select 1`))
  const running: Running = { connected, parts: [] }
  const begin = (part: Part) => {
    running.parts.push(part)
    return whenReachable(waiting, async () => part.start())
  }
  try {
    if (connected.migrated.length > 0) log.info({ migrations: connected.migrated }, 'migrated')
    const context = await whenReachable(waiting, () => createContext(config, connected.db, log))
    running.context = context
    await begin(context.payments.nodes)
    const invitation = await whenReachable(waiting, () =>
      context.operators.ensureFirstOwner(config.operators.first, config.dataDir),
    )
    if (config.parts.includes('web')) {
      running.app = await createApp(context)
      context.live.start()
      await listen(running.app, config)
    }
    if (config.parts.includes('jobs')) await begin(context.jobs)
    if (config.parts.includes('watchers')) await begin(context.payments.watchers)
    if (running.app) announce(config, running.app, invitation?.link)
    return running
  } catch (error) {
    await drain(running)
    throw error
  }
}

/** The start leaves memory behind. Blocks for about 50 ms; does nothing without the flag `--expose-gc`. */
function giveBackMemory(): void {
  globalThis.gc?.({ type: 'major', flavor: 'last-resort', execution: 'sync' })
}

async function listen(app: FastifyInstance, config: Config): Promise<void> {
  const { host, port } = config.web
  try {
    await app.listen({ host, port })
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'EADDRINUSE') throw new StartError(`Port ${port} is in use: stop what uses it, or set PORT`)
    if (code === 'EACCES') throw new StartError(`Port ${port} needs more rights than this user has: set PORT`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new StartError(`HOST ${host} is no address of this machine`)
    }
    throw error
  }
}

function announce(config: Config, app: FastifyInstance, ownerLink: string | undefined): void {
  const address = app.server.address()
  const port = address && typeof address === 'object' ? address.port : config.web.port
  const url = config.web.port === 0 ? `http://localhost:${port}` : config.web.publicUrl
  const lines = [
    `Version:    ${version}`,
    `Presale:    ${url}`,
    `Operators:  ${url}/${config.operators.path}`,
  ]
  if (ownerLink) lines.push(`Owner's one-time link (24 h): ${ownerLink}`)
  if (config.isDemo) lines.push('This is a demo: nothing is for sale, and nothing must be sent.')
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** Closes from the outside in, after open work. */
async function drain({ connected, parts, context, app }: Running): Promise<void> {
  // Event streams never end by themselves.
  await Promise.all([context?.live.stop(), app && closeApp(app), ...parts.map((part) => part.stop())])
  await context?.close()
  await connected.close()
}

/**
 * The job queue leaves a rejection unhandled if the database is lost while it stores a failure, and restarts;
 * any other unhandled rejection ends the program.
 */
function surviveLostConnections(log: Log): void {
  process.on('unhandledRejection', (error) => {
    if (!isConnectionLoss(error) && !(error instanceof RetryableError)) throw error
    log.warn({ err: error }, 'a database connection was lost while nobody listened')
  })
}

async function main(): Promise<void> {
  loadEnvFile()
  const config = readConfig(process.env, process.argv.slice(2))
  const outage = createOutageLog()
  const { log } = outage
  const asked = new Promise<string>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => resolve(signal))
    // The parent set-up script ended.
    process.on('disconnect', () => resolve('disconnect'))
  })
  surviveLostConnections(log)
  const stopping = new AbortController()
  const starting = start(config, outage, stopping.signal)
  void asked.then((reason) => {
    log.info({ reason }, 'stopping')
    stopping.abort()
    // Also ends work that waits for an unresponsive database.
    setTimeout(() => process.exit(0), STOP_MS).unref()
  })
  const running = await starting.catch((error: unknown) => {
    if (stopping.signal.aborted) process.exit(0)
    throw error
  })
  setTimeout(giveBackMemory, STARTED_MS).unref()
  await asked
  await drain(running)
  process.exit(0)
}

try {
  await main()
} catch (error) {
  process.stderr.write(error instanceof StartError ? `${error.message}\n` : `${(error as Error).stack}\n`)
  process.exit(1)
}
