import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import { afterAll } from 'vitest'
import { password } from './api.ts'
import { addOperators, seedEveryState } from './every-state.ts'
import { startServer, type TestServer } from './server.ts'

/**
 * The first installed one is used: the headless shell renders equally and needs a sixth less processor time.
 */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
]
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** One browser for all test files of a process; ends with it. */
let running: Promise<Browser> | undefined

async function openBrowser(): Promise<Browser> {
  const before = await running
  if (before?.isConnected()) return before
  running = chromium.launch({ executablePath: findChromium(), args: FLAGS })
  return running
}

/** Closes all pages, so that none keeps running during the next file. */
async function closePages(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()))
}

/**
 * Starts a server with the first owner, and the machine's headless Chromium. Call it at the top of a test
 * file (with `await`). `environment` and `options` as in `startServer`.
 */
export async function startServerAndBrowser(
  environment: Record<string, string> = {},
  options: Parameters<typeof startServer>[1] = {},
): Promise<{ server: TestServer; browser: Browser }> {
  const asOwner = { OPERATOR_LOGIN: 'owner', OPERATOR_PASSWORD: password }
  const starting = startServer({ ...asOwner, ...environment }, options)
  const opening = openBrowser()
  afterAll(() => Promise.all([starting.then((server) => server.close()), opening.then(closePages)]))
  const [server, browser] = await Promise.all([starting, opening])
  return { server, browser }
}

/** Adds an operator of every role; `owner` makes the owner's calls. */
export async function startStaffedServerAndBrowser(
  environment: Record<string, string> = {},
  options: Parameters<typeof startServer>[1] = {},
) {
  const started = await startServerAndBrowser(environment, options)
  return { ...started, owner: await addOperators(started.server) }
}

/** Adds a buyer's order in every state. */
export async function startFilledServerAndBrowser() {
  const started = await startServerAndBrowser()
  return { ...started, ...(await seedEveryState(started.server)) }
}

/** A browser with notifications, which the shell lacks. Close it. */
export const openNoticeBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: findChromium(NAMES.slice(1)), args: FLAGS })

function findChromium(names = NAMES): string {
  for (const name of names) {
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
      if (folder && existsSync(join(folder, name))) return join(folder, name)
    }
  }
  throw new Error(`There is no Chromium: apt-get install ${names[0]}`)
}
