import { runCommand, say } from './command.ts'
import { journalOf } from './command-journal.ts'

await runCommand('journal reopen', async ({ config, connected }) => {
  const journal = journalOf(config, connected.db)
  const origin = await journal.sequencer.reopen()
  say(`A new journal begins: ${origin}. Its first entry names the last checkpoint of the one before.`)
  say('Its key is another one: say where you announce things why the journal began anew.')
  return 0
})
