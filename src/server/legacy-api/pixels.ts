import { z } from 'zod'
import type { AnalyticsKey } from '../../shared/api/analytics.ts'
import { analyticsKeyInput } from '../../shared/api/analytics-inputs.ts'
import { refuse } from '../refusal.ts'
import {
  type Controller,
  type Exchange,
  executeAs,
  forOperators,
  operatorFor,
  queryOf,
  requireOperator,
} from './exchange.ts'
import { fieldsOf, text } from './fields.ts'

const fields = z.object({
  api_key: z.string({ error: 'api_key_missing' }),
  api_key_secondary: text(500).nullish(),
  location: z.string({ error: 'location_missing' }),
})

/** The secondary key is a secret, shown masked. */
function legacyKey(key: AnalyticsKey) {
  return {
    id: key.id,
    api_key: key.apiKey,
    api_key_secondary: key.secondaryMasked ?? '',
    location: key.location,
  }
}

function inputOf({ body }: Exchange) {
  const { api_key, api_key_secondary, location } = fieldsOf(fields, body)
  return fieldsOf(analyticsKeyInput, { apiKey: api_key, apiKeySecondary: api_key_secondary, location })
}

/** The parameter has the key's id or its own text. */
async function named({ context, request }: Exchange, parameter: 'id' | 'api'): Promise<AnalyticsKey> {
  const name = queryOf(request, parameter)
  return (name ? await context.analytics.findByKey(name) : undefined) ?? refuse('not_found')
}

export const pixels: Controller = {
  GET: forOperators(async (exchange) => {
    await requireOperator(exchange, exchange.bearer, 'analytics:write')
    return { api_keys: (await exchange.context.analytics.list()).map(legacyKey) }
  }),
  POST: forOperators(async (exchange) => {
    const { actions } = exchange.context.analytics
    const operator = await operatorFor(exchange, exchange.bearer, 'analytics.add')
    const { id } = await executeAs(exchange, operator, actions['analytics.add'], inputOf(exchange))
    return { id }
  }),
  PUT: forOperators(async (exchange) => {
    const { actions } = exchange.context.analytics
    const operator = await operatorFor(exchange, exchange.bearer, 'analytics.update')
    const { id } = await named(exchange, 'id')
    await executeAs(exchange, operator, actions['analytics.update'], { ...inputOf(exchange), id })
    return { id }
  }),
  DELETE: forOperators(async (exchange) => {
    const { actions } = exchange.context.analytics
    const operator = await operatorFor(exchange, exchange.bearer, 'analytics.remove')
    const { id } = await named(exchange, 'api')
    return executeAs(exchange, operator, actions['analytics.remove'], { id })
  }),
}
