import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import { afterAll } from 'vitest'
import { password } from './api.ts'
import { addOperators, seedEveryState } from './every-state.ts'
import { startServer, type TestServer } from './server.ts'

/** The first that is there: the shell draws the same without a desktop's weight, which is a sixth of the processor time. */
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

/**
 * The real server with its first owner, and the machine's own Chromium, headless. Call it at the top of a test file
 * (with `await`): both end after the file's last test. `environment` as in `startServer`.
 */
export async function startServerAndBrowser(
  environment: Record<string, string> = {},
): Promise<{ server: TestServer; browser: Browser }> {
  const starting = [
    startServer({ OPERATOR_LOGIN: 'owner', OPERATOR_PASSWORD: password, ...environment }),
    chromium.launch({ executablePath: findChromium(), args: FLAGS }),
  ] as const
  afterAll(() => Promise.all(starting.map(async (started) => (await started).close())))
  const [server, browser] = await Promise.all(starting)
  return { server, browser }
}

/** The same with an operator of every role; `owner` makes the owner's calls. */
export async function startStaffedServerAndBrowser(environment: Record<string, string> = {}) {
  const started = await startServerAndBrowser(environment)
  return { ...started, owner: await addOperators(started.server) }
}

/** The same with a buyer's order in every state, so that no page is empty. */
export async function startFilledServerAndBrowser() {
  const started = await startServerAndBrowser()
  return { ...started, ...(await seedEveryState(started.server)) }
}

function findChromium(): string {
  for (const name of NAMES) {
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
      if (folder && existsSync(join(folder, name))) return join(folder, name)
    }
  }
  throw new Error('There is no Chromium: apt-get install chromium-headless-shell')
}
