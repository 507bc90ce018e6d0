// Runs all tests. Arguments go to vitest: `npm test -- src/server/orders` runs a part. The project `apart`
// only runs by `npm run test:apart`.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from './setup.mjs'

const given = process.argv.slice(2)
const chosen = given.some((argument) => argument.startsWith('--project'))
  ? given
  : ['--project=!apart', ...given]
const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...chosen]
const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
process.exit(status ?? 1)
