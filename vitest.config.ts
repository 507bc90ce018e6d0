import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const server = ['src/server/**/*.test.ts', 'test/scenarios/**/*.test.ts']
/** Whole programs, kills, chains against a clock: each alone on the machine, so that no neighbour decides what they see. */
const alone = [
  '**/*.process.test.ts',
  'src/server/payments/watchers.test.ts',
  'src/server/payments/random-chains.test.ts',
]

/** A test that asks the database waits for it half of the time: on two cores, too, a second one fills it. */
const maxWorkers = Math.max(2, availableParallelism() - 1)

/** One PostgreSQL a project and run; every test file clones a database of its own from the migrated template. */
export default defineConfig({
  test: {
    pool: 'forks',
    testTimeout: 20_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
    // What is waited for comes when it comes; a busy machine takes longer than the default second.
    expect: { poll: { timeout: 10_000 } },
    maxWorkers,
    // The colours would end in the report of the run.
    reporters: ['default'],
    projects: [
      {
        test: {
          name: 'unit',
          maxWorkers,
          include: ['src/shared/**/*.test.ts', 'src/client/**/*.test.{ts,tsx}', 'test/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'embedded',
          include: server,
          exclude: alone,
          globalSetup: ['test/support/embedded-database.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'external',
          include: server,
          // What supervises the embedded database, and what starts whole programs on it, has nothing to ask of another.
          exclude: ['src/server/config.test.ts', 'src/server/database/embedded.test.ts', ...alone],
          globalSetup: ['test/support/external-database.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: alone,
          exclude: ['node_modules/**', 'dist/**'],
          fileParallelism: false,
          sequence: { groupOrder: 1 },
          globalSetup: ['test/support/embedded-database.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Half of a journey is waiting: a second one fills it.
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
          globalSetup: ['test/support/embedded-database.ts'],
        },
      },
    ],
  },
})
