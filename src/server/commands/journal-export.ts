import { resolve } from 'node:path'
import { lockPublicTerms } from '../campaign/campaign.ts'
import { headFileOf, Journal } from '../journal/journal.ts'
import { createLog } from '../log.ts'
import { readSecretKeys } from '../secrets/secret-keys.ts'
import { Secrets } from '../secrets/secrets.ts'
import { complain, runCommand, say } from './command.ts'

/** `npm run` starts its scripts in the repository; a relative folder is one of the folder in which it was called. */
const folderOf = (path: string) => resolve(process.env['INIT_CWD'] ?? '.', path)

await runCommand('journal export', async ({ config, connected }) => {
  const [folder, ...more] = process.argv.slice(2)
  if (folder === undefined || more.length > 0) {
    complain('Usage: npm run journal:export -- FOLDER')
    return 1
  }
  const journal = new Journal({
    db: connected.db,
    secrets: new Secrets({ keys: readSecretKeys(config) }),
    host: new URL(config.web.publicUrl).host,
    head: headFileOf(config.dataDir),
    lockTerms: lockPublicTerms,
    witnesses: config.journal.witnesses,
    log: createLog(),
  })
  const size = await journal.export(folderOf(folder))
  if (size === undefined) {
    complain('The journal has not begun: start the server once.')
    return 1
  }
  say(`${folder} holds the journal's first ${size} entries.`)
  return 0
})
