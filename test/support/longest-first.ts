import { BaseSequencer, type TestSpecification } from 'vitest/node'

const busy: Readonly<Record<string, number>> = {
  'test/e2e/buyer.test.ts': 130,
  'test/e2e/operator.test.ts': 67,
  'test/e2e/languages.test.ts': 65,
  'test/e2e/public.test.ts': 60,
  'test/e2e/operator-looks.en.test.ts': 53,
  'test/e2e/every-route.visitor.test.ts': 51,
  'test/e2e/every-route.buyer.test.ts': 46,
  'test/e2e/operator-conflicts.test.ts': 45,
  'test/scenarios/simulate.process.test.ts': 43,
  'test/e2e/every-route.operator.test.ts': 41,
  'test/e2e/escrow.test.ts': 38,
  'test/e2e/script-budget.test.ts': 37,
  'test/e2e/operator-looks.ru.test.ts': 37,
  'test/e2e/checkout-frame.test.ts': 35,
  'test/e2e/early-press.test.ts': 32,
  'test/e2e/operator-decisions.test.ts': 28,
  'test/e2e/push-event.test.ts': 28,
  'test/e2e/operator-content.test.ts': 27,
  'test/e2e/keyboard.test.ts': 26,
  'test/e2e/demo-chain.test.ts': 25,
  'test/e2e/keyboard-operator.test.ts': 25,
  'test/e2e/checkout-frame-engines.test.ts': 25,
  'src/server/payments/bitcoin/own-coins.test.ts': 23,
  'src/server/payments/evm/escrow.test.ts': 22,
  'test/e2e/operator-access.test.ts': 22,
  'test/security-regressions/fuzzed-requests.test.ts': 21,
  'test/e2e/operator-integrations.test.ts': 20,
  'src/server/payments/random-chains.test.ts': 18,
  'test/e2e/operator-queue.test.ts': 18,
  'test/e2e/operator-chains.test.ts': 17,
  'src/server/payments/settling.test.ts': 17,
  'test/e2e/set-up.test.ts': 15,
  'test/e2e/delivery-rounds.test.ts': 15,
  'test/e2e/comments.test.ts': 15,
  'verify/verify.process.test.ts': 14,
  'src/server/ledger/ledger.test.ts': 14,
  'test/e2e/settings-preview.test.ts': 13,
  'src/server/referral/referral.test.ts': 13,
  'test/e2e/main-job.test.ts': 13,
  'test/e2e/engines.test.ts': 12,
  'src/server/payments/evm/anvil.test.ts': 12,
  'src/server/commands/snapshot.test.ts': 12,
  'contracts/contracts.process.test.ts': 11,
  'test/e2e/steps-counted.test.ts': 11,
  'src/server/http/orders.test.ts': 11,
  'src/server/escrows/escrow-orders.test.ts': 11,
  'test/e2e/late-payment.test.ts': 10,
  'test/e2e/perks.test.ts': 10,
  'src/server/payments/bitcoin/lying-node.test.ts': 9,
  'test/e2e/refund.test.ts': 9,
  'test/e2e/operator-rate-sources.test.ts': 9,
}

/** Durations of files that mostly wait: for blocks, a disk, a clock, or a program. */
const waiting: Readonly<Record<string, number>> = {
  'src/server/payments/bitcoin/litecoin.test.ts': 71,
  'test/scenarios/failover.process.test.ts': 70,
  'test/scenarios/crash.process.test.ts': 59,
  'src/server/payments/watchers.test.ts': 57,
  'test/scenarios/kill.process.test.ts': 38,
  'src/server/main.process.test.ts': 38,
  'src/server/database/embedded.test.ts': 34,
  'src/server/commands/commands.process.test.ts': 33,
  'src/server/payments/evm/lying-node.test.ts': 29,
  'src/server/database/replica.test.ts': 24,
  'src/server/payments/chain-nodes.test.ts': 20,
  'src/server/rates/rate-sources.test.ts': 9,
}

/**
 * Projects run one after another, heaviest first. The one with the most short files is last, so that the
 * cores finish together.
 */
const projects = ['e2e', 'programs', 'unit', 'embedded', 'external']

const secondsOf = (table: Readonly<Record<string, number>>, { moduleId }: TestSpecification) =>
  Object.entries(table).find(([end]) => moduleId.endsWith(end))?.[1]

/** Starts with `lanes` in parallel; unmeasured files count as a second. */
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
 * Sorts files so that no long one is left at the end. Files that mostly wait run beside the projects in the
 * third process.
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
