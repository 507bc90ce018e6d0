import { z } from 'zod'
import type { Endpoint } from '../../shared/api/route.ts'
import { errorBody } from '../../shared/api/route-schemas.ts'
import { errorCodes } from '../../shared/error-codes.ts'
import { errorText } from '../refusal.ts'
import { createNamedSchemas, type Fields, type NamedSchemas, type Schema } from './named-schemas.ts'
import { API_PREFIX } from './serve.ts'

/** OpenAPI 3.1, sorted by path: equal input gives equal text. */
export function openApiOf(routes: readonly Endpoint[]): Schema {
  const schemas = createNamedSchemas()
  const paths: Record<string, Record<string, Schema>> = {}
  const sorted = routes.toSorted((a, b) =>
    `${a.path} ${a.method}`.localeCompare(`${b.path} ${b.method}`, 'en'),
  )
  for (const route of sorted) {
    const path = API_PREFIX + route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, schemas) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Presale API',
      version: '1',
      description:
        'Money is decimal strings, times are ISO 8601 in UTC. Lists are paged by key: pass `next` back as `after`. Errors carry a stable code.',
      license: { name: 'AGPL-3.0-or-later' },
    },
    paths,
    components: {
      schemas: schemas.components(),
      securitySchemes: {
        buyer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A buyer’s token, or the session cookie in a browser.',
        },
        operator: {
          type: 'http',
          scheme: 'bearer',
          description: 'An operator’s token, or the session cookie in a browser.',
        },
      },
    },
  }
}

function operationOf(route: Endpoint, schemas: NamedSchemas): Schema {
  const { audience } = route
  const parameters = [
    ...parametersOf(schemas.fieldsOf(route.params), 'path'),
    ...parametersOf(schemas.fieldsOf(route.query), 'query'),
    ...(route.idempotent
      ? [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string', maxLength: 100 } }]
      : []),
  ]
  return {
    summary: route.summary,
    tags: [route.path.split('/')[1] ?? ''],
    ...(audience === 'visitor' ? {} : { security: [{ [audience === 'buyer' ? 'buyer' : 'operator']: [] }] }),
    ...(typeof audience === 'object' ? { 'x-right': audience.operator } : {}),
    ...(route.stepUp ? { 'x-step-up': true } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemas.schemaOf(route.body, 'input') } },
          },
        }
      : {}),
    responses: { ...successOf(route, schemas), ...errorsOf(route, schemas) },
  }
}

function successOf(route: Endpoint, schemas: NamedSchemas): Schema {
  if (route.reply instanceof z.ZodVoid) return { 204: { description: 'Done.' } }
  const schema = schemas.schemaOf(route.reply, 'output')
  return { 200: { description: 'Success.', content: { 'application/json': { schema } } } }
}

function parametersOf({ properties = {}, required = [] }: Fields, where: 'path' | 'query'): Schema[] {
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: property,
  }))
}

/** By status, in order of checking. */
function errorsOf(route: Endpoint, schemas: NamedSchemas): Schema {
  const codes = [...(route.errors ?? [])]
  if (route.audience !== 'visitor') codes.unshift('not_signed_in')
  if (route.body) codes.push('private_key_refused', 'invalid_input')
  const byStatus = Map.groupBy(codes, (code) => errorCodes[code])
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => [
      status,
      {
        'x-error-codes': [...new Set(list)],
        description: [...new Set(list)].map((code) => `\`${code}\`: ${errorText(code)}`).join('\n\n'),
        content: { 'application/json': { schema: schemas.schemaOf(errorBody, 'output') } },
      },
    ]),
  )
}
