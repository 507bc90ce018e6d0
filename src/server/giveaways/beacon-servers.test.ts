import { createServer } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { ownBeacon, signatureOf } from '../../../test/support/giveaways.ts'
import { askBeacon } from './beacon-servers.ts'

const closers: (() => void)[] = []
afterAll(() => {
  for (const close of closers) close()
})

/** A beacon server with any answer. */
async function server(answer: (round: number) => { status?: number; body: string }): Promise<string> {
  const http = createServer((request, response) => {
    const { status = 200, body } = answer(Number(request.url?.split('/').at(-1)))
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  closers.push(() => http.close())
  const address = http.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}
const honest = () => server((round) => ({ body: JSON.stringify({ round, signature: signatureOf(round) }) }))
const lying = () =>
  server((round) => ({ body: JSON.stringify({ round, signature: signatureOf(round + 1) }) }))
const early = () => server(() => ({ status: 425, body: '' }))
const broken = () => server(() => ({ status: 500, body: 'down' }))
const endless = () => server(() => ({ body: ' '.repeat(5_000_000) }))

test('one server that lies, is broken or never ends keeps nobody from the value that another one has [GIVE-3]', async () => {
  for (const first of [await lying(), await broken(), await early(), await endless()])
    expect(await askBeacon(ownBeacon, [first, await honest()])(7)).toBe(signatureOf(7))
})

test('before its time there is none; what no server has signed is none either, and said', async () => {
  expect(await askBeacon(ownBeacon, [await early(), await early()])(7)).toBeNull()
  await expect(askBeacon(ownBeacon, [await lying(), await early()])(7)).rejects.toThrow(
    'no server of the beacon answered',
  )
})
