import { resolve } from 'node:path'
import { commandLine } from '../command-line.ts'
import { complain, runCommand, say } from './command.ts'
import { journalOf } from './command-journal.ts'

/** `npm run` starts scripts in the repository; paths are relative to the folder in which it was called. */
const folderOf = (path: string) => resolve(process.env['INIT_CWD'] ?? '.', path)

await runCommand('journal export', async ({ config, connected }) => {
  const [folder, ...more] = process.argv.slice(2)
  if (folder === undefined || more.length > 0) {
    complain(`Usage: ${commandLine('journal:export', 'FOLDER')}`)
    return 1
  }
  const journal = journalOf(config, connected.db)
  const size = await journal.export(folderOf(folder))
  if (size === undefined) {
    complain('The journal has not begun: start the server once.')
    return 1
  }
  say(`${folder} holds the journal's first ${size} entries.`)
  return 0
})
