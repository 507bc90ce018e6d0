import { expect, test } from 'vitest'
import {
  breakingChanges,
  type Description,
  type Operation,
  type Schema,
} from '../scripts/breaking-changes.ts'

const text: Schema = { type: 'string' }
const state: Schema = { type: 'string', enum: ['open', 'paid'] }
const object = (properties: Record<string, Schema>, required = Object.keys(properties)): Schema => ({
  type: 'object',
  properties,
  required,
})
const body = (schema: Schema) => ({ content: { 'application/json': { schema } } })

interface Parts {
  readonly query?: Operation['parameters']
  readonly request?: Schema
  readonly response?: Schema
  readonly codes?: Readonly<Record<string, readonly string[]>>
  readonly schemas?: Readonly<Record<string, Schema>>
}

/** An API of one route. */
function apiOf({ query, request, response, codes = {}, schemas = {} }: Parts): Description {
  const failures = Object.entries(codes).map(([status, list]) => [status, { 'x-error-codes': list }])
  const operation: Operation = {
    ...(query && { parameters: query }),
    ...(request && { requestBody: body(request) }),
    responses: { 200: response ? body(response) : {}, ...Object.fromEntries(failures) },
  }
  return { paths: { '/orders': { post: operation } }, components: { schemas } }
}
const changes = (before: Parts, now: Parts) => breakingChanges(apiOf(before), apiOf(now))

test('an API that stayed the same, or only grew, breaks nothing', () => {
  const before: Parts = {
    query: [{ name: 'after', in: 'query', schema: text }],
    request: object({ amount: text }),
    response: object({ id: { type: 'integer' }, state: { anyOf: [state, { type: 'null' }] } }),
    codes: { 409: ['stage_closed'] },
  }
  expect(changes(before, before)).toEqual([])
  const now: Parts = {
    query: [...(before.query ?? []), { name: 'limit', in: 'query', schema: text }],
    request: object({ amount: { anyOf: [text, { type: 'number' }] }, note: text }, ['amount']),
    response: object({
      id: { type: 'integer' },
      state: { ...state, enum: ['open', 'paid', 'late'] },
      more: text,
    }),
    codes: { 409: ['stage_closed', 'cap_reached'] },
  }
  expect(changes(before, now)).toEqual([])
  const grown = apiOf(now)
  expect(breakingChanges(apiOf(now), { ...grown, paths: { ...grown.paths, '/new': {} } })).toEqual([])
})

test('a route or a method that is gone is a break', () => {
  const before = apiOf({})
  expect(breakingChanges(before, { ...before, paths: {} })).toEqual(['POST /orders: the route is gone'])
  const put = { '/orders': { put: before.paths['/orders']?.['post'] as Operation } }
  expect(breakingChanges(before, { ...before, paths: put })).toEqual(['POST /orders: the route is gone'])
})

test('a field that a request must carry now, or may not carry any more, is a break', () => {
  const one = object({ amount: text })
  expect(changes({ request: one }, { request: object({ amount: text, country: text }) })).toEqual([
    'POST /orders: the request.country is required now',
  ])
  expect(changes({ request: object({ amount: text }, []) }, { request: one })).toEqual([
    'POST /orders: the request.amount is required now',
  ])
  expect(changes({ request: one }, { request: object({}) })).toEqual([
    'POST /orders: the request.amount may not be sent now',
  ])
  expect(changes({}, { request: one })).toEqual(['POST /orders: the request needs a body now'])
  const query = [{ name: 'after', in: 'query', schema: text }]
  expect(changes({ query }, { query: query.map((field) => ({ ...field, required: true })) })).toEqual([
    'POST /orders: the parameters.after is required now',
  ])
})

test('a field of a response that is gone, or may be missing now, is a break', () => {
  const one = object({ id: text, item: object({ price: text }) })
  expect(changes({ response: one }, { response: object({ id: text, item: object({}) }) })).toEqual([
    'POST /orders: the response.item.price is gone',
  ])
  expect(changes({ response: object({ id: text }) }, { response: object({ id: text }, []) })).toEqual([
    'POST /orders: the response.id may be missing now',
  ])
  expect(changes({ response: one }, {})).toEqual(['POST /orders: the response has no body now'])
  const list = (schema: Schema): Schema => ({ type: 'array', items: schema })
  expect(changes({ response: list(one) }, { response: list(object({ id: text })) })).toEqual([
    'POST /orders: the response[].item is gone',
  ])
})

test('an error code that is gone or has another status is a break', () => {
  expect(
    changes({ codes: { 409: ['stage_closed', 'cap_reached'] } }, { codes: { 409: ['cap_reached'] } }),
  ).toEqual(['POST /orders: the error code stage_closed is gone'])
  expect(changes({ codes: { 409: ['stage_closed'] } }, { codes: { 422: ['stage_closed'] } })).toEqual([
    'POST /orders: the error code stage_closed has the status 422 now, not 409',
  ])
})

test('a value that is gone from a list is a break, in requests and in responses', () => {
  const fewer: Schema = { type: 'string', enum: ['open'] }
  const one = object({ state })
  expect(changes({ response: one }, { response: object({ state: fewer }) })).toEqual([
    'POST /orders: the response.state has no value paid now',
  ])
  expect(changes({ request: one }, { request: object({ state: fewer }) })).toEqual([
    'POST /orders: the request.state has no value paid now',
  ])
  expect(changes({ request: object({ state: text }) }, { request: one })).toEqual([
    'POST /orders: the request.state may only be open, paid now',
  ])
  expect(changes({ request: one }, { request: object({ state: text }) })).toEqual([])
})

test('a type that a request may not have, or that a response may have now, is a break', () => {
  const maybe = object({ id: { anyOf: [text, { type: 'null' }] } })
  expect(changes({ response: object({ id: text }) }, { response: maybe })).toEqual([
    'POST /orders: the response.id may be null now',
  ])
  expect(changes({ response: maybe }, { response: object({ id: text }) })).toEqual([])
  expect(changes({ request: maybe }, { request: object({ id: text }) })).toEqual([
    'POST /orders: the request.id may not be null now',
  ])
  expect(
    changes(
      { request: object({ id: { type: 'number' } }) },
      { request: object({ id: { type: 'integer' } }) },
    ),
  ).toEqual(['POST /orders: the request.id may not be number now'])
})

test('a break in a schema with a name is said once, also where the schema holds itself', () => {
  const node = { $ref: '#/components/schemas/Node' }
  const nodeOf = (properties: Record<string, Schema>) => ({
    request: object({ node }),
    response: object({ nodes: { type: 'array', items: node } }),
    schemas: { Node: object({ ...properties, child: { anyOf: [node, { type: 'null' }] } }) },
  })
  expect(changes(nodeOf({ id: text }), nodeOf({ id: text }))).toEqual([])
  expect(changes(nodeOf({ id: text }), nodeOf({}))).toEqual([
    'Node of a request.id may not be sent now',
    'Node of a response.id is gone',
  ])
})

test('of several alternatives each is kept; what is missing is said of the nearest', () => {
  const kind = (name: string, fields: Record<string, Schema>) =>
    object({ kind: { const: name, type: 'string' }, ...fields })
  const before = { anyOf: [kind('fixed', { address: text }), kind('watched', { confirmations: text })] }
  const now = {
    anyOf: [kind('fixed', { address: text }), kind('watched', {}), kind('held', { until: text })],
  }
  expect(changes({ response: before }, { response: now })).toEqual([
    'POST /orders: the response.confirmations is gone',
  ])
  expect(changes({ response: before }, { response: { anyOf: before.anyOf.slice(0, 1) } })).toEqual([
    'POST /orders: the response.kind has no value watched now',
    'POST /orders: the response.confirmations is gone',
  ])
  const parts = { allOf: [object({ id: text }), object({ price: text })] }
  expect(changes({ response: parts }, { response: object({ id: text }) })).toEqual([
    'POST /orders: the response.price is gone',
  ])
})
