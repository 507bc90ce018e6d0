import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Seconds that the long files took on two cores, each in a process of its own. A file that is not here is short, and its place does not matter. */
const busy: Readonly<Record<string, number>> = {
  'test/e2e/operator.test.ts': 75,
  'test/e2e/public.test.ts': 75,
  'test/e2e/buyer.test.ts': 74,
  'test/e2e/every-route.operator.test.ts': 65,
  'test/scenarios/simulate.process.test.ts': 62,
  'test/e2e/every-route.buyer.test.ts': 60,
  'test/e2e/operator-looks.en.test.ts': 50,
  'test/e2e/operator-looks.ru.test.ts': 50,
  'test/e2e/script-budget.test.ts': 40,
  'test/e2e/every-route.visitor.test.ts': 32,
  'test/e2e/languages.test.ts': 40,
  'src/shared/giveaway-draw.test.ts': 36,
  'test/e2e/keyboard.test.ts': 30,
  'test/e2e/set-up.test.ts': 27,
  'test/e2e/operator-access.test.ts': 26,
  'contracts/contracts.process.test.ts': 23,
  'test/e2e/operator-queue.test.ts': 22,
  'test/attacks/fuzzed-requests.test.ts': 20,
  'src/server/payments/random-chains.test.ts': 19,
  'test/e2e/delivery-rounds.test.ts': 18,
  'test/e2e/operator-decisions.test.ts': 18,
  'test/e2e/operator-chains.test.ts': 17,
  'test/e2e/main-job.test.ts': 16,
  'src/server/payments/settling.test.ts': 16,
  'src/server/payments/bitcoin/lying-node.test.ts': 14,
  'test/e2e/operator-integrations.test.ts': 14,
  'src/server/payments/evm/anvil.test.ts': 13,
  'test/e2e/refund.test.ts': 12,
  'test/e2e/operator-content.test.ts': 12,
  'test/e2e/demo-chain.test.ts': 11,
  'src/server/http/orders.test.ts': 11,
  'src/server/ledger/ledger.test.ts': 11,
  'src/server/payments/evm/escrow.test.ts': 11,
  'test/e2e/late-choice.test.ts': 10,
  'verify/verify.process.test.ts': 10,
}

/** The same of those that mostly wait: for a node's blocks, a disk, a clock, a program that starts. */
const waiting: Readonly<Record<string, number>> = {
  'test/scenarios/kill.process.test.ts': 75,
  'test/scenarios/failover.process.test.ts': 75,
  'test/scenarios/crash.process.test.ts': 58,
  'src/server/main.process.test.ts': 40,
  'src/server/commands/commands.process.test.ts': 32,
  'src/server/payments/watchers.test.ts': 77,
  'src/server/payments/bitcoin/litecoin.test.ts': 74,
  'src/server/database/embedded.test.ts': 51,
  'src/server/payments/evm/lying-node.test.ts': 33,
}

/** A process that has loaded a project's modules goes on with that project alone: one project follows another, the heaviest first. */
const projects = ['e2e', 'programs', 'embedded', 'external', 'unit']

const secondsOf = (table: Readonly<Record<string, number>>, { moduleId }: TestSpecification) =>
  Object.entries(table).find(([end]) => moduleId.endsWith(end))?.[1]

/** When each begins, if `lanes` of them go on beside each other; what is not measured takes a second. */
function startsOf(
  files: readonly TestSpecification[],
  lanes: number,
): (readonly [TestSpecification, number])[] {
  const free = Array.from({ length: lanes }, () => 0)
  return files.map((file) => {
    const lane = free.indexOf(Math.min(...free))
    const start = free[lane] ?? 0
    free[lane] = start + (secondsOf(busy, file) ?? secondsOf(waiting, file) ?? 1)
    return [file, start]
  })
}

/**
 * Project by project, the long files first, so that no long one is left to one core at the end; and beside them, in the
 * third process, those that leave the cores alone.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- vitest's own order, in a new array
    const ordered = await super.sort(files)
    const group = ({ project }: TestSpecification) => project.config.sequence.groupOrder
    const place = ({ project }: TestSpecification) => projects.indexOf(project.name)
    const length = (file: TestSpecification) => secondsOf(busy, file) ?? secondsOf(waiting, file) ?? 0
    const longest = ordered.toSorted(
      (a, b) => group(a) - group(b) || place(a) - place(b) || length(b) - length(a),
    )
    const isWaiting = (file: TestSpecification) => secondsOf(waiting, file) !== undefined
    const beside = startsOf(longest.filter(isWaiting), 1)
    const main = startsOf(
      longest.filter((file) => !isWaiting(file)),
      2,
    )
    return [...main, ...beside].toSorted(([, a], [, b]) => a - b).map(([file]) => file)
  }
}
