import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'
import { boundsOf, measureSlowness } from './test/support/patience.ts'

/** Whole programs, each with a database of its own. */
const programs = ['**/*.process.test.ts']
const server = [
  'src/server/**/*.test.ts',
  'sdk/*.test.ts',
  'test/{security-regressions,deploy,scenarios,upgrade}/**/*.test.ts',
]

/** Has no SQL of its own, or supervises the embedded PostgreSQL: a second database has nothing to say to it. */
const indifferent = [
  'src/server/app.test.ts',
  'src/server/{chain-config,config}.test.ts',
  'src/server/invalid-input.test.ts',
  'src/server/commands/archive.test.ts',
  'src/server/credentials/passwords.test.ts',
  'src/server/database/{batches,embedded,replica,sql}.test.ts',
  'src/server/demo/**',
  'src/server/escrows/permits.test.ts',
  'src/server/http/{analytics,docs}.test.ts',
  'src/server/journal/{tree,witness}.test.ts',
  'src/server/limits/local-limits.test.ts',
  'src/server/mail/**',
  'src/server/pages/**',
  'src/server/delivery/live.test.ts',
  'src/server/payments/{account-keys,json-rpc,network-identity,watchers}.test.ts',
  'src/server/giveaways/**',
  // What nodes say; the SQL that writes it runs on both by random-chains.test.ts.
  'src/server/payments/{bitcoin,evm}/**',
  'src/server/rates/median.test.ts',
  'src/server/secrets/**',
  'src/server/sorted-token.test.ts',
  'src/server/legacy-api/**',
  'test/security-regressions/**',
  'test/scenarios/security-log.test.ts',
  'sdk/**',
  'test/deploy/**',
  'test/scenarios/witnesses.test.ts',
]

/**
 * Two cores take three files at once: two that keep them busy, and a third that waits for a node's blocks, a disk or a clock
 * (test/support/longest-first.ts puts them together). With four the cores are never idle, and it takes as long.
 */
const maxWorkers = Math.max(3, availableParallelism() - 1)

// The processes of the tests read it.
const slowness = Number((process.env['TEST_SLOWNESS'] ??= String(await measureSlowness())))
const { patienceMs, testMs } = boundsOf(slowness)
const bounds = {
  testTimeout: testMs,
  hookTimeout: testMs,
  teardownTimeout: patienceMs,
  expect: { poll: { timeout: patienceMs } },
}

/** One PostgreSQL a project and run; every test file clones a database of its own from one of its templates. */
export default defineConfig({
  test: {
    pool: 'forks',
    // A process serves one file after another, as a server does one visitor after another: loading the program anew took a file a second
    // and more, and most files take less. What a file leaves in a module is a fault of that module.
    isolate: false,
    ...bounds,
    maxWorkers,
    sequence: { sequencer: LongestFirst },
    // The colours would end in the report of the run.
    reporters: ['default'],
    projects: [
      {
        test: {
          name: 'unit',
          isolate: false,
          ...bounds,
          maxWorkers,
          include: [
            'src/shared/**/*.test.ts',
            'src/client/**/*.test.{ts,tsx}',
            'test/*.test.ts',
            'verify/*.test.ts',
          ],
          exclude: programs,
        },
      },
      {
        extends: true,
        test: {
          name: 'embedded',
          include: server,
          exclude: programs,
          globalSetup: ['test/support/embedded-database.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'external',
          include: server,
          // Everything else runs a second time, on an external PostgreSQL 15 over TCP.
          exclude: [...programs, ...indifferent],
          globalSetup: ['test/support/external-database.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'programs',
          include: programs,
          exclude: ['node_modules/**', 'dist/**'],
          globalSetup: ['test/support/built-server.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/support/built-server.ts', 'test/support/embedded-database.ts'],
        },
      },
      {
        extends: true,
        test: {
          // Needs root and a machine of little else: `npm run test:apart`, not `npm test`.
          name: 'apart',
          include: ['test/apart/**/*.test.ts'],
          fileParallelism: false,
          globalSetup: ['test/support/built-server.ts', 'test/support/embedded-database.ts'],
        },
      },
    ],
  },
})
