// Applies each mutant and runs the tests: `npm run contracts:mutants`. Fails if no test notices a mutant.
// Arguments select mutants whose file, `find` or `replace` contains one of them.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ContractName, compile, contractNames, standardInput } from './compiler.ts'
import { forge } from './forge.ts'
import { type Mutant, mutants } from './mutants.ts'
import { writeTrees } from './trees.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const folder = 'node_modules/.cache/contracts/mutant'

/** A factory embeds its product's code, so its tests need all contracts. */
function contractsWith(file: string): readonly ContractName[] {
  if (file.endsWith('Factory.sol')) return contractNames
  return contractNames.filter(
    (name) => !name.endsWith('Factory') && file in standardInput(new Map(), [name]).sources,
  )
}

/** Writes the folder that the tests read. */
function writeMutant({ file, find, replace }: Mutant): void {
  const text = readFileSync(join(root, 'contracts', file), 'utf8')
  if (text.split(find).length !== 2) throw new Error(`${file} must contain once: ${find}`)
  const names = contractsWith(file)
  const input = standardInput(new Map([[file, text.replace(find, () => replace)]]), names)
  const settings = { ...input.settings, optimizer: { enabled: false } }
  rmSync(join(root, folder), { recursive: true, force: true })
  cpSync(join(root, 'contracts/artifacts'), join(root, folder), { recursive: true })
  for (const artifact of compile({ ...input, settings }, { isStrict: false, names }))
    writeFileSync(join(root, folder, `${artifact.contractName}.json`), JSON.stringify(artifact))
}

/** The test that fails; undefined if none does. A mutant that does not compile is an error. */
async function killerOf(mutant: Mutant): Promise<string | undefined> {
  writeMutant(mutant)
  const run = (...args: string[]) =>
    forge(['test', '--fail-fast', ...args], {
      environment: { CONTRACT_ARTIFACTS: folder, MUTATED: 'true', FOUNDRY_FUZZ_RUNS: '16' },
    })
  const isFactory = mutant.file.endsWith('Factory.sol')
  // The invariants are slow, so try the other tests first.
  const quick = isFactory
    ? await run('--match-contract', 'Factories')
    : await run('--no-match-contract', 'Factories|Invariants')
  const last = quick.code === 0 && !isFactory ? await run('--match-contract', 'Invariants') : quick
  return last.code === 0
    ? undefined
    : (/\[FAIL[\s\S]*?\b((?:test|testFuzz|invariant)_\w+)\(/.exec(last.output)?.[1] ?? last.output)
}

const shown = (text: string) => text.replaceAll(/\s+/g, ' ').trim() || 'nothing'

/** Each file must pass without a mutant. */
async function refuseFailingTests(): Promise<void> {
  for (const file of new Set(mutants.map((one) => one.file))) {
    const find = readFileSync(join(root, 'contracts', file), 'utf8')
    const killer = await killerOf({ file, find, replace: find })
    if (killer !== undefined) throw new Error(`${file} as it is: ${killer}`)
  }
}

writeTrees()
await refuseFailingTests()
const wanted = process.argv.slice(2)
const chosen = mutants.filter(
  (one) => wanted.length === 0 || wanted.some((text) => Object.values(one).join('\n').includes(text)),
)
let unnoticed = 0
for (const [index, mutant] of chosen.entries()) {
  const killer = await killerOf(mutant)
  if (killer === undefined) unnoticed += 1
  const verdict = killer ? `killed by ${killer}` : 'NOT NOTICED'
  console.log(
    `${index + 1}/${chosen.length} ${verdict}: ${mutant.file}: ${shown(mutant.find)} → ${shown(mutant.replace)}`,
  )
}
console.log(`${chosen.length} mutants, ${chosen.length - unnoticed} killed, ${unnoticed} not noticed`)
process.exitCode = unnoticed > 0 ? 1 : 0
