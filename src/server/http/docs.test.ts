import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../../../test/support/server.ts'

const built = await readFile(new URL('../../../dist/openapi.json', import.meta.url), 'utf8')
const described = JSON.parse(built)
let server: TestServer

beforeAll(async () => {
  server = await startServer({}, { jobs: false })
})
afterAll(() => server?.close())

test('the server describes the routes of src/shared/api, all of them and no others', async () => {
  const text = await (await fetch(`${server.url}/api/openapi.json`)).text()
  const document = JSON.parse(text)
  expect(Object.keys(document.paths)).toEqual(Object.keys(described.paths))
  expect(`${text}\n` === built, 'The description is older than the routes: npm run api').toBe(true)
  expect(document.openapi).toBe('3.1.0')
  expect(Object.keys(document.paths)).toContain('/api/v1/orders')
  // What is said more than once is said once, by name, and every name is there.
  const references = new Set(
    [...text.matchAll(/"\$ref": "#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name),
  )
  expect(references).toEqual(new Set(Object.keys(document.components.schemas)))
  const shown =
    document.paths['/api/v1/orders/{token}'].get.responses['200'].content['application/json'].schema
  expect(shown).toEqual({ $ref: '#/components/schemas/BuyerOrder' })
  const { parameters } = document.paths['/api/v1/orders'].get
  expect(parameters.map(({ name }: { name: string }) => name)).toEqual(['after', 'limit'])
})

test('no change of what exists gives a field a value that nobody named [STAGE-11]', () => {
  const named = Object.entries<Record<string, OpenApiOperation>>(described.paths).flatMap(
    ([path, operations]) =>
      ['put', 'patch'].flatMap((method) => {
        const body = operations[method]?.requestBody?.content['application/json'].schema
        return body ? defaultsOf(body).map((field) => `${method} ${path} ${field}`) : []
      }),
  )
  expect(named, 'Fix: mayLeaveOut or leavesNothingOut of src/shared/left-out-inputs.ts').toEqual([])
  expect(
    defaultsOf(
      described.paths['/api/v1/operator/webhooks'].post.requestBody.content['application/json'].schema,
    ),
  ).toEqual(['.description'])
})

test('the description is compressed once and kept by its tag', async () => {
  const url = `${server.url}/api/openapi.json`
  const answer = await fetch(url, { headers: { 'accept-encoding': 'br' } })
  const headers = Object.fromEntries(answer.headers)
  expect(headers).toMatchObject({
    'cache-control': 'public, max-age=300',
    'content-encoding': 'br',
    vary: 'Accept-Encoding',
  })
  expect(Number(headers['content-length'])).toBeLessThan(150_000)
  const again = await fetch(url, { headers: { 'if-none-match': headers['etag'] ?? '' } })
  expect([again.status, await again.text()]).toEqual([304, ''])
})

interface OpenApiOperation {
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: JsonSchema } }
  }
}
interface JsonSchema {
  readonly $ref?: string
  readonly default?: unknown
  readonly properties?: Record<string, JsonSchema>
  readonly anyOf?: readonly JsonSchema[]
}

/** The ways to fields with a default; a list is given whole, and what is in it is looked at by nobody. */
function defaultsOf(schema: JsonSchema, path = ''): string[] {
  const name = schema.$ref?.split('/').at(-1)
  if (name) return defaultsOf(described.components.schemas[name], path)
  return [
    ...('default' in schema ? [path] : []),
    ...(schema.anyOf ?? []).flatMap((part) => defaultsOf(part, path)),
    ...Object.entries(schema.properties ?? {}).flatMap(([field, part]) =>
      defaultsOf(part, `${path}.${field}`),
    ),
  ]
}

test('the page covers both APIs', async () => {
  const page = await (await fetch(`${server.url}/api/docs`)).text()
  expect(page).toContain('/api/v1/orders/:token')
  expect(page).toContain('POST transactions.php')
  expect(page).toContain('This is a demo.')
})
