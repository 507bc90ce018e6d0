// Strangers: idle connections, registrations and wrong passwords from many networks.
import { connect, type Socket } from 'node:net'

const [port = 0, idle = 0, registrationsPerSecond = 0, passwordsPerSecond = 0] = process.argv
  .slice(2)
  .map(Number)
const NETWORKS = 50
const BUSY = 1_000
const TICK_MS = 10
/** A burst of thousands would overflow any listener's queue. */
const OPENED_A_TICK = 20

const counts: Record<string, number> = { unsent: 0, lost: 0 }
const note = (what: string) => {
  counts[what] = (counts[what] ?? 0) + 1
}
let silent = 0
let serial = 0

/** Opens a connection, which is replaced when the server closes it. */
function openSilent(): void {
  const socket = connect(port, '127.0.0.1')
  silent += 1
  socket.on('error', () => undefined)
  socket.on('close', () => {
    silent -= 1
  })
  socket.resume()
}

/** A connection that sends one request after another. */
interface Line {
  readonly socket: Socket
  isFree: boolean
}

const lines: Line[] = []
const free: Line[] = []

function openLine(): void {
  const socket = connect(port, '127.0.0.1')
  const line: Line = { socket, isFree: true }
  lines.push(line)
  let text = ''
  socket.setEncoding('latin1')
  socket.on('connect', () => free.push(line))
  socket.on('data', (part: string) => {
    text += part
    const end = text.indexOf('\r\n\r\n')
    const length = Number(/^content-length: (\d+)/im.exec(text)?.[1] ?? 0)
    if (end < 0 || text.length < end + 4 + length) return
    note(text.slice(9, 12))
    text = ''
    line.isFree = true
    free.push(line)
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    if (!line.isFree) note('lost')
    lines.splice(lines.indexOf(line), 1)
    const at = free.indexOf(line)
    if (at >= 0) free.splice(at, 1)
  })
}

function ask(path: string, body: object): void {
  const line = free.pop()
  if (!line) return note('unsent')
  line.isFree = false
  const text = JSON.stringify(body)
  line.socket.write(
    `POST /api/v1${path} HTTP/1.1\r\nHost: bench\r\nX-Forwarded-For: 203.0.113.${1 + (serial % NETWORKS)}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  )
}

function register(): void {
  serial += 1
  const email = `stranger${process.pid}x${serial}@example.org`
  const password = `gravel and violets ${serial.toString(36)}`
  ask('/account', { name: 'Stranger', email, phone: '+1 555 123 4567', password, as: 'token' })
}

function guess(): void {
  serial += 1
  const email = `buyer${1 + (serial % 1_000)}@example.org`
  ask('/session', { email, password: `not the password ${serial}`, as: 'token' })
}

/** Keeps the rate even if ticks are late. */
function atRate(perSecond: number, run: () => void): void {
  const startedAt = performance.now()
  let done = 0
  setInterval(() => {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * perSecond)
    for (; done < due; done += 1) run()
  }, TICK_MS)
}

// End with the parent process.
process.on('disconnect', () => process.exit(0))

process.on('message', (message) => {
  if (message === 'connect') {
    setInterval(() => {
      for (let n = 0; n < OPENED_A_TICK; n += 1) {
        if (lines.length < BUSY) openLine()
        else if (silent < idle) openSilent()
      }
    }, TICK_MS)
  }
  if (message === 'attack') {
    atRate(registrationsPerSecond, register)
    atRate(passwordsPerSecond, guess)
  }
  if (message === 'report') process.send?.({ silent, lines: lines.length, counts })
})
