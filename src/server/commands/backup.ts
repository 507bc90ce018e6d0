import { readSecretKey } from '../config.ts'
import { StartError } from '../start-error.ts'
import { runCommand, say } from './command.ts'
import { takeSnapshot } from './snapshot.ts'

await runCommand('backup', async ({ config, connected }) => {
  const [path, ...rest] = process.argv.slice(2)
  if (!path || rest.length > 0) throw new StartError('Usage: npm run backup -- FILE')
  const { tables, rows, takenAt } = await takeSnapshot(connected.db.url, path, readSecretKey(config))
  say(`${path}: ${rows} rows of ${tables} tables, as of ${takenAt}`)
  const where = config.secretKey.kind === 'file' ? config.secretKey.path : 'the variable SECRET_KEY'
  say(`SECRET_KEY is not in it: keep a copy of it (${where}) apart from the backup.`)
  say('Without it second factors and other sealed secrets of the backup can not be read.')
  return 0
})
