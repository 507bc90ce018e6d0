import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type CDPSession, chromium } from '@playwright/test'
import type { VerifyTold } from '../src/client/public/islands/verify-worker.ts'
import { type LargeLog, serveLargeLog } from '../verify/testing/large-log.ts'
import { root } from './machine.ts'
import { median, type Row, shown } from './rows.ts'
import type { Stage } from './stage.ts'

/** Three orders make five log entries. */
const COMMAND = { orders: 600_000, secondsMax: 60, megabytesMax: 500 }
const BROWSER = { orders: 60_000, secondsMax: 10 }
const RUNS = 5
const QUICK = { orders: 6_000, runs: 1 }
const MB = 1_000_000

/** Verifies a large journal on loopback: the command, and the worker of `/verify` in a browser. */
export async function measure(stage: Stage): Promise<Row[]> {
  const runs = stage.quick ? QUICK.runs : RUNS
  const sizeOf = ({ orders }: { orders: number }) => (stage.quick ? QUICK.orders : orders)
  return [
    ...(await overLog(sizeOf(COMMAND), (log) => commandRows(log, runs, stage.folder))),
    ...(await overLog(sizeOf(BROWSER), (log) => browserRows(log, runs))),
  ]
}

async function overLog(orders: number, work: (log: LargeLog) => Promise<Row[]>): Promise<Row[]> {
  const log = await serveLargeLog(orders, workerPage)
  try {
    return await work(log)
  } finally {
    await log.close()
  }
}

interface Run {
  readonly seconds: number
  readonly cpuSeconds: number
  readonly megabytes: number
}

async function commandRows(log: LargeLog, runs: number, folder: string): Promise<Row[]> {
  const done: Run[] = []
  for (let run = 0; run < runs; run++) {
    done.push(await runCommand(log.url, join(folder, 'verify-state')))
    sayRun('command', done.at(-1))
  }
  return rowsOf(`npm run verify of ${describe(log)}`, done, COMMAND)
}

/** Prints the process's resources at exit. Not `maxRSS`, which starts with the parent's value. */
const AT_END = `import { readFileSync } from 'node:fs'
process.on('exit', () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage()
  const [, most] = /VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))
  console.error(JSON.stringify({ kilobytes: Number(most), cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 }))
})`

async function runCommand(url: string, state: string): Promise<Run> {
  const asking = `--import data:text/javascript,${encodeURIComponent(AT_END)}`
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['scripts/run.mjs', 'verify', url, '--state', state], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: asking },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [said, reported] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (reported += text))
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const seconds = (performance.now() - startedAt) / 1_000
  rmSync(state, { force: true })
  if (code !== 0)
    throw new Error(`the verifier ended with ${code}: ${said.slice(-400)}${reported.slice(-400)}`)
  const [needed = ''] = /\{"kilobytes".*\}/.exec(reported) ?? []
  const { kilobytes, cpuSeconds } = JSON.parse(needed) as { kilobytes: number; cpuSeconds: number }
  return { seconds, cpuSeconds, megabytes: (kilobytes * 1_024) / MB }
}

const WORKER = /^verify-worker-.*\.js$/
const ASSETS = join(root, 'dist/client/assets')

/** A page on the log's origin. */
function workerPage(path: string): { type: string; body: Buffer | string } | undefined {
  if (path === '/') return { type: 'text/html', body: '<!doctype html><title>verify</title>' }
  const [, name = ''] = /^\/assets\/([\w.-]+\.js)$/.exec(path) ?? []
  return name ? { type: 'text/javascript', body: readFileSync(join(ASSETS, name)) } : undefined
}

async function browserRows(log: LargeLog, runs: number): Promise<Row[]> {
  const done: Run[] = []
  for (let run = 0; run < runs; run++) {
    done.push(await runWorker(log.url))
    sayRun('browser', done.at(-1))
  }
  return rowsOf(`/verify in Chromium, ${describe(log)}`, done, BROWSER)
}

/** Runs in a browser with an empty cache. */
async function runWorker(url: string): Promise<Run> {
  const file = readdirSync(ASSETS).find((name) => WORKER.test(name))
  if (file === undefined) throw new Error('the build has no worker of /verify')
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  })
  try {
    const page = await browser.newPage()
    await page.goto(url)
    const processes = await browser.newBrowserCDPSession()
    const before = await rendererSeconds(processes)
    const { told, seconds } = await page.evaluate(async (path) => {
      const startedAt = performance.now()
      const worker = new Worker(path, { type: 'module' })
      const last = await new Promise<VerifyTold>((resolve, reject) => {
        worker.addEventListener('error', ({ message }) => reject(new Error(message)))
        worker.addEventListener('message', ({ data }: MessageEvent<VerifyTold>) => {
          if (data.kind !== 'progress') resolve(data)
        })
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name.
        worker.postMessage({ url: location.origin, state: undefined })
      })
      return { told: last, seconds: (performance.now() - startedAt) / 1_000 }
    }, `/assets/${file}`)
    if (told.kind !== 'report' || !told.report.agrees)
      throw new Error(`the worker did not agree: ${JSON.stringify(told).slice(0, 400)}`)
    return { seconds, cpuSeconds: (await rendererSeconds(processes)) - before, megabytes: Number.NaN }
  } finally {
    await browser.close()
  }
}

async function rendererSeconds(processes: CDPSession): Promise<number> {
  const { processInfo } = await processes.send('SystemInfo.getProcessInfo')
  return processInfo.filter(({ type }) => type === 'renderer').reduce((all, { cpuTime }) => all + cpuTime, 0)
}

const describe = ({ entries, bytes }: LargeLog) => `${entries} entries (${shown(bytes / MB, 1)} MB)`

function sayRun(what: string, run: Run | undefined): void {
  if (run)
    console.log(`  ${what}: ${shown(run.seconds, 1)} s, ${shown(run.cpuSeconds, 1)} s of processor time`)
}

/** The worst run must stay within the limit. */
function rowsOf(
  what: string,
  runs: readonly Run[],
  { secondsMax, megabytesMax }: { secondsMax: number; megabytesMax?: number },
): Row[] {
  const row = (name: string, unit: string, of: (run: Run) => number, most?: number): Row => {
    const values = runs.map(of)
    return {
      what: `${what}: ${name}`,
      target: most === undefined ? '' : `each < ${most} ${unit}`,
      measured: `${shown(median(values), 1)} ${unit}`,
      ...(most === undefined ? {} : { passed: Math.max(...values) < most }),
      runs: values.length,
      values,
      notes: `${shown(Math.min(...values), 1)} to ${shown(Math.max(...values), 1)} ${unit}`,
    }
  }
  return [
    row('from start to end', 's', ({ seconds }) => seconds, secondsMax),
    row('processor time', 's', ({ cpuSeconds }) => cpuSeconds),
    ...(megabytesMax === undefined ? [] : [row('memory', 'MB', ({ megabytes }) => megabytes, megabytesMax)]),
  ]
}
