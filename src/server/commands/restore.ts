import { commandLine } from '../command-line.ts'
import { sql } from '../database/database.ts'
import { checkInSnapshot } from '../ledger/check.ts'
import { readSecretKeys } from '../secrets/secret-keys.ts'
import { Secrets } from '../secrets/secrets.ts'
import { StartError } from '../start-error.ts'
import { protectionKeys, readArguments, readIdentities } from './backup-arguments.ts'
import { complain, runCommand, say } from './command.ts'
import { everyRule } from './rules.ts'
import { restoreSnapshot } from './snapshot.ts'

await runCommand(
  { name: 'restore', makesDatabase: true, leavesTables: true },
  async ({ config, connected }) => {
    const { positionals, values } = readArguments({
      replace: { type: 'boolean' },
      identity: { type: 'string', multiple: true },
      'lost-key': { type: 'boolean' },
      'keep-sessions': { type: 'boolean' },
    })
    const [path, ...rest] = positionals
    if (!path || rest.length > 0)
      throw new StartError(
        `Usage: ${commandLine('restore', 'FILE [--replace] [--identity KEYFILE] [--lost-key] [--keep-sessions]')}`,
      )
    const protection = {
      ...protectionKeys(config),
      identities: await readIdentities(values.identity),
      takesOtherKey: values['lost-key'] ?? false,
    }
    const result = await restoreSnapshot(connected.owner, path, protection, {
      replaces: values.replace ?? false,
      keepsAccess: values['keep-sessions'] ?? false,
    })
    say(`${path}: ${result.rows} rows of ${result.tables} tables restored, as of ${result.takenAt}`)
    if (result.leftOut.length > 0)
      complain(`Left out, because they are no tables of this program: ${result.leftOut.join(', ')}`)
    if (!values['keep-sessions'])
      say(
        'Sessions, one-time links, challenges and API keys of the backup have ended: everybody logs in again.',
      )
    say(
      'Each wallet passes over as many addresses as it had given out, at least 1000: some of them may have been shown',
    )
    say('since the backup. Scan your own wallet as far as the page Crypto says now.')
    say(
      'A delivery round that was announced is cancelled. One that was frozen since the backup is unknown here, and its',
    )
    say('distributor pays out all the same: announce another only if none was funded.')
    const { open } = await connected.db.one<{ open: number }>(
      sql`select count(*)::integer as open from refunds where state not in ('paid', 'written_off')`,
    )
    if (open > 0)
      complain(
        `Refunds that are owed as of the backup: ${open}. One that was paid since, to an address that was named since, is\nowed again: look for each in your wallet before you prepare any.`,
      )
    say(
      'The public journal stands still where checkpoints were published since the backup: docs/operating/journal.md.',
    )
    if (protection.takesOtherKey) {
      complain(
        'The backup was made under another SECRET_KEY: who made it is not proved, and what is sealed in',
      )
      complain('it can not be read with the present key.')
    }
    const secrets = new Secrets({ keys: readSecretKeys(config) })
    const broken = await checkInSnapshot(connected.db, everyRule(secrets))
    say(
      broken.length === 0
        ? "The ledger's rules hold."
        : `Not every rule of the ledger is proved: ${commandLine('ledger:check')}`,
    )
    return broken.length === 0 ? 0 : 1
  },
)
