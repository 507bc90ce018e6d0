import { type Action, Actions, type AnyAction } from '../../src/server/actions/actions.ts'
import { Currencies } from '../../src/server/currencies/currencies.ts'
import type { Database } from '../../src/server/database/database.ts'
import { Ledger } from '../../src/server/ledger/ledger.ts'
import {
  type Actor,
  type BuyerActor,
  type OperatorActor,
  system,
  UnitsOfWork,
} from '../../src/server/unit-of-work/unit-of-work.ts'
import type { OrderStatus } from '../../src/shared/order-states.ts'
import type { Role } from '../../src/shared/roles.ts'
import { testSecrets } from './secrets.ts'

/** No job runs, because a test drains the outbox itself. */
export const quietUnits = (db: Database) => new UnitsOfWork({ db, afterCommit: () => {} })

export function operatorActor(
  operatorId: string,
  role: Role = 'owner',
  more: Partial<OperatorActor> = {},
): OperatorActor {
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

export const buyerActor = (userId: string): BuyerActor => ({
  kind: 'buyer',
  operatorId: null,
  userId,
  login: 'buyer',
  authenticatedAt: new Date(),
  requestId: null,
})

export function actionsOf(
  db: Database,
  all: Readonly<Record<string, AnyAction>>,
  units: UnitsOfWork = quietUnits(db),
): Actions {
  return new Actions({ db, units, secrets: testSecrets, publicUrl: 'http://localhost', all: all as never })
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

/** Decides as the operator with an id or (null) as the system. */
export function decideOn(db: Database, { batching = false } = {}) {
  const ledger = new Ledger({ db, hintOutbox: () => {}, batching })
  const actions = actionsOf(db, ledger.actions)
  const actorOf = (operatorId: string | null, once?: OperatorActor['once']): Actor =>
    operatorId === null ? system : operatorActor(operatorId, 'owner', { once })
  return {
    approve: (orderId: string, { operatorId, ...how }: Decision) =>
      actions.execute(ledger.actions['order.approve'], actorOf(operatorId), { orderId, ...how }),
    reject: (orderId: string, { operatorId, ...how }: Decision & { readonly came?: string | undefined }) =>
      actions.execute(ledger.actions['order.reject'], actorOf(operatorId), { orderId, ...how }),
    grant: ({ operatorId, idempotencyKey, requestHash = Buffer.alloc(0), ...input }: GrantAsked) =>
      actions.execute(
        ledger.actions['grant.add'],
        actorOf(operatorId, idempotencyKey ? { key: idempotencyKey, hash: requestHash } : undefined),
        input,
      ),
    reverseGrant: (postingId: string, operatorId: string) =>
      actions.execute(ledger.actions['grant.reverse'], actorOf(operatorId), { postingId }),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the input's type does not matter for the result's.
type ResultOf<A> = A extends Action<any, infer Result> ? Result : never

/** Executes actions by name as one operator, like the operators' entry point. */
export function executorOf<A extends Readonly<Record<string, AnyAction>>>(
  db: Database,
  all: A,
  operatorId: string,
  role: Role = 'owner',
) {
  const actions = actionsOf(db, all)
  return <N extends keyof A & string>(name: N, input: unknown, more?: Partial<OperatorActor>) =>
    actions.execute(all[name] as AnyAction, operatorActor(operatorId, role, more), input) as Promise<
      ResultOf<A[N]>
    >
}

/** Currencies without a price service. */
export const currenciesOf = (db: Database) =>
  new Currencies({ db, fetchPrices: () => Promise.reject(new Error('no price service in this test')) })
