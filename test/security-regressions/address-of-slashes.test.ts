import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer({}, { jobs: false })
})
afterAll(() => server.close())

const get = (path: string) => fetch(server.url + path, { redirect: 'manual' })

/** Milliseconds of the processor, of this one process. */
async function costOf(path: string): Promise<number> {
  const before = process.cpuUsage()
  expect((await get(path)).status).toBe(404)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

test('an address of slashes costs the server no more than another one of its length', async () => {
  const [slashes, letters] = ['/', 'a'].map((sign) => `/a${sign.repeat(15_000)}b`) as [string, string]
  for (const path of [slashes, letters]) await costOf(path)
  const costs = async (path: string) => {
    const each: number[] = []
    for (let nth = 0; nth < 5; nth += 1) each.push(await costOf(path))
    return Math.min(...each)
  }
  expect(await costs(slashes)).toBeLessThan((await costs(letters)) * 3 + 20)
})

test('slashes at an address’s end lead to the page without them, on this site alone', async () => {
  for (const [from, to] of [
    ['/terms/', '/terms'],
    ['/terms///', '/terms'],
    ['/ru/terms/?version=1&next=/a/', '/ru/terms?version=1&next=/a/'],
    ['/a//b/', '/a//b'],
  ] as const) {
    const answer = await get(from)
    expect([answer.status, answer.headers.get('location')]).toEqual([301, to])
  }
  for (const path of ['//evil.example/', '///', '/%5Cevil.example', '/?next=/'])
    expect((await get(path)).headers.get('location'), path).toBeNull()
})
