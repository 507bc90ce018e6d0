import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { admin } from './admin.ts'
import { cryptos } from './cryptos.ts'
import { mountControllers } from './exchange.ts'
import { mainCurrency } from './main-currency.ts'
import { pixels } from './pixels.ts'
import { transactions } from './transactions.ts'
import { users } from './users.ts'

/** `/api/controllers/*.php`: a thin layer over the modules of `/api/v1`. No other folder depends on it. */
export function mountLegacyApi(app: FastifyInstance, context: Context): Promise<void> {
  return mountControllers(app, context, {
    'users.php': users,
    'mainCurrency.php': mainCurrency,
    'cryptos.php': cryptos,
    'transactions.php': transactions,
    'admin.php': admin,
    'pixels.php': pixels,
  })
}
