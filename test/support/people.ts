import { Accounts } from '../../src/server/accounts/accounts.ts'
import { Credentials } from '../../src/server/credentials/credentials.ts'
import type { Database } from '../../src/server/database/database.ts'
import { Limits } from '../../src/server/limits/limits.ts'
import type { Mail } from '../../src/server/mail/mail-kinds.ts'
import { Operators } from '../../src/server/operators/operators.ts'
import type { BuyerActor } from '../../src/server/unit-of-work/unit-of-work.ts'
import { actionsOf, quietUnits } from './actions.ts'
import { testSecrets } from './secrets.ts'

export { testSecrets }

export const limitsOf = (db: Database, isOn: boolean, secrets = testSecrets) =>
  new Limits({ db, secrets, isOn })

/** Mails go to `mails`, which can be shared. */
export function peopleOf(
  db: Database,
  {
    isLimited = false,
    publicUrl = 'http://localhost:3000',
    mails = [] as Mail[],
    isDemo = true,
    secrets = testSecrets,
  } = {},
) {
  const limits = limitsOf(db, isLimited, secrets)
  const sendMail = async (_tx: unknown, mail: Mail) => {
    mails.push(mail)
  }
  const credentials = new Credentials({ db, secrets, limits, publicUrl, sendMail })
  const accounts = new Accounts({ db, credentials, secrets, limits, publicUrl, sendMail })
  const operators = new Operators({
    db,
    units: quietUnits(db),
    credentials,
    limits,
    publicUrl,
    operatorPath: 'operator',
    isDemo,
    sendMail,
    revokeKeysOf: async () => {},
    countKeysOf: async () => 0,
  })
  return { accounts, credentials, operators, actions: actionsOf(db, operators.actions), mails }
}

export async function buyerOfToken(accounts: Accounts, token: string): Promise<BuyerActor> {
  const row = await accounts.authenticate(token)
  if (!row) throw new Error('no session')
  return {
    kind: 'buyer',
    operatorId: null,
    login: 'buyer',
    userId: row.user_id,
    sessionId: row.session_id,
    authenticatedAt: row.authenticated_at,
    requestId: 'test',
  }
}
