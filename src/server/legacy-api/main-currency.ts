import { z } from 'zod'
import { operatorCampaignEndpoints } from '../../shared/api/campaign-schemas.ts'
import { showPrice } from '../../shared/money.ts'
import { type Controller, executeAs, forOperators, operatorFor } from './exchange.ts'
import { fieldsOf, numeric } from './fields.ts'

const fields = z.object({ id: numeric.pipe(z.literal('1')), value: numeric })

/** USD per token. */
export const mainCurrency: Controller = {
  GET: {
    cost: { statements: 0 },
    answer: async ({ context }) => {
      const { priceUsd } = await context.campaign.current()
      return { data: [{ id: 1, value: priceUsd === null ? '' : showPrice(priceUsd) }] }
    },
  },
  PUT: forOperators(async (exchange) => {
    const operator = await operatorFor(exchange, exchange.bearer, 'price.change')
    const { value } = fieldsOf(fields, exchange.body)
    const { priceUsd } = fieldsOf(operatorCampaignEndpoints.setPrice.body, { priceUsd: value })
    await executeAs(exchange, operator, exchange.context.campaign.actions['price.change'], { priceUsd })
    return { message: 'Currency updated successfully!' }
  }),
}
