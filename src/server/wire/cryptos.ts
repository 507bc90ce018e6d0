import { z } from 'zod'
import { currencyFields, currencyInput } from '../../shared/api/currencies-inputs.ts'
import { type Controller, type Exchange, queryOf, requireOperator } from './exchange.ts'
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

const added = z.looseObject({ currency: z.string(), rate: numeric })
const code = z.string().trim().min(2, 'Currency must be at least 2 characters.').max(12)
const changed = z.object({
  currency: code,
  fullName: currencyFields.fullName.optional(),
  rate: numeric.pipe(currencyFields.rate).optional(),
  address: currencyFields.address.min(5, 'Address must be at least 5 characters.').optional(),
})
const changes = z.union([z.array(changed).min(1).max(200), changed.transform((one) => [one])])

/** Currencies, one or an array; every change is all or nothing. */
export const cryptos: Controller = {
  async GET(exchange) {
    return { data: await publicList(exchange) }
  },

  async POST(exchange) {
    const { context, request } = exchange
    const operator = await requireOperator(exchange, exchange.bearer, 'currencies:write', 'sensitive')
    const { currency, ...rest } = fieldsOf(added, exchange.body)
    const input = fieldsOf(currencyInput, { ...rest, code: currency })
    await context.approvals.guardWallet({ kind: 'add', input }, operator.operatorId, request.id)
    const stored = await context.currencies.add(input, {
      operatorId: operator.operatorId,
      requestId: request.id,
    })
    return { message: `Cryptocurrency ${stored.code} added.` }
  },

  async PUT(exchange) {
    const { context, request } = exchange
    const operator = await requireOperator(exchange, exchange.bearer, 'currencies:write', 'sensitive')
    const list = fieldsOf(changes, exchange.body)
    const items = list.map(({ currency, ...change }) => ({ ...change, code: currency.toUpperCase() }))
    for (const item of items) {
      if (item.address !== undefined && item.address !== (await context.currencies.find(item.code)).address)
        await context.approvals.guardWallet(
          { kind: 'update', code: item.code, change: item },
          operator.operatorId,
          request.id,
        )
    }
    await context.currencies.updateMany(items, { operatorId: operator.operatorId, requestId: request.id })
    return { message: 'Cryptos updated successfully', currencies: await publicList(exchange) }
  },

  async DELETE(exchange) {
    const { context, request } = exchange
    const operator = await requireOperator(exchange, exchange.bearer, 'currencies:write', 'sensitive')
    const asked =
      (exchange.body as { currency?: unknown } | undefined)?.currency ?? queryOf(request, 'currency')
    const currency = fieldsOf(code, asked).toUpperCase()
    const outcome = await context.currencies.remove(currency, {
      operatorId: operator.operatorId,
      requestId: request.id,
    })
    const message =
      outcome === 'deleted'
        ? `Your crypto - ${currency} has been deleted.`
        : `${currency} is switched off; orders still use it.`
    return { success: true, message }
  },
}
