import { checkLedger, ledgerRules } from '../ledger/check.ts'
import { paymentRules } from '../payments/check.ts'
import { complain, runCommand, say } from './command.ts'

const rules = [...ledgerRules, ...paymentRules]

await runCommand('ledger check', async ({ connected }) => {
  const broken = await connected.db.transaction((tx) => checkLedger(tx, rules), {
    isolation: 'repeatable read',
    readOnly: true,
  })
  for (const rule of rules) {
    const found = broken.find((one) => one.rule.name === rule.name)
    if (!found) {
      say(`holds    ${rule.name}: ${rule.says}`)
      continue
    }
    complain(`broken   ${rule.name}: ${rule.says}`)
    for (const row of found.rows) complain(`         ${JSON.stringify(row)}`)
  }
  say(
    broken.length === 0
      ? `All ${rules.length} rules hold.`
      : `${broken.length} of ${rules.length} rules are broken.`,
  )
  return broken.length === 0 ? 0 : 1
})
