import { runCommand, say } from './command.ts'
import { journalOf } from './command-journal.ts'

await runCommand('journal key rotation', async ({ config, connected }) => {
  const journal = journalOf(config, connected.db)
  const { previous, vkey } = await journal.sequencer.rotateKey()
  say(`The journal is signed by another key from now on: ${vkey}`)
  say(`The one before was ${previous}. It signed the change and is destroyed.`)
  say(
    'Announce the new key where you announced the old one; witnesses need both in WITNESS_FOR, the old one first.',
  )
  return 0
})
