import { sql } from '../database/database.ts'
import { StartError } from '../start-error.ts'
import { runCommand, say } from './command.ts'

/** Counts what was made after a backup, which its restore would lose. Exits with 3 if there is anything. */
await runCommand('made since', async ({ connected: { db } }) => {
  const since = new Date(process.argv[2] ?? '')
  if (Number.isNaN(since.getTime()))
    throw new StartError('Usage: made-since TIME, such as 2026-11-30T01:00:00Z')
  const made = await db.one<{
    accounts: number
    orders: number
    payments: number
    postings: number
    acts: number
  }>(
    sql`select (select count(*)::int from users where created_at > ${since}) as accounts,
               (select count(*)::int from orders where created_at > ${since}) as orders,
               (select count(*)::int from payments where seen_at > ${since}) as payments,
               (select count(*)::int from postings where posted_at > ${since}) as postings,
               (select count(*)::int from audit_log where at > ${since}) as acts`,
  )
  say(`Made since ${since.toISOString()}, and not in a backup of that time:`)
  say(`  accounts ${made.accounts}`)
  say(`  orders ${made.orders}`)
  say(`  payments on chains ${made.payments}`)
  say(`  credits, reversals and grants ${made.postings}`)
  say(`  entries of the audit log ${made.acts}`)
  return Object.values(made).some((count) => count > 0) ? 3 : 0
})
