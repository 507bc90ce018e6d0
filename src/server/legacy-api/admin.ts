import { z } from 'zod'
import { newPassword } from '../../shared/api/account-inputs.ts'
import { noteSignedIn } from '../http/security-log.ts'
import {
  type Controller,
  clientOfExchange,
  executeAs,
  forOperators,
  operatorFor,
  requireOperator,
} from './exchange.ts'
import { fieldsOf, text } from './fields.ts'

const logInFields = z.object({ login: text(200), password: text(200), code: text(40).optional() })
const passwordFields = z.object({
  admin_token: text(200).optional(),
  login: text(200),
  oldPassword: text(200),
  newPassword,
  code: text(40).optional(),
})

/** Changing the password ends every other token. */
export const admin: Controller = {
  POST: {
    cost: { hashes: 2, mails: 1, statements: 30, line: 'operator' },
    answer: async (exchange) => {
      const input = fieldsOf(logInFields, exchange.body)
      const { operatorId, session } = await exchange.context.operators.logIn(
        input,
        clientOfExchange(exchange),
        'token',
      )
      noteSignedIn(exchange.request, `operator:${operatorId}`)
      return { token: session.token }
    },
  },
  GET: forOperators(async (exchange) => {
    await requireOperator(exchange, exchange.bearer, 'any')
    return {}
  }),
  PUT: forOperators(
    async (exchange) => {
      const { operators } = exchange.context
      const given = fieldsOf(passwordFields, exchange.body)
      const { admin_token: token, oldPassword: password, code, ...input } = given
      const operator = await operatorFor(exchange, exchange.bearer ?? token, 'operator.password')
      const client = clientOfExchange(exchange)
      const asker = { ...client, session: operator.sessionId ?? undefined }
      const asked = { ...input, proof: { password, code } }
      const prepared = await operators.preparePassword(operator.operatorId, asked, asker)
      const session = await executeAs(exchange, operator, operators.actions['operator.password'], {
        ...prepared,
        replacesSession: client,
      })
      return { token: session?.token, message: 'Password updated successfully.' }
    },
    { hashes: 3 },
  ),
}
