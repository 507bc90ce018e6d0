import { lockPublicTerms } from '../campaign/campaign.ts'
import { headFileOf, Journal } from '../journal/journal.ts'
import { createLog } from '../log.ts'
import { readSecretKeys } from '../secrets/secret-keys.ts'
import { Secrets } from '../secrets/secrets.ts'
import { runCommand, say } from './command.ts'

await runCommand('journal key rotation', async ({ config, connected }) => {
  const journal = new Journal({
    db: connected.db,
    secrets: new Secrets({ keys: readSecretKeys(config) }),
    host: new URL(config.web.publicUrl).host,
    head: headFileOf(config.dataDir),
    lockTerms: lockPublicTerms,
    witnesses: [],
    log: createLog(),
  })
  const { previous, vkey } = await journal.sequencer.rotateKey()
  say(`The journal is signed by another key from now on: ${vkey}`)
  say(`The one before was ${previous}. It signed the change and is destroyed.`)
  say('Announce the new key where you announced the old one; witnesses need both in WITNESS_FOR.')
  return 0
})
