import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Seconds that the long files took on two cores, each in a process of its own. A file that is not here is short, and its place does not matter. */
const seconds: Readonly<Record<string, number>> = {
  'test/e2e/operator-looks.en.test.ts': 78,
  'test/e2e/every-route.operator.test.ts': 78,
  'test/e2e/buyer.test.ts': 74,
  'test/e2e/operator.test.ts': 69,
  'test/e2e/operator-looks.ru.test.ts': 67,
  'test/e2e/every-route.buyer.test.ts': 63,
  'src/server/payments/watchers.test.ts': 63,
  'src/server/payments/bitcoin/litecoin.test.ts': 54,
  'test/e2e/public.test.ts': 53,
  'test/scenarios/crash.process.test.ts': 51,
  'test/scenarios/kill.process.test.ts': 51,
  'src/server/database/embedded.test.ts': 43,
  'test/e2e/keyboard.test.ts': 39,
  'test/scenarios/simulate.process.test.ts': 39,
  'test/e2e/script-budget.test.ts': 37,
  'test/e2e/every-route.visitor.test.ts': 30,
  'src/server/payments/evm/lying-node.test.ts': 28,
  'src/server/commands/commands.process.test.ts': 26,
  'src/server/main.process.test.ts': 22,
  'test/e2e/set-up.test.ts': 22,
  'test/e2e/operator-queue.test.ts': 20,
  'test/e2e/operator-access.test.ts': 20,
  'test/attacks/fuzzed-requests.test.ts': 18,
  'test/e2e/delivery-rounds.test.ts': 17,
  'test/e2e/operator-chains.test.ts': 17,
  'src/server/payments/random-chains.test.ts': 16,
  'test/e2e/operator-decisions.test.ts': 15,
  'contracts/contracts.process.test.ts': 14,
  'src/server/payments/settling.test.ts': 12,
  'src/server/payments/evm/anvil.test.ts': 12,
  'src/server/payments/bitcoin/lying-node.test.ts': 12,
  'test/e2e/operator-integrations.test.ts': 12,
  'test/e2e/operator-content.test.ts': 11,
}

/** A process that has loaded a project's modules goes on with that project alone: one project follows another, the heaviest first. */
const projects = ['e2e', 'programs', 'embedded', 'external', 'unit']

/** Project by project, the long files first, so that no long one is left to one core at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- vitest's own order, in a new array
    const ordered = await super.sort(files)
    const group = ({ project }: TestSpecification) => project.config.sequence.groupOrder
    const place = ({ project }: TestSpecification) => projects.indexOf(project.name)
    const length = ({ moduleId }: TestSpecification) =>
      Object.entries(seconds).find(([end]) => moduleId.endsWith(end))?.[1] ?? 0
    return ordered.toSorted((a, b) => group(a) - group(b) || place(a) - place(b) || length(b) - length(a))
  }
}
