import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Content } from '../../src/server/content/content.ts'
import { mountOperatorContent } from '../../src/server/http/operator-content.ts'
import { refuse } from '../../src/server/refusal.ts'
import { actionsOf } from '../support/actions.ts'
import { createTestDatabase } from '../support/database.ts'
import { addOperator, headerServer } from '../support/header-server.ts'

const BYTES = 10_000_000
const MANY = 10

const { db } = await createTestDatabase()
const content = new Content({ db })
const app = headerServer(db, (server) => {
  mountOperatorContent({ ...server, actions: actionsOf(db, content.actions) }, content, async () => {
    if (isSpent) refuse('too_many_requests')
  })
})
let isSpent = false
const taken: Socket[] = []
app.server.on('connection', (socket) => taken.push(socket))
const { port } = new URL(await app.listen({ port: 0 }))
const writer = `${await addOperator(db, 'writer', 'content')}:content`

const start = Buffer.from('%PDF-1.7\n')
const end = Buffer.from('\n%%EOF\n')
const body = Buffer.concat([start, Buffer.alloc(BYTES - start.length - end.length, 0x20), end])
const head = `POST /api/v1/operator/uploads HTTP/1.1\r\nhost: x\r\nx-operator: ${writer}\r\ncontent-type: application/pdf\r\ncontent-length: ${BYTES}\r\n\r\n`

/** All of a file but its last byte; `end` sends that, and answers the status. */
function begin() {
  const socket = connect(Number(port), '127.0.0.1')
  let answer = ''
  socket.on('data', (piece) => (answer += String(piece)))
  socket.on('error', () => undefined)
  socket.write(head)
  socket.write(body.subarray(0, -1))
  return {
    cut: () => socket.destroy(),
    end: async () => {
      socket.write(body.subarray(-1))
      while (answer === '' && !socket.destroyed) await delay(20)
      return answer.slice(9, 12)
    },
  }
}

const readSoFar = () => taken.reduce((sum, { bytesRead }) => sum + bytesRead, 0)
async function untilStill(): Promise<number> {
  for (let before = -1; ; ) {
    const now = readSoFar()
    if (now === before && now > BYTES) return now
    before = now
    await delay(300)
  }
}

test('one operator’s files fill no memory by coming all at once, and each is kept in its turn', async () => {
  const files = Array.from({ length: MANY }, begin)
  expect(await untilStill()).toBeLessThan(4 * BYTES)
  // An aborted upload frees its place.
  for (const file of files.splice(0, 5)) file.cut()
  expect(await Promise.all(files.map((file) => file.end()))).toEqual(files.map(() => '200'))
})

test('of a file that its operator may not send any more nothing is waited for', async () => {
  isSpent = true
  const socket = connect(Number(port), '127.0.0.1')
  const answer = new Promise<string>((resolve) => socket.once('data', (piece) => resolve(String(piece))))
  socket.write(head)
  expect(await answer).toMatch(/^HTTP\/1\.1 429 /)
  socket.destroy()
  isSpent = false
})
