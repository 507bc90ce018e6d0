// Compares two descriptions: the newer API must keep whatever clients of the older one rely on.

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly propertyNames?: Schema
}

interface Content {
  readonly content?: { readonly 'application/json': { readonly schema: Schema } }
  readonly 'x-error-codes'?: readonly string[]
}

export interface Operation {
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema: Schema
  }[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}

export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** The client writes requests and reads responses. */
type Direction = 'request' | 'response'

/**
 * Lists what breaks clients of `before`: removed routes, methods, fields, listed values and error codes;
 * another type or status; a request field that became required; a response field that became optional. Limits
 * and patterns are not compared.
 */
export function breakingChanges(before: Description, now: Description): string[] {
  const schemas = new Comparison(before, now)
  const found = Object.entries(before.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`
      const next = now.paths[path]?.[method]
      return next
        ? schemas.operation(operation, next).map((change) => `${name}: ${change}`)
        : [`${name}: the route is gone`]
    }),
  )
  return [...found, ...schemas.ofComponents]
}

class Comparison {
  readonly #before: Description
  readonly #now: Description
  /** Changes by schema names and direction. A pair under comparison starts empty, which ends recursion. */
  readonly #named = new Map<string, string[]>()
  /** Changes within named schemas, reported once for all routes. */
  readonly ofComponents = new Set<string>()

  constructor(before: Description, now: Description) {
    this.#before = before
    this.#now = now
  }

  operation(before: Operation, now: Operation): string[] {
    return [
      ...this.#schemas(parametersOf(before), parametersOf(now), 'request', 'the parameters'),
      ...this.#bodies(before.requestBody, now.requestBody, 'request'),
      ...this.#bodies(before.responses['200'], now.responses['200'], 'response'),
      ...errorCodes(before, now),
    ]
  }

  #bodies(before: Content | undefined, now: Content | undefined, direction: Direction): string[] {
    const [old, next] = [before, now].map((content) => content?.content?.['application/json'].schema)
    if (old && next) return this.#schemas(old, next, direction, `the ${direction}`)
    if (direction === 'request') return next ? ['the request needs a body now'] : []
    return old ? ['the response has no body now'] : []
  }

  #schemas(before: Schema, now: Schema, direction: Direction, at: string): string[] {
    const [old, next] = [nameOf(before), nameOf(now)]
    if (!old || !next) return this.#resolved(before, now, direction, at)
    const key = `${direction} ${old} ${next}`
    let found = this.#named.get(key)
    if (!found) {
      this.#named.set(key, [])
      found = this.#resolved(before, now, direction, `${next} of a ${direction}`)
      this.#named.set(key, found)
    }
    if (old !== next) return found
    for (const change of found) this.ofComponents.add(change)
    return []
  }

  #resolved(before: Schema, now: Schema, direction: Direction, at: string): string[] {
    const [old, next] = [resolve(before, this.#before), resolve(now, this.#now)]
    const types = this.#types(old, next, direction, at)
    if (types.length > 0) return types
    if (old.anyOf || next.anyOf)
      return this.#alternatives(old.anyOf ?? [old], next.anyOf ?? [next], direction, at)
    return [
      ...values(old, next, direction, at),
      ...this.#fields(old, next, direction, at),
      ...(old.items && next.items ? this.#schemas(old.items, next.items, direction, `${at}[]`) : []),
      ...this.#records(old, next, direction, at),
    ]
  }

  /** A request must still accept each type; a response may not add a type. */
  #types(before: Schema, now: Schema, direction: Direction, at: string): string[] {
    const [old, next] = [typesOf(before, this.#before), typesOf(now, this.#now)]
    if (old.size === 0 || next.size === 0) return []
    const fits = (type: string, types: ReadonlySet<string>) =>
      types.has(type) || (type === 'integer' && types.has('number'))
    return direction === 'request'
      ? [...old].filter((type) => !fits(type, next)).map((type) => `${at} may not be ${type} now`)
      : [...next].filter((type) => !fits(type, old)).map((type) => `${at} may be ${type} now`)
  }

  /** Each alternative needs a counterpart; otherwise reports the differences to the nearest one. */
  #alternatives(before: readonly Schema[], now: readonly Schema[], direction: Direction, at: string) {
    return before
      .filter((old) => direction === 'request' || old.type !== 'null')
      .flatMap((old) => {
        const tried = now.map((next) => this.#schemas(old, next, direction, at))
        return tried.reduce((best, found) => (found.length < best.length ? found : best))
      })
  }

  #fields(before: Schema, now: Schema, direction: Direction, at: string): string[] {
    const [old, next] = [before.properties ?? {}, now.properties ?? {}]
    const needed = (name: string, { required = [] }: Schema) => required.includes(name)
    const kept = Object.entries(old).flatMap(([name, schema]) => {
      const field = `${at}.${name}`
      if (!next[name])
        return direction === 'request' ? [`${field} may not be sent now`] : [`${field} is gone`]
      const isLoose = direction === 'response' && needed(name, before) && !needed(name, now)
      return [
        ...(isLoose ? [`${field} may be missing now`] : []),
        ...this.#schemas(schema, next[name], direction, field),
      ]
    })
    if (direction === 'response') return kept
    const added = Object.keys(next).filter((name) => needed(name, now) && !needed(name, before))
    return [...kept, ...added.map((name) => `${at}.${name} is required now`)]
  }

  /** Compares records with arbitrary keys. */
  #records(before: Schema, now: Schema, direction: Direction, at: string): string[] {
    const [old, next] = [before.additionalProperties, now.additionalProperties]
    const names =
      before.propertyNames && now.propertyNames
        ? this.#schemas(before.propertyNames, now.propertyNames, direction, `a name in ${at}`)
        : []
    return typeof old === 'object' && typeof next === 'object'
      ? [...names, ...this.#schemas(old, next, direction, `${at}.*`)]
      : names
  }
}

/** Listed values stay; a request without a list stays unrestricted. */
function values(before: Schema, now: Schema, direction: Direction, at: string): string[] {
  const listOf = (schema: Schema) => schema.enum ?? ('const' in schema ? [schema.const] : undefined)
  const [old, next] = [listOf(before), listOf(now)]
  if (!next) return []
  if (!old) return direction === 'request' ? [`${at} may only be ${next.join(', ')} now`] : []
  return old.filter((value) => !next.includes(value)).map((value) => `${at} has no value ${value} now`)
}

/** Clients compare both codes and statuses. */
function errorCodes(before: Operation, now: Operation): string[] {
  const codesOf = ({ responses }: Operation) =>
    new Map(
      Object.entries(responses).flatMap(([status, content]) =>
        (content['x-error-codes'] ?? []).map((code) => [code, status] as const),
      ),
    )
  const next = codesOf(now)
  return [...codesOf(before)].flatMap(([code, status]) => {
    if (!next.has(code)) return [`the error code ${code} is gone`]
    return next.get(code) === status
      ? []
      : [`the error code ${code} has the status ${next.get(code)} now, not ${status}`]
  })
}

const nameOf = ({ $ref }: Schema) => $ref?.split('/').at(-1)

/** Parameters of path, query and header as an object schema. */
function parametersOf({ parameters = [] }: Operation): Schema {
  const needed = parameters.filter(({ required }) => required)
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: needed.map(({ name }) => name),
  }
}

/** Replaces a reference, and merges schemas that hold together. */
function resolve(schema: Schema, document: Description): Schema {
  const name = nameOf(schema)
  if (name) return resolve(document.components.schemas[name] ?? {}, document)
  const { allOf, oneOf, anyOf = oneOf, ...own } = schema
  if (!allOf) return anyOf ? { ...own, anyOf } : own
  const parts = [own, ...allOf.map((part) => resolve(part, document))]
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  }
}

/** Types of all alternatives; empty if one accepts anything. */
function typesOf(schema: Schema, document: Description): ReadonlySet<string> {
  const { type, anyOf } = resolve(schema, document)
  if (!anyOf) return new Set(type === undefined ? [] : [type].flat())
  const each = anyOf.map((one) => typesOf(one, document))
  return new Set(each.some(({ size }) => size === 0) ? [] : each.flatMap((types) => [...types]))
}
