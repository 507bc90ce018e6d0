import sharp from 'sharp'
import { budgets } from '../src/server/limits/local-limits.ts'
import { cpuSeconds, type RunningServer } from './machine.ts'
import { median, type Row, shown } from './rows.ts'

/** Requests and concurrent clients per unit, and logins. */
const ASKED = 60
const ASKERS = 12
const LOGINS = 9

export const OWNER = { login: 'bench-owner', password: 'correct horse battery 9' }

let serial = 0
/** Each request is from another network, to stay below all limits. */
const headers = () => {
  serial += 1
  return {
    'content-type': 'application/json',
    'x-forwarded-for': `198.18.${Math.floor(serial / 250) % 250}.${1 + (serial % 250)}`,
  }
}
const post = (server: RunningServer, path: string, body: object) =>
  fetch(`${server.url}/api/v1${path}`, { method: 'POST', headers: headers(), body: JSON.stringify(body) })
const read = async (asked: Promise<Response>) => void (await (await asked).arrayBuffer())

const letters = () => Math.random().toString(36).slice(2, 14)
const guess = (server: RunningServer) =>
  post(server, '/session', { email: `${letters()}@example.org`, password: letters(), as: 'token' })
const judge = (server: RunningServer) =>
  post(server, '/password-strength', { password: `4@8({[<${letters()}` })
const render = (server: RunningServer) =>
  fetch(`${server.url}/transparency?prices=${(serial % 9) + 1}`, { headers: headers() })
const preview = (server: RunningServer) =>
  post(server, '/orders/preview', { currency: 'USDT', amount: '40', unit: 'token' })

/** `atMost`: processor time relative to a password hash. */
const units = [
  { unit: 'judgements', count: 1, ask: judge, atMost: 3 },
  { unit: 'renders', count: 3, ask: render, atMost: 2 },
  { unit: 'statements', count: 8, ask: preview, atMost: 0.1 },
] as const

/** Measures processor time, relative to a password hash of the same run, and an owner's login during saturation. */
export async function measureUnits(server: RunningServer): Promise<Row[]> {
  for (const ask of [guess, judge, render, preview]) await read(ask(server))
  const hash = await secondsOf(server, guess)
  const rows: Row[] = []
  for (const { unit, count, ask, atMost } of units) {
    const ratio = (await secondsOf(server, ask)) / count / hash
    rows.push({
      what: `processor time of one of ${unit}, in password hashes`,
      target: `< ${atMost}`,
      measured: shown(ratio, 2),
      passed: ratio < atMost,
      runs: ASKED,
      notes: `a login with its hash takes ${shown(hash * 1_000, 1)} ms; a network may ask for ${budgets[unit].network.burst} in ${budgets[unit].network.perSeconds} s`,
    })
  }
  return [...rows, ...(await saturatedLogins(server))]
}

async function secondsOf(server: RunningServer, ask: typeof guess): Promise<number> {
  const before = cpuSeconds(server.pid)
  for (let n = 0; n < ASKED; n += 1) await read(ask(server))
  return (cpuSeconds(server.pid) - before) / ASKED
}

async function saturatedLogins(server: RunningServer): Promise<Row[]> {
  const token = (await (await logIn(server)).json()).token as string
  const picture = await noise()
  const upload = () =>
    fetch(`${server.url}/api/v1/operator/uploads`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'image/png' },
      body: picture,
    })
  const calm = median(await loginsMs(server))
  const rows: Row[] = []
  for (const [what, ask] of [
    ['the judge of passwords', () => judge(server)],
    ['the renderer', () => render(server)],
    ['the uploader', upload],
  ] as const) {
    let isOver = false
    const askers = Array.from({ length: ASKERS }, async () => {
      while (!isOver) await read(ask())
    })
    const ratio = median(await loginsMs(server)) / calm
    isOver = true
    await Promise.all(askers)
    rows.push({
      what: `an owner's login while ${what} is saturated, in calm logins`,
      target: '< 2',
      measured: shown(ratio, 2),
      passed: ratio < 2,
      runs: LOGINS,
      notes: `a calm login takes ${shown(calm, 0)} ms; ${ASKERS} ask at once, each from a network of its own`,
    })
  }
  return rows
}

const logIn = (server: RunningServer) => post(server, '/operator/session', { ...OWNER, as: 'token' })

async function loginsMs(server: RunningServer): Promise<number[]> {
  const taken: number[] = []
  for (let n = 0; n < LOGINS; n += 1) {
    const startedAt = performance.now()
    const { status } = await logIn(server)
    if (status !== 200) throw new Error(`an owner's login answered ${status}`)
    taken.push(performance.now() - startedAt)
  }
  return taken
}

const noise = () =>
  sharp({
    create: {
      width: 1_000,
      height: 1_000,
      channels: 3,
      background: 'black',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .png()
    .toBuffer()
    .then((buffer) => new Uint8Array(buffer))
