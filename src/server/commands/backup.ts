import { writeFile } from 'node:fs/promises'
import { readClaimFile } from '../claim-file.ts'
import { commandLine } from '../command-line.ts'
import { StartError } from '../start-error.ts'
import { protectionKeys, readArguments } from './backup-arguments.ts'
import { runCommand, say } from './command.ts'
import { takeSnapshot } from './snapshot.ts'

await runCommand('backup', async ({ config, connected }) => {
  const { positionals, values } = readArguments({ recipient: { type: 'string', multiple: true } })
  const [path, ...rest] = positionals
  if (!path || rest.length > 0)
    throw new StartError(`Usage: ${commandLine('backup', 'FILE [--recipient age1…]')}`)
  const recipients = values.recipient ?? []
  const protection = { ...protectionKeys(config), recipients }
  const { tables, rows, takenAt } = await takeSnapshot(connected.db.url, path, protection)
  say(`${path}: ${rows} rows of ${tables} tables, as of ${takenAt}`)
  if (recipients.length > 0) say(`It is encrypted for ${recipients.join(', ')}.`)
  const claimFile = readClaimFile()
  if (claimFile) {
    await writeFile(`${path}.claim.html`, claimFile.content)
    say(`${path}.claim.html claims by the published lists without any server: SHA-256 ${claimFile.sha256}`)
  } else say('claim.html is not built, so it does not lie beside the backup: npm run build')
  const where = config.secretKey.kind === 'file' ? config.secretKey.path : 'the variable SECRET_KEY'
  say(`SECRET_KEY is not in it: keep a copy of it (${where}) apart from the backup.`)
  say('A restore needs that key: it proves the file, and opens what is sealed in it.')
  return 0
})
