import fc from 'fast-check'

// Requests that follow a route's documentation, or violate it.

/** A schema of OpenAPI 3.1, as far as routes use it. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
}

export interface Sent {
  readonly contentType: string | undefined
  readonly body: string | Buffer | undefined
}

/** Texts with control characters, lone surrogates, invalid numbers, prototype names. */
const hardTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\u202e\u0000',
  'İ'.repeat(400),
  '👩‍👩‍👧‍👦'.repeat(100),
  'x'.repeat(20_000),
  "'; drop table users; --",
  '${7*7}{{7*7}}',
  '../../../../etc/passwd',
  '<script>alert(1)</script>',
  '\r\nset-cookie: a=b',
  '__proto__',
  'constructor',
  'NaN',
  '1e999',
  '-0',
  '9'.repeat(400),
  '0.0000000000000000000000000001',
  '1'.repeat(17),
  '2147483648',
  '9223372036854775808',
  '%00%ff',
  '2026-02-30T25:61:61Z',
  '+275760-09-13T00:00:00.001Z',
]
const hardNumbers = [0, -0, -1, 0.1, 1e21, 1e308, 2 ** 31, 2 ** 53, -(2 ** 63), 5e-324]
const nested = (depth: number): unknown => (depth === 0 ? [] : [nested(depth - 1)])

export const hardValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...hardTexts, ...hardNumbers, null, true, false),
  fc.constantFrom<unknown>(
    [],
    {},
    nested(300),
    Array.from({ length: 3000 }, () => 1),
    { length: 1e9 },
  ),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.json({ maxDepth: 4 }).map((text) => JSON.parse(text) as unknown),
  fc.dictionary(fc.constantFrom('__proto__', 'constructor', 'toJSON', 'then', 'id'), fc.constant({ a: 1 })),
)

/** Values that the schema allows, or nearly; ids are guessed. */
export function allowedBy(
  schema: JsonSchema,
  all: Readonly<Record<string, JsonSchema>>,
): fc.Arbitrary<unknown> {
  if (schema.$ref) return allowedBy(all[schema.$ref.split('/').at(-1) ?? ''] ?? {}, all)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fc.oneof(...choices.map((choice) => allowedBy(choice, all)))
  if (schema.allOf) {
    return fc
      .tuple(...schema.allOf.map((part) => allowedBy(part, all)))
      .map((parts) => Object.assign({}, ...parts) as unknown)
  }
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0]
  if (type === 'object' || schema.properties) return objectOf(schema, all)
  if (type === 'array') return fc.array(allowedBy(schema.items ?? {}, all), { maxLength: 3 })
  if (type === 'string') return textOf(schema)
  if (type === 'integer' || type === 'number') {
    const min = Math.max(schema.minimum ?? 0, -1e9)
    return fc.integer({ min, max: Math.max(min, Math.min(schema.maximum ?? 1000, 1e9)) })
  }
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  return hardValue
}

function objectOf(schema: JsonSchema, all: Readonly<Record<string, JsonSchema>>): fc.Arbitrary<unknown> {
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, field]) => [name, allowedBy(field, all)] as const,
  )
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...(schema.required ?? [])] })
}

function textOf({ pattern, minLength = 0, maxLength = 40 }: JsonSchema): fc.Arbitrary<unknown> {
  const common = fc.constantFrom(
    '1',
    '0.5',
    '100',
    'BTC',
    'USDT',
    'en',
    'a@example.org',
    'https://example.org/x',
  )
  const free = fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 40) })
  if (!pattern) return fc.oneof(common, free)
  try {
    return fc.oneof(common, fc.stringMatching(new RegExp(pattern)))
  } catch {
    // The generator does not support look-around.
    return fc.oneof(common, free)
  }
}

/** Violates the schema by one difficult value. */
export function against(allowed: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.tuple(allowed, hardValue, fc.nat()).map(([value, hard, where]) => replaceOne(value, hard, where))
}

function replaceOne(value: unknown, hard: unknown, where: number): unknown {
  if (typeof value !== 'object' || value === null) return hard
  const keys = [...Object.keys(value), 'extra']
  const key = keys[where % keys.length] as string
  const copy: Record<string, unknown> = Array.isArray(value) ? ([...value] as never) : { ...value }
  copy[key] = where % 3 === 0 ? hard : replaceOne(copy[key], hard, Math.floor(where / keys.length))
  return copy
}

const contentTypes = [
  'application/json',
  'application/json; charset=utf-16',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'application/octet-stream',
  'a'.repeat(200),
]

/** Sends mostly JSON; also duplicate keys, truncated text, invalid bytes, other types, too much. */
export function sentAs(value: fc.Arbitrary<unknown>): fc.Arbitrary<Sent> {
  const json = value.map((one) => JSON.stringify(one) ?? '')
  return fc.oneof(
    { weight: 6, arbitrary: json.map((body) => ({ contentType: 'application/json', body })) },
    fc.tuple(json, fc.constantFrom(...contentTypes)).map(([body, contentType]) => ({ contentType, body })),
    json.map((body) => ({ contentType: undefined, body })),
    json.map((body) => ({ contentType: 'application/json', body: twice(body) })),
    fc
      .tuple(json, fc.nat(200))
      .map(([body, cut]) => ({ contentType: 'application/json', body: body.slice(0, cut) })),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => ({
      contentType: 'application/json',
      body: Buffer.from(bytes),
    })),
    value.map((one) => ({ contentType: 'application/x-www-form-urlencoded', body: formOf(one) })),
    fc.constantFrom(
      { contentType: 'application/json', body: `"${'x'.repeat(70_000)}"` },
      { contentType: 'application/json', body: '['.repeat(30_000) },
      {
        contentType: 'application/json',
        body: '{"__proto__":{"isOwner":true},"constructor":{"prototype":{}}}',
      },
      { contentType: 'application/json', body: '' },
      { contentType: undefined, body: undefined },
    ),
  )
}

function twice(json: string): string {
  return json.startsWith('{') && json.length > 2
    ? `${json.slice(0, -1)},${json.slice(1, -1).replaceAll(/"[^"]*"\s*([,}]|$)/g, '"other"$1')}}`
    : json
}

function formOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(
      ([key, one]) =>
        `${encode(key)}=${encode(typeof one === 'object' ? (JSON.stringify(one) ?? '') : String(one))}`,
    )
    .join('&')
}

/** A lone surrogate becomes the replacement character. */
export function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
