import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { closeApp } from './app.ts'

test('a connection whose answer had begun before the closing is closed once it has the rest', async () => {
  const app = fastify({ forceCloseConnections: 'idle' })
  const answer = new PassThrough()
  app.get('/', async () => answer)
  await app.listen({ host: '127.0.0.1', port: 0 })
  // The client would use the connection again.
  const agent = new Agent({ keepAlive: true })
  const asked = get({ host: '127.0.0.1', port: (app.server.address() as AddressInfo).port, agent })
  answer.write('begun, ')
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  const closing = closeApp(app)
  answer.end('done')
  expect((await response.toArray()).join('')).toBe('begun, done')
  await closing
  agent.destroy()
})
