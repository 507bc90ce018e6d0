import { AsyncLocalStorage } from 'node:async_hooks'
import { Worker } from 'node:worker_threads'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Accounts } from '../../src/server/accounts/accounts.ts'
import { Analytics } from '../../src/server/analytics/analytics.ts'
import { Campaign } from '../../src/server/campaign/campaign.ts'
import { Passwords } from '../../src/server/credentials/passwords.ts'
import { Currencies } from '../../src/server/currencies/currencies.ts'
import type { Database, Queryable } from '../../src/server/database/database.ts'
import { Mailer } from '../../src/server/mail/mail.ts'
import { Operators } from '../../src/server/operators/operators.ts'
import { Rendered } from '../../src/server/pages/page-cache.ts'
import type { Cost } from '../../src/shared/api/route.ts'

interface Spent {
  statements: number
  hashes: number
  judgements: number
  mails: number
}

const underWay = new AsyncLocalStorage<Spent>()
const spentBy = new WeakMap<FastifyRequest, Spent>()

function count(unit: keyof Spent): void {
  const spent = underWay.getStore()
  if (spent) spent[unit] += 1
}

type Method = (...given: never[]) => unknown

function wrap(prototype: object, name: string, around: (own: Method, given: never[]) => unknown): void {
  const methods = prototype as Record<string, Method>
  const own = methods[name] as Method
  methods[name] = function (this: unknown, ...given: never[]) {
    return around(own.bind(this), given)
  }
}

function counting(prototype: object, name: string, unit: keyof Spent): void {
  wrap(prototype, name, (own, given) => {
    count(unit)
    return own(...given)
  })
}

counting(Passwords.prototype, 'hash', 'hashes')
counting(Passwords.prototype, 'verify', 'hashes')
counting(Worker.prototype, 'postMessage', 'judgements')
counting(Mailer.prototype, 'sendMail', 'mails')
// Cached public data and the caller's identification are free.
for (const [{ prototype }, name] of [
  [Campaign, 'current'],
  [Campaign, 'currentJson'],
  [Currencies, 'publicList'],
  [Analytics, 'forPath'],
  [Accounts, 'authenticate'],
  [Operators, 'authenticate'],
] as const)
  wrap(prototype, name, (own, given) => underWay.exit(() => own(...given)))
// Drawing for everybody is free, and drawing for one visitor is charged separately.
wrap(Rendered, 'of', (own, given) => underWay.exit(() => own(...given)))

/** Counts statements for the current request. */
export function countStatements(db: Database): Database {
  const counted = <Target extends Queryable>(target: Target): Target =>
    new Proxy(target, {
      get(of, name) {
        const value: unknown = Reflect.get(of, name, of)
        if (typeof value !== 'function') return value
        if (name === 'query' || name === 'one' || name === 'maybeOne')
          return (...given: unknown[]) => {
            count('statements')
            return value.apply(of, given)
          }
        if (name !== 'transaction' && name !== 'readLong') return value.bind(of)
        return (work: (tx: Queryable) => unknown, ...rest: unknown[]) => {
          const spent = underWay.getStore()
          const before = { ...spent }
          // Repeats after a conflict are free.
          const begin = (tx: Queryable) => {
            if (spent) Object.assign(spent, before)
            return work(counted(tx))
          }
          return value.call(of, begin, ...rest)
        }
      },
      // Tests may override methods of the database.
      set: (of, name, value) => Reflect.set(of, name, value, of),
    })
  return counted(db)
}

/** The function lists routes above their limit. */
export function watchCosts(app: FastifyInstance): () => string[] {
  const over = new Set<string>()
  app.addHook('onRequest', (request, _reply, done) => {
    const spent = { statements: 0, hashes: 0, judgements: 0, mails: 0 }
    spentBy.set(request, spent)
    underWay.run(spent, done)
  })
  // Set the context again, because reading the body loses it.
  app.addHook('preValidation', (request, _reply, done) => underWay.run(spentBy.get(request) as Spent, done))
  app.addHook('onResponse', (request, _reply, done) => {
    const spent = spentBy.get(request)
    const { url, config } = request.routeOptions
    const { cost } = config as { cost?: Cost }
    if (spent && cost) {
      const { statements = 0, hashes = 0, judgements = 0, mails = 0 } = cost
      const passwords = spent.hashes + spent.judgements
      if (spent.statements > statements || spent.mails > mails || passwords > hashes + judgements)
        over.add(`${request.method} ${url} took ${JSON.stringify(spent)}, and says ${JSON.stringify(cost)}`)
    }
    done()
  })
  return () => [...over]
}
