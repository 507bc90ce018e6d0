import { migrate } from '../database/migrate.ts'
import { version } from '../version.ts'
import { runCommand, say } from './command.ts'
import { refuseServed } from './snapshot.ts'

/** The second step of a roll back, after the server has stopped: this older release's functions replace those of the newer one. */
await runCommand('activate functions', async ({ connected: { owner } }) => {
  await refuseServed(owner.url)
  await migrate(owner.url, { runner: owner.runner, isRollBack: true })
  say(`The SQL functions of ${version} are active.`)
  return 0
})
