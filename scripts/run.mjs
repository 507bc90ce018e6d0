// Runs every `npm run …`: prepares the checkout, then starts the task.
import { join } from 'node:path'
import { SERVER_FLAGS, SERVER_MEMORY } from './server-flags.mjs'
import {
  become,
  ensureApi,
  ensureBuild,
  ensureDependencies,
  ensureNode,
  ensureServer,
  fail,
  root,
} from './setup.mjs'
import { ensureSystemPackages } from './system-packages.mjs'

const [task = '', ...args] = process.argv.slice(2)

const bin = (path) => join(root, 'node_modules', path)

/** With the last start's compile cache the next one is faster and skips the TypeScript parser's 20 MB. */
const SERVER_ENVIRONMENT = {
  NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'),
  ...SERVER_MEMORY,
}

/**
 * `needs` is further preparation; `isAlone` needs not even Node and the dependencies; `run` has the arguments
 * for Node.
 */
const TASKS = {
  setup: { needs: ['build', 'api'] },
  api: { needs: ['api'] },
  build: { needs: ['build'] },
  start: {
    needs: ['build'],
    run: [...SERVER_FLAGS, 'dist/server/main.js', ...args],
    environment: SERVER_ENVIRONMENT,
  },
  release: { needs: ['build'], run: ['scripts/release.mjs'] },
  dev: { run: ['scripts/dev.mjs', ...args] },
  test: {
    needs: ['system', 'build', 'api'],
    run: ['scripts/test.mjs', ...args],
    environment: SERVER_ENVIRONMENT,
  },
  check: { needs: ['api'], run: ['scripts/check.mjs', ...args] },
  format: { run: [bin('@biomejs/biome/bin/biome'), 'check', '--write', ...args] },
  operator: { needs: ['server'], run: ['dist/server/operator.js', ...args] },
  doctor: { needs: ['server'], run: ['dist/server/doctor.js', ...args] },
  'ledger:check': { needs: ['server'], run: ['dist/server/ledger-check.js', ...args] },
  backup: { needs: ['server'], run: ['dist/server/backup.js', ...args] },
  'backup:drill': { needs: ['server'], run: ['dist/server/backup-drill.js', ...args] },
  restore: { needs: ['server'], run: ['dist/server/restore.js', ...args] },
  'journal:export': { needs: ['server'], run: ['dist/server/journal-export.js', ...args] },
  'journal:reopen': { needs: ['server'], run: ['dist/server/journal-reopen.js', ...args] },
  'journal:rotate-key': { needs: ['server'], run: ['dist/server/journal-rotate-key.js', ...args] },
  'giveaway:draw': { needs: ['server'], run: ['dist/server/giveaway-draw.js', ...args] },
  'secrets:check': { needs: ['server'], run: ['dist/server/secrets-check.js', ...args] },
  'secrets:rotate': { needs: ['server'], run: ['dist/server/secrets-rotate.js', ...args] },
  'demo:fill': { needs: ['build'], run: ['dist/server/demo-fill.js', ...args] },
  'demo:chain': { needs: ['build'], run: ['scripts/demo-chain.mjs', ...args] },
  contracts: { run: ['contracts/make-artifacts.ts'] },
  'contracts:forge': { run: ['contracts/run-forge.ts', ...args] },
  'contracts:mutants': { run: ['contracts/run-mutants.ts', ...args] },
  verify: { isAlone: true, run: [...SERVER_FLAGS, 'verify/verify.ts', ...args], environment: SERVER_MEMORY },
  simulate: { run: ['simulate/simulate.ts', ...args] },
  mutants: { needs: ['system', 'build', 'api'], run: ['test/mutants/run.ts', ...args] },
  'simulate:coverage': { run: ['simulate/coverage.ts', ...args] },
  'simulate:proof': { run: ['simulate/proof.ts', ...args] },
  'simulate:properties': { run: ['simulate/properties.ts', ...args] },
  'test:apart': {
    needs: ['system', 'apart', 'build', 'api'],
    run: ['scripts/test.mjs', '--project=apart', ...args],
    environment: SERVER_ENVIRONMENT,
  },
  cluster: { needs: ['system', 'apart', 'build'], run: ['deploy/cluster/command.ts', ...args] },
  bench: { needs: ['system', 'build'], run: ['bench/bench.ts', ...args] },
}

const chosen = TASKS[task]
if (!chosen) fail(`Unknown task ${task}: one of ${Object.keys(TASKS).join(', ')}`)
process.chdir(root)
const node = ensureNode()
if (!chosen.isAlone) ensureDependencies(node)
const isApart = chosen.needs?.includes('apart') || args.some((argument) => argument.includes('failover'))
if (chosen.needs?.includes('system')) ensureSystemPackages(isApart)
if (chosen.needs?.includes('build')) ensureBuild(node)
if (chosen.needs?.includes('api')) ensureApi(node)
if (chosen.needs?.includes('server')) ensureServer(node)
if (chosen.run) become(node, chosen.run, chosen.environment)
