// Generates the types of all routes from the API's description. `npm run api` writes them to routes.ts.

interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
}

interface Content {
  content?: { 'application/json': { schema: Schema } }
}

interface Operation {
  summary: string
  parameters?: { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: Schema }[]
  requestBody?: Content
  responses: Record<string, Content>
}

interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

export function routesOf({ paths, components }: Document): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path.replace('/api/v1', '')}`,
      operation,
    })),
  )
  const isIdempotent = ({ operation }: { operation: Operation }) =>
    operation.parameters?.some(({ name }) => name === 'Idempotency-Key')
  return [
    '// Written by `npm run api`; not kept in git.',
    ...Object.entries(components.schemas).map(([name, schema]) => `export type ${name} = ${typeOf(schema)}`),
    `export interface Routes {\n${operations.map(({ name, operation }) => routeOf(name, operation)).join('\n')}\n}`,
    '/** Routes whose repeats with the same key answer what the first call answered. */',
    `export const idempotentRoutes: ReadonlySet<string> = new Set([\n${operations
      .filter(isIdempotent)
      .map(({ name }) => `  ${quoted(name)},`)
      .join('\n')}\n])`,
    '',
  ].join('\n\n')
}

function routeOf(name: string, { summary, parameters = [], requestBody, responses }: Operation): string {
  const fieldsOf = (where: 'path' | 'query') => parameters.filter((one) => one.in === where)
  const path = fieldsOf('path').map((one) => `${one.name}: ${partOf(one.schema)}`)
  const query = fieldsOf('query').map((one) => `${one.name}${one.required ? '' : '?'}: ${typeOf(one.schema)}`)
  const isQueryNeeded = fieldsOf('query').some((one) => one.required)
  const body = schemaOf(requestBody)
  const reply = schemaOf(responses['200'])
  const parts = [
    path.length > 0 ? `path: { ${path.join('; ')} }` : '',
    query.length > 0 ? `query${isQueryNeeded ? '' : '?'}: { ${query.join('; ')} }` : '',
    body ? `body: ${typeOf(body)}` : '',
    `reply: ${reply ? typeOf(reply) : 'undefined'}`,
  ]
  return `  /** ${summary} */\n  ${quoted(name)}: { ${parts.filter(Boolean).join('; ')} }`
}

/** The server takes a path number as a string of digits; here it may be a number. */
function partOf(schema: Schema): string {
  const type = typeOf(schema)
  return type === 'NumberInPathInput' || type === 'string' ? 'string | number' : type
}

function schemaOf(content: Content | undefined): Schema | undefined {
  return content?.content?.['application/json'].schema
}

function typeOf(schema: Schema): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? 'never'
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map(literalOf).join(' | ')
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ')
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(' | ')
  switch (schema.type) {
    case 'array':
      return `Array<${typeOf(schema.items ?? {})}>`
    case 'object':
      return objectOf(schema)
    case 'integer':
    case 'number':
      return 'number'
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    default:
      return 'unknown'
  }
}

function objectOf({ properties = {}, required = [], additionalProperties }: Schema): string {
  const fields = Object.entries(properties).map(
    ([name, schema]) =>
      `${/^\w+$/.test(name) ? name : quoted(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`,
  )
  if (fields.length > 0) return `{ ${fields.join('; ')} }`
  return `Record<string, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown'}>`
}

const quoted = (text: string) => `'${text.replaceAll("'", "\\'")}'`
const literalOf = (value: unknown) => (typeof value === 'string' ? quoted(value) : JSON.stringify(value))
