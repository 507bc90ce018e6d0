import { type Act, Acts, type AnyAct } from '../../src/server/acts/acts.ts'
import { type BuyerBy, type By, Changes, type OperatorBy, system } from '../../src/server/changes/changes.ts'
import { Currencies } from '../../src/server/currencies/currencies.ts'
import type { Database } from '../../src/server/database/database.ts'
import { Ledger } from '../../src/server/ledger/ledger.ts'
import type { OrderStatus } from '../../src/shared/order-states.ts'
import type { Role } from '../../src/shared/roles.ts'
import { testSecrets } from './secrets.ts'

/** Changes whose commits wake nobody: a test drains the outbox itself. */
export const quietChanges = (db: Database) => new Changes({ db, afterCommit: () => {} })

/** An operator with a fresh login, as a door names them. */
export function operatorBy(
  operatorId: string,
  role: Role = 'owner',
  more: Partial<OperatorBy> = {},
): OperatorBy {
  return {
    kind: 'operator',
    operatorId,
    login: `operator ${operatorId}`,
    role,
    sessionId: null,
    authenticatedAt: new Date(),
    requestId: 'test',
    ...more,
  }
}

/** A buyer with a fresh login, as a door names them. */
export const buyerBy = (userId: string): BuyerBy => ({
  kind: 'buyer',
  operatorId: null,
  userId,
  login: 'buyer',
  authenticatedAt: new Date(),
  requestId: null,
})

/** Acts over some modules' own, for tests that perform no others. */
export function actsOf(
  db: Database,
  all: Readonly<Record<string, AnyAct>>,
  changes: Changes = quietChanges(db),
): Acts {
  return new Acts({ db, changes, secrets: testSecrets, all: all as never })
}

interface Decision {
  readonly operatorId: string | null
  readonly reason?: string
  readonly seen?: OrderStatus
}

interface GrantAsked extends Decision {
  readonly userId: string
  readonly amount: string
  readonly reason: string
  readonly idempotencyKey?: string | undefined
  readonly requestHash?: Buffer
}

/** The decisions of operators about orders and balances, as tests ask for them: by an operator's id, or (null) by the system. */
export function decideOn(db: Database, { batching = false } = {}) {
  const ledger = new Ledger({ db, hintOutbox: () => {}, batching })
  const acts = actsOf(db, ledger.acts)
  const byOf = (operatorId: string | null, once?: OperatorBy['once']): By =>
    operatorId === null ? system : operatorBy(operatorId, 'owner', { once })
  return {
    approve: (orderId: string, { operatorId, ...how }: Decision) =>
      acts.perform(ledger.acts['order.approve'], byOf(operatorId), { orderId, ...how }),
    reject: (orderId: string, { operatorId, ...how }: Decision) =>
      acts.perform(ledger.acts['order.reject'], byOf(operatorId), { orderId, ...how }),
    grant: ({ operatorId, idempotencyKey, requestHash = Buffer.alloc(0), ...input }: GrantAsked) =>
      acts.perform(
        ledger.acts['grant.add'],
        byOf(operatorId, idempotencyKey ? { key: idempotencyKey, hash: requestHash } : undefined),
        input,
      ),
    reverseGrant: (postingId: string, operatorId: string) =>
      acts.perform(ledger.acts['grant.reverse'], byOf(operatorId), { postingId }),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the input's type does not matter for the result's.
type ResultOf<A> = A extends Act<any, infer Result> ? Result : never

/** Performs acts of some modules as one operator, by name: what a door of the operators' area does. */
export function performerOf<A extends Readonly<Record<string, AnyAct>>>(
  db: Database,
  all: A,
  operatorId: string,
  role: Role = 'owner',
) {
  const acts = actsOf(db, all)
  return <N extends keyof A & string>(name: N, input: unknown, more?: Partial<OperatorBy>) =>
    acts.perform(all[name] as AnyAct, operatorBy(operatorId, role, more), input) as Promise<ResultOf<A[N]>>
}

/** Currencies over a test database, with a price service that answers nothing. */
export const currenciesOf = (db: Database) =>
  new Currencies({ db, fetchPrices: () => Promise.reject(new Error('no price service in this test')) })
