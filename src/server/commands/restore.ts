import { parseArgs } from 'node:util'
import { readSecretKey } from '../config.ts'
import { checkLedger, ledgerRules } from '../ledger/check.ts'
import { paymentRules } from '../payments/check.ts'
import { StartError } from '../start-error.ts'
import { complain, runCommand, say } from './command.ts'
import { restoreSnapshot } from './snapshot.ts'

await runCommand('restore', async ({ config, connected }) => {
  const { positionals, values } = parse(process.argv.slice(2))
  const [path, ...rest] = positionals
  if (!path || rest.length > 0) throw new StartError('Usage: npm run restore -- FILE [--replace]')
  const result = await restoreSnapshot(connected.db.url, path, readSecretKey(config), {
    replaces: values.replace ?? false,
  })
  say(`${path}: ${result.rows} rows of ${result.tables} tables restored, as of ${result.takenAt}`)
  if (!result.hasSameKey) {
    complain(
      'SECRET_KEY is not the one that was in use when the backup was made: put that one back before you start.',
    )
  }
  const broken = await checkLedger(connected.db, [...ledgerRules, ...paymentRules])
  say(broken.length === 0 ? "The ledger's rules hold." : 'The ledger has broken rules: npm run ledger:check')
  return broken.length === 0 ? 0 : 1
})

function parse(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options: { replace: { type: 'boolean' } } })
  } catch (error) {
    throw new StartError((error as Error).message)
  }
}
