import { commandLine } from '../command-line.ts'
import { StartError } from '../start-error.ts'
import { protectionKeys, readArguments, readIdentities } from './backup-arguments.ts'
import { runCommand, say } from './command.ts'
import { drillBackup } from './drill.ts'

await runCommand('backup drill', async ({ config, connected }) => {
  const { positionals, values } = readArguments({ identity: { type: 'string', multiple: true } })
  const [path, ...rest] = positionals
  if (rest.length > 0)
    throw new StartError(`Usage: ${commandLine('backup:drill', '[FILE [--identity KEYFILE]]')}`)
  const protection = {
    ...protectionKeys(config),
    identities: await readIdentities(values.identity),
  }
  const { rows, takenAt, broken } = await drillBackup(connected.db, config.dataDir, protection, path)
  say(`${path ?? 'A new backup'}: ${rows} rows, as of ${takenAt}, restored into a scratch database`)
  for (const name of broken) say(`broken   ${name}`)
  say(
    broken.length === 0
      ? "The ledger's rules hold in it: the drill is recorded, and operators see when it was."
      : 'Not recorded as a drill that worked.',
  )
  return broken.length === 0 ? 0 : 1
})
