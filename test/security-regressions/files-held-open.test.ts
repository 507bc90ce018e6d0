import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { sendStream } from '../../src/server/http/send-stream.ts'
import { LocalLimits } from '../../src/server/limits/local-limits.ts'

const app = fastify({ trustProxy: true })
const logged = vi.fn()
const limits = new LocalLimits({ isOn: true })
const PIECE = Buffer.alloc(256 * 1024)

/** Pieces without an end, one every `ms`. */
async function* endless(ms: number, fails = false) {
  for (let n = 0; ; n += 1) {
    if (fails && n === 3) throw new Error('the disk is gone')
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms))
    yield ms > 0 ? Buffer.alloc(10) : PIECE
  }
}

/** Downloads in progress, by name. */
const sending = new Set<string>()

app.get<{ Querystring: { name: string; ms?: string; fails?: string } }>('/file', async (request, reply) => {
  const { name, ms = '0', fails } = request.query
  request.log.error = (...said: unknown[]) => logged(name, said[1])
  sending.add(name)
  reply.raw.once('close', () => sending.delete(name))
  await sendStream(reply, {}, endless(Number(ms), fails !== undefined), { limits, stallMaxMs: 500 })
  return reply
})
let port: number

beforeAll(async () => {
  await app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.address() as AddressInfo).port
})
afterAll(() => app.close())

const open = (from: string, query: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { 'x-forwarded-for': from }
    const asked = get(
      { host: '127.0.0.1', port, path: `/file?${query}`, headers, agent: false },
      (answer) => {
        answer.on('error', () => undefined)
        resolve(answer)
      },
    )
    asked.once('error', reject)
    onTestFinished(() => {
      asked.destroy()
    })
  })

test('a reader who stops is cut off and leaves no error, one who goes on is not [RIGHT-25]', async () => {
  const slow = await open('192.0.2.1', 'name=slow&ms=50')
  let heard = 0
  slow.on('data', (piece: Buffer) => {
    heard += piece.length
  })
  const stopped = await open('192.0.2.1', 'name=stopped')
  stopped.pause()
  expect([...sending]).toEqual(['slow', 'stopped'])
  await expect.poll(() => [...sending]).toEqual(['slow'])
  const before = heard
  await expect.poll(() => heard).toBeGreaterThan(before + 100)
  const left = await open('192.0.2.1', 'name=left')
  left.destroy()
  await expect.poll(() => [...sending]).toEqual(['slow'])
  expect(logged).not.toHaveBeenCalled()
})

test('a download whose source fails is cut and noted as an error', async () => {
  const broken = await open('192.0.2.2', 'name=broken&fails=1')
  broken.resume()
  await new Promise((resolve) => broken.once('close', resolve))
  expect(broken.complete).toBe(false)
  expect(logged.mock.calls.filter(([name]) => name === 'broken')).toEqual([
    ['broken', 'a download broke off'],
  ])
})

test('a network holds so many files open and no more, and another one has room [RIGHT-25]', async () => {
  const held = await Promise.all(Array.from({ length: 60 }, () => open('192.0.2.3', 'name=held&ms=50')))
  expect(new Set(held.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  for (const one of held) one.resume()
  const status = async (from: string) => {
    const one = await open(from, 'name=held&ms=50')
    one.destroy()
    return one.statusCode
  }
  // The application that serves files turns this refusal into 429.
  expect(await status('192.0.2.3')).toBe(500)
  expect(await status('192.0.2.4')).toBe(200)
  held.pop()?.destroy()
  await expect.poll(() => status('192.0.2.3')).toBe(200)
})
