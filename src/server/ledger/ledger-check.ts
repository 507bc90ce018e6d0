import { type Database, sql } from '../database/database.ts'
import { type BrokenRule, checkAside, type LedgerRule } from './check.ts'

/** Ids of rows, never their contents. */
interface PublicBrokenRule {
  readonly rule: string
  readonly says: string
  readonly rows: readonly string[]
}

// Rules: LOG-23, LOG-25
/**
 * In one snapshot; stores the result for `/reserves`, then throws if a rule could not be checked. If `signal`
 * aborts, throws and stores nothing.
 */
export async function runLedgerCheck(
  db: Database,
  rules: readonly LedgerRule[],
  signal?: AbortSignal,
): Promise<void> {
  const unproved = await checkAside(db, rules, signal)
  const faults = unproved.filter(({ fault }) => fault !== undefined)
  const broken = JSON.stringify(unproved.filter(({ fault }) => fault === undefined).map(publicly))
  const unasked = JSON.stringify(faults.map(({ rule: { name, says } }) => ({ rule: name, says })))
  await db.query(
    sql`insert into ledger_checks (checked_at, rules, broken, unasked)
        values (clock_timestamp(), ${rules.length}, ${broken}::jsonb, ${unasked}::jsonb)
        on conflict (id) do update
          set checked_at = excluded.checked_at, rules = excluded.rules, broken = excluded.broken, unasked = excluded.unasked`,
  )
  if (faults.length > 0)
    throw new Error(
      `rules could not be asked: ${faults.map(({ rule, fault }) => `${rule.name} (${fault})`).join(', ')}`,
    )
}

function publicly({ rule: { name, says }, rows }: BrokenRule): PublicBrokenRule {
  return { rule: name, says, rows: rows.map(namesOf) }
}

/**
 * Columns that identify a row. Ids are numbers, or a table and a number; days, assets and kinds are public;
 * other columns may be private.
 */
const naming = /(^|_)(id|entry|place|subject|source|rule|round|stage|day|asset|kind)$/
const name = /^[a-z0-9_/.-]{1,80}$/

function namesOf(row: Record<string, unknown>): string {
  const named = Object.entries(row).filter(([key, value]) => naming.test(key) && name.test(String(value)))
  return named.map(([key, value]) => `${key} ${String(value)}`).join(', ') || '?'
}
