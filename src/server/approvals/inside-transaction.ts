import type { Database, Queryable } from '../database/database.ts'

/**
 * The database as it is inside a transaction: what is written through it is part of that transaction, its own "transactions"
 * included. For work that must happen together with the decision that allows it, or not at all.
 */
export function insideTransaction(db: Database, tx: Queryable): Database {
  return {
    url: db.url,
    pool: db.pool,
    query: (sql, values) => tx.query(sql, values),
    one: (sql, values) => tx.one(sql, values),
    maybeOne: (sql, values) => tx.maybeOne(sql, values),
    transaction: (work) => work(tx),
    close: () => Promise.reject(new Error('a transaction does not own its database')),
  }
}
