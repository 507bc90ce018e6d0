import { migrate } from '../database/migrate.ts'
import { version } from '../version.ts'
import { runCommand, say } from './command.ts'
import { refuseServed } from './snapshot.ts'

/** The second step of a rollback, once the server has stopped. */
await runCommand('activate functions', async ({ connected: { owner } }) => {
  await refuseServed(owner.url)
  await migrate(owner.url, { runner: owner.runner, isRollBack: true })
  say(`The SQL functions of ${version} are active.`)
  return 0
})
