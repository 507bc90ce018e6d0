import { z } from 'zod'
import { operatorCampaignEndpoints } from '../../shared/api/campaign-schemas.ts'
import { showPrice } from '../../shared/money.ts'
import { type Controller, executeAs, operatorFor } from './exchange.ts'
import { fieldsOf, numeric } from './fields.ts'

const fields = z.object({ id: numeric.pipe(z.literal('1')), value: numeric })

/** The main currency value: dollars for one token. */
export const mainCurrency: Controller = {
  async GET({ context }) {
    const { priceUsd } = await context.campaign.current()
    return { data: [{ id: 1, value: priceUsd === null ? '' : showPrice(priceUsd) }] }
  },
  async PUT(exchange) {
    const operator = await operatorFor(exchange, exchange.bearer, 'price.change')
    const { value } = fieldsOf(fields, exchange.body)
    const { priceUsd } = fieldsOf(operatorCampaignEndpoints.setPrice.body, { priceUsd: value })
    await executeAs(exchange, operator, exchange.context.campaign.actions['price.change'], { priceUsd })
    return { message: 'Currency updated successfully!' }
  },
}
