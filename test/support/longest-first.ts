import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Seconds that the long files took on two cores. A file that is not here is short, and its place does not matter. */
const seconds: Readonly<Record<string, number>> = {
  'test/e2e/operator-looks.ru.test.ts': 110,
  'test/e2e/every-route.operator.test.ts': 105,
  'test/e2e/every-route.buyer.test.ts': 80,
  'test/e2e/every-route.visitor.test.ts': 80,
  'test/e2e/buyer.test.ts': 80,
  'test/e2e/operator-looks.en.test.ts': 75,
  'test/e2e/operator.test.ts': 60,
  'test/e2e/public.test.ts': 55,
  'test/e2e/script-budget.test.ts': 50,
  'src/server/database/embedded.test.ts': 60,
  'test/scenarios/kill.process.test.ts': 60,
  'src/server/main.process.test.ts': 45,
  'test/scenarios/crash.process.test.ts': 40,
  'src/server/payments/bitcoin/litecoin.test.ts': 40,
  'src/server/campaign/edit-campaign.test.ts': 25,
  'src/server/payments/evm/anvil.test.ts': 25,
}

/** The long files first, of whatever project, so that no long one is left to one core at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- vitest's own order, in a new array
    const ordered = await super.sort(files)
    const group = ({ project }: TestSpecification) => project.config.sequence.groupOrder
    const length = ({ moduleId }: TestSpecification) =>
      Object.entries(seconds).find(([end]) => moduleId.endsWith(end))?.[1] ?? 0
    return ordered.toSorted((a, b) => group(a) - group(b) || length(b) - length(a))
  }
}
