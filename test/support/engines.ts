import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from './database-server.ts'
import { patienceMs } from './patience.ts'

/** A browser with one window and the functions of a purchase. Waits for each named element. */
export interface Engine {
  open(address: string): Promise<void>
  /** Presses a button, link, summary, menu item or checkbox whose name starts like this. */
  press(name: string): Promise<void>
  /** Presses within the open dialog: a closing menu may have an item of that name. */
  confirm(name: string): Promise<void>
  fill(label: string, text: string): Promise<void>
  sees(text: string): Promise<void>
  address(): Promise<string>
  /** Console errors and violations of the page's policy. */
  readonly faults: string[]
  close(): Promise<void>
}

/** `Place` identifies an element. */
interface Window<Place> {
  readonly faults: string[]
  go(address: string): Promise<void>
  /** `body` is a function's body. */
  find(body: string, ...given: string[]): Promise<Place | null>
  ask(body: string, ...given: string[]): Promise<unknown>
  click(place: Place): Promise<void>
  type(place: Place, text: string): Promise<void>
  close(): Promise<void>
}

/**
 * Finds pressable elements or labelled fields, only if they have not moved since the last look and nothing
 * covers them: a click goes to coordinates.
 */
const FIND = `
  const [kind, name] = arguments
  if (document.querySelector('#root[aria-busy]')) return null
  const text = (element) => (element.getAttribute('aria-label') || element.textContent).replace(/\\s+/g, ' ').trim()
  const isShown = (element) => element.getClientRects().length > 0 && !element.closest('[inert], [aria-hidden=true]')
  const labelled = (fits) => [...document.querySelectorAll('label')].filter((label) => fits(text(label))).map((label) => label.control)
  const place = kind === 'dialog' ? document.querySelector('[role=dialog], [role=alertdialog]') : document
  const pressed = [...(place?.querySelectorAll('button, a[href], summary, [role=menuitem]') ?? [])].filter((one) => text(one).startsWith(name))
  const found = kind === 'field' ? labelled((words) => words === name) : [...pressed, ...labelled((words) => words.startsWith(name)).filter((one) => one?.type === 'checkbox')]
  const element = found.findLast((one) => one && isShown(one) && !one.disabled && one.ariaDisabled !== 'true')
  if (!element) return null
  element.scrollIntoView({ behavior: 'instant', block: 'center' })
  const { x, y, width, height } = element.getBoundingClientRect()
  const [now, before] = [[x, y, width, height].join(), element.lastPlace]
  element.lastPlace = now
  if (now !== before) return null
  const hit = document.elementFromPoint(x + width / 2, y + height / 2)
  return [element, ...(element.labels ?? [])].some((one) => one.contains(hit)) ? element : null`

function engineOf<Place>(window: Window<Place>): Engine {
  /** Look again if the page is redrawn before the action. */
  const reach = (kind: string, name: string, action: (place: Place) => Promise<void>) =>
    until(`"${name}"`, async () => {
      try {
        const place = await window.find(FIND, kind, name)
        if (place === null) return false
        await action(place)
        return true
      } catch (error) {
        if (/stale|no such (?:element|node)|not interactable|intercepted|out of bounds/i.test(String(error)))
          return false
        throw error
      }
    })
  return {
    faults: window.faults,
    open: (address) => window.go(address),
    press: (name) => reach('pressed', name, (place) => window.click(place)),
    confirm: (name) => reach('dialog', name, (place) => window.click(place)),
    fill: (label, text) => reach('field', label, (place) => window.type(place, text)),
    sees: (text) =>
      until(
        `"${text}"`,
        async () =>
          (await window.ask('return document.body?.innerText.includes(arguments[0])', text)) === true,
      ),
    address: async () => String(await window.ask('return location.href')),
    close: () => window.close(),
  }
}

async function until(what: string, attempt: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + patienceMs; !(await attempt()); await delay(50))
    if (Date.now() > deadline) throw new Error(`There is no ${what}`)
}

async function ended(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null) return
  const exit = once(program, 'exit')
  program.kill()
  await exit
}

interface BidiAnswer {
  id?: number
  result?: any
  error?: string
  message?: string
  method?: string
  params?: {
    level?: string
    text?: string
    stackTrace?: { callFrames: { url: string; lineNumber: number }[] }
  }
}

/** Speaks WebDriver BiDi: https://w3c.github.io/webdriver-bidi/ */
async function openBidi(url: string, told: (event: BidiAnswer) => void) {
  const socket = new WebSocket(url)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', reject, { once: true })
  })
  const waiting = new Map<number, (answer: BidiAnswer) => void>()
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as BidiAnswer
    if (answer.id === undefined) told(answer)
    else waiting.get(answer.id)?.(answer)
  })
  let last = 0
  return async (method: string, params: object = {}) => {
    last += 1
    const id = last
    const answer = await new Promise<BidiAnswer>((resolve) => {
      waiting.set(id, resolve)
      socket.send(JSON.stringify({ id, method, params }))
    })
    waiting.delete(id)
    if (answer.error) throw new Error(`Firefox: ${answer.error}: ${answer.message}`)
    return answer.result
  }
}

/**
 * Messages about requests cut by leaving a page: an open stream, a connecting one, a loading module. Chromium
 * tests check that all modules load (visitor.ts, watchConsoleAndHosts).
 */
const CUT_BY_LEAVING = [
  /\/api\/v1\/live\?\S+ was interrupted while the page was loading/,
  /establish a connection to the server at \S+\/api\/v1\/live\?/,
  /^TypeError: error loading dynamically imported module: \S+\/assets\//,
]

/**
 * A message about a driver script on a page that is left meanwhile (github.com/mozilla/geckodriver, issue
 * 302). A page script's message would have a line number.
 */
const OF_THE_DRIVER = 'Error: Permission denied to access property "length"'

/** Debian's Firefox over WebDriver BiDi. */
export async function startFirefox(): Promise<Engine> {
  const profile = await mkdtemp(join(tmpdir(), 'firefox-'))
  const port = await freePort()
  const options = ['--headless', '--no-remote', '--profile', profile, `--remote-debugging-port=${port}`]
  const browser = spawn('firefox-esr', options, {
    env: { ...process.env, HOME: profile, MOZ_HEADLESS_WIDTH: '1280', MOZ_HEADLESS_HEIGHT: '1000' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  browser.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  await until('Firefox', async () => said.includes('WebDriver BiDi listening'))
  const faults: string[] = []
  const call = await openBidi(`ws://127.0.0.1:${port}/session`, ({ method, params }) => {
    if (method !== 'log.entryAdded' || CUT_BY_LEAVING.some((one) => one.test(params?.text ?? ''))) return
    const [frame] = params?.stackTrace?.callFrames ?? []
    if (!frame && params?.text === OF_THE_DRIVER) return
    if (params?.level === 'error' || params?.level === 'warn')
      faults.push(`${params.level}: ${params.text}${frame ? ` (${frame.url}:${frame.lineNumber})` : ''}`)
  })
  await call('session.new', { capabilities: {} })
  await call('session.subscribe', { events: ['log.entryAdded'] })
  await call('script.addPreloadScript', {
    functionDeclaration: `() => document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error('violates ' + violatedDirective + ': ' + blockedURI))`,
  })
  const { contexts } = await call('browsingContext.getTree')
  const context = contexts[0].context as string
  const run = async (body: string, given: string[]) => {
    const { result, exceptionDetails } = await call('script.callFunction', {
      functionDeclaration: `function () {${body}}`,
      arguments: given.map((value) => ({ type: 'string', value })),
      awaitPromise: false,
      target: { context },
    })
    if (exceptionDetails) throw new Error(`Firefox: ${exceptionDetails.text}`)
    return result
  }
  const perform = (...actions: object[]) => call('input.performActions', { context, actions })
  const click = (element: object) =>
    perform({
      type: 'pointer',
      id: 'mouse',
      actions: [
        { type: 'pointerMove', x: 0, y: 0, origin: { type: 'element', element } },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ],
    })
  const keys = (text: string) =>
    [...text].flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ])
  return engineOf<object>({
    faults,
    go: async (url) => {
      await call('browsingContext.navigate', { context, url, wait: 'complete' })
    },
    find: async (body, ...given) => {
      const { type, sharedId } = await run(body, given)
      return type === 'node' ? { sharedId } : null
    },
    ask: async (body, ...given) => (await run(body, given)).value,
    click,
    type: async (element, text) => {
      await click(element)
      await run('document.activeElement.select?.()', [])
      await perform({ type: 'key', id: 'keys', actions: keys(text) })
    },
    close: async () => {
      await ended(browser)
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  })
}

const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

/** Debian's WebKitGTK over its own WebDriver, on a virtual display. */
export async function startWebKit(): Promise<Engine> {
  const display = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1280x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [number] = (await once(display.stdout, 'data')) as [Buffer]
  const port = await freePort()
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    env: { ...process.env, DISPLAY: `:${String(number).trim()}`, WEBKIT_DISABLE_COMPOSITING_MODE: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const faults: string[] = []
  driver.stdout.setEncoding('utf8').on('data', (said: string) => {
    for (const line of said.split('\n')) if (/^CONSOLE .*\b(?:ERROR|WARN)/.test(line)) faults.push(line)
  })
  const send = await startSession(`http://127.0.0.1:${port}`)
  const run = (script: string, args: string[]) => send('POST', 'execute/sync', { script, args })
  return engineOf<string>({
    faults,
    go: async (url) => {
      await send('POST', 'url', { url })
    },
    find: async (body, ...given) => {
      const found = (await run(body, given)) as Record<string, string> | null
      return found?.[ELEMENT] ?? null
    },
    ask: (body, ...given) => run(body, given),
    click: async (place) => {
      await send('POST', `element/${place}/click`, {})
    },
    type: async (place, text) => {
      await send('POST', `element/${place}/clear`, {})
      await send('POST', `element/${place}/value`, { text })
    },
    close: async () => {
      await send('DELETE', '')
      await Promise.all([driver, display].map(ended))
    },
  })
}

/** Speaks WebDriver: https://www.w3.org/TR/webdriver2/ */
async function startSession(driver: string) {
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`${driver}/${path}`, { method, body: body ? JSON.stringify(body) : null })
    const { value } = (await answer.json()) as { value: { error?: string; message?: string } }
    if (!answer.ok) throw new Error(`WebKit: ${value.error}: ${value.message}`)
    return value
  }
  await until('WebKitWebDriver', () =>
    call('GET', 'status').then(
      () => true,
      () => false,
    ),
  )
  const args = ['--automation', '--enable-write-console-messages-to-stdout=true']
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': { binary: miniBrowser(), args } } }
  const { sessionId } = (await call('POST', 'session', { capabilities })) as { sessionId: string }
  return (method: string, path: string, body?: object) =>
    call(method, `session/${sessionId}${path && `/${path}`}`, body)
}

/** The program is outside of PATH. */
function miniBrowser(): string {
  for (const architecture of readdirSync('/usr/lib').filter((name) => name.endsWith('-linux-gnu')))
    for (const version of ['4.1', '4.0', '6.0']) {
      const path = `/usr/lib/${architecture}/webkit2gtk-${version}/MiniBrowser`
      if (existsSync(path)) return path
    }
  throw new Error('There is no WebKit: apt-get install webkit2gtk-driver')
}
