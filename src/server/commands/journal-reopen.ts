import { lockPublicTerms } from '../campaign/campaign.ts'
import { headFileOf, Journal } from '../journal/journal.ts'
import { createLog } from '../log.ts'
import { readSecretKeys } from '../secrets/secret-keys.ts'
import { Secrets } from '../secrets/secrets.ts'
import { runCommand, say } from './command.ts'

await runCommand('journal reopen', async ({ config, connected }) => {
  const journal = new Journal({
    db: connected.db,
    secrets: new Secrets({ keys: readSecretKeys(config) }),
    host: new URL(config.web.publicUrl).host,
    head: headFileOf(config.dataDir),
    lockTerms: lockPublicTerms,
    witnesses: [],
    log: createLog(),
  })
  const origin = await journal.sequencer.reopen()
  say(`A new journal begins: ${origin}. Its first entry names the last checkpoint of the one before.`)
  say('Its key is another one: say where you announce things why the journal began anew.')
  return 0
})
