import { z } from 'zod'
import { currencyFields, currencyInput } from '../../shared/api/currencies-inputs.ts'
import { type Controller, type Exchange, executeAs, forOperators, operatorFor, queryOf } from './exchange.ts'
import { fieldsOf, numeric } from './fields.ts'

async function publicList({ context }: Exchange) {
  const list = await context.currencies.publicList()
  return list.map(({ id, code, fullName, rate, address }) => ({
    id,
    currency: code,
    fullName,
    rate,
    address,
  }))
}

/** A missing rate is reported like an invalid one, as not positive. */
const added = z.looseObject({ currency: z.string(), rate: numeric.catch('') })
const code = z.string().trim().min(2, 'currency_short 2').max(12)
const changed = z.object({
  currency: code,
  fullName: currencyFields.fullName.optional(),
  rate: numeric.pipe(currencyFields.rate).optional(),
  address: currencyFields.address.min(5, 'address_short 5').optional(),
})
const changes = z.union([z.array(changed).min(1).max(200), changed.transform((one) => [one])])

/** PUT takes one currency or an array, all or none. */
export const cryptos: Controller = {
  GET: { cost: { statements: 0 }, answer: async (exchange) => ({ data: await publicList(exchange) }) },

  POST: forOperators(async (exchange) => {
    const { actions } = exchange.context.currencies
    const operator = await operatorFor(exchange, exchange.bearer, 'currency.add')
    const { currency, ...rest } = fieldsOf(added, exchange.body)
    const input = fieldsOf(currencyInput, { ...rest, code: currency })
    const stored = await executeAs(exchange, operator, actions['currency.add'], input)
    return { message: `Cryptocurrency ${stored.code} added.` }
  }),

  PUT: forOperators(async (exchange) => {
    const { actions } = exchange.context.currencies
    const operator = await operatorFor(exchange, exchange.bearer, 'currency.update')
    const list = fieldsOf(changes, exchange.body)
    const items = list.map(({ currency, ...change }) => ({ ...change, code: currency }))
    await executeAs(exchange, operator, actions['currency.update'], items)
    return { message: 'Cryptos updated successfully', currencies: await publicList(exchange) }
  }),

  DELETE: forOperators(async (exchange) => {
    const { actions } = exchange.context.currencies
    const operator = await operatorFor(exchange, exchange.bearer, 'currency.remove')
    const asked =
      (exchange.body as { currency?: unknown } | undefined)?.currency ?? queryOf(exchange.request, 'currency')
    const currency = fieldsOf(code, asked).toUpperCase()
    const { outcome } = await executeAs(exchange, operator, actions['currency.remove'], { code: currency })
    const message =
      outcome === 'deleted'
        ? `Your crypto - ${currency} has been deleted.`
        : `${currency} is switched off; orders still use it.`
    return { success: true, message }
  }),
}
