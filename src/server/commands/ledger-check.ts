import { sql } from '../database/database.ts'
import { deliveryRules } from '../delivery/check.ts'
import { type BrokenRule, checkLedger, type LedgerRule, ledgerRules } from '../ledger/check.ts'
import { paymentRules, sealedRules } from '../payments/check.ts'
import { readSecretKeys } from '../secrets/secret-keys.ts'
import { Secrets } from '../secrets/secrets.ts'
import { complain, runCommand, say } from './command.ts'

const MOST_RULES = [...ledgerRules, ...paymentRules, ...deliveryRules]
const CLEAR_LINE = '\r\u001B[2K'

/** Which rule is asked now, for somebody who looks on; it goes when the rule's own line comes. */
function showAsked({ name }: LedgerRule, place: number): void {
  if (process.stderr.isTTY)
    process.stderr.write(`${CLEAR_LINE}asking   ${place} of ${MOST_RULES.length + 1}: ${name}`)
}

function report({ rule: { name, says }, rows }: BrokenRule): void {
  if (process.stderr.isTTY) process.stderr.write(CLEAR_LINE)
  if (rows.length === 0) return say(`holds    ${name}: ${says}`)
  complain(`broken   ${name}: ${says}`)
  for (const row of rows) complain(`         ${JSON.stringify(row)}`)
}

await runCommand('ledger check', async ({ config, connected }) => {
  const secrets = new Secrets({ keys: readSecretKeys(config) })
  const rules = [...MOST_RULES, ...sealedRules(secrets)]
  const broken = await connected.db.transaction(
    async (tx) => {
      // Sums and joins of everything: in memory as far as a small machine has it, instead of in temporary files.
      await tx.query(sql`select set_config('work_mem', '64MB', true)`)
      return checkLedger(tx, rules, { begins: showAsked, ends: report })
    },
    { isolation: 'repeatable read', readOnly: true },
  )
  say(
    broken.length === 0
      ? `All ${rules.length} rules hold.`
      : `${broken.length} of ${rules.length} rules are broken.`,
  )
  return broken.length === 0 ? 0 : 1
})
