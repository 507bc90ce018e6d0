// Fails for unused files, exports and dependencies, and for product exports that only tests use.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from './setup.mjs'

const knip = join(root, 'node_modules/knip/bin/knip.js')
const runs = [
  { args: [], fix: 'Delete it, or name how it is reached in knip.json.' },
  { args: ['--production'], fix: 'The product itself does not use it: delete it with its test.' },
]

let failed = false
for (const { args, fix } of runs) {
  const { status } = spawnSync(process.execPath, [knip, '--no-progress', ...args], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) {
    failed = true
    console.error(`Unused: ${fix}`)
  }
}
process.exit(failed ? 1 : 0)
