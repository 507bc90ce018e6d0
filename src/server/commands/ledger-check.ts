import { parseArgs } from 'node:util'
import type { Database } from '../database/database.ts'
import { type BrokenRule, checkInSnapshot, type LedgerRule } from '../ledger/check.ts'
import { compareWitness } from '../orders/witness.ts'
import { readSecretKeys } from '../secrets/secret-keys.ts'
import { Secrets } from '../secrets/secrets.ts'
import { complain, runCommand, say } from './command.ts'
import { everyRule } from './rules.ts'

const CLEAR_LINE = '\r\u001B[2K'

/** Shows the current rule until its own line is printed. */
const askedOf =
  (count: number) =>
  ({ name }: LedgerRule, place: number): void => {
    if (process.stderr.isTTY) process.stderr.write(`${CLEAR_LINE}asking   ${place} of ${count}: ${name}`)
  }

function report({ rule: { name, says }, rows, fault }: BrokenRule): void {
  if (process.stderr.isTTY) process.stderr.write(CLEAR_LINE)
  if (fault !== undefined)
    return complain(`unknown  ${name}: ${says}\n         It could not be asked: ${fault}`)
  if (rows.length === 0) return say(`holds    ${name}: ${says}`)
  complain(`broken   ${name}: ${says}`)
  for (const row of rows) complain(`         ${JSON.stringify(row)}`)
}

function summaryOf(count: number, unproved: readonly BrokenRule[]): string {
  if (unproved.length === 0) return `All ${count} rules hold.`
  const unknown = unproved.filter(({ fault }) => fault !== undefined).length
  const broken = `${unproved.length - unknown} of ${count} rules are broken`
  return unknown === 0 ? `${broken}.` : `${broken}, and ${unknown} could not be asked.`
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { witness: { type: 'string', multiple: true, default: [] } },
})

/** A replica promoted without acknowledged orders is consistent in itself. */
async function askWitness(db: Database, path: string): Promise<boolean> {
  const { acknowledged, lost } = await compareWitness(db, path)
  if (lost.length === 0) {
    say(`holds    ${path}: all ${acknowledged} acknowledged orders are there`)
    return true
  }
  complain(`broken   ${path}: ${lost.length} of ${acknowledged} acknowledged orders are lost`)
  for (const { number, at } of lost) complain(`         order ${number}, acknowledged at ${at}`)
  return false
}

await runCommand('ledger check', async ({ config, connected }) => {
  const secrets = new Secrets({ keys: readSecretKeys(config) })
  const rules = everyRule(secrets)
  const unproved = await checkInSnapshot(connected.db, rules, { begins: askedOf(rules.length), ends: report })
  say(summaryOf(rules.length, unproved))
  let isWitnessed = true
  for (const path of [...values.witness, ...positionals])
    isWitnessed = (await askWitness(connected.db, path)) && isWitnessed
  return unproved.length === 0 && isWitnessed ? 0 : 1
})
