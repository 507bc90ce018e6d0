// Runs forge on the contracts' tests: `npm run contracts:forge -- test --match-test NAME`.
import { forge } from './forge.ts'
import { writeTrees } from './trees.ts'

writeTrees()
const { code } = await forge(process.argv.slice(2), { stdio: 'inherit' })
process.exitCode = code
