import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Hex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { startAnvil } from '../test/chains/processes.ts'
import { artifactFiles } from './artifact-files.ts'
import { type Artifact, type ContractName, contractNames } from './compiler.ts'
import { forge } from './forge.ts'
import { measureGas } from './gas.ts'
import { mutants } from './mutants.ts'
import { writeTrees } from './trees.ts'

const folder = new URL('./artifacts/', import.meta.url)
const SNAPSHOT = new URL('./gas.json', import.meta.url)
const BUSY_MS = 110_000

/** The highest figures that are promised to buyers and sellers. */
const GAS_MAX: Record<string, number> = {
  'pay native': 96_000,
  'pay ERC-20': 120_000,
  'deliver, 20 orders': 70_000,
  'deliver, 60 orders': 70_000,
  claim: 75_000,
  'claim, later': 56_000,
  'distributor: claimMany, each of 100': 62_000,
  'refund native': 60_000,
  'refund ERC-20': 73_000,
}

function artifactOf(name: ContractName): Artifact {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'))
}

/** Forge's last line of counts; a run that found no test has none. */
function passedIn(output: string): number {
  return Number(/: (\d+) tests passed, 0 failed, 0 skipped/.exec(output)?.[1] ?? 0)
}

describe('the committed artifacts', () => {
  test('are what the sources compile to', { timeout: BUSY_MS }, () => {
    const made = artifactFiles()
    expect(readdirSync(folder).toSorted()).toEqual([...made.keys()].toSorted())
    const stale = [...made].filter(([name, text]) => readFileSync(new URL(name, folder), 'utf8') !== text)
    expect(
      stale.map(([name]) => name),
      'Fix: npm run contracts',
    ).toEqual([])
  })

  test('fit on every chain', () => {
    for (const name of contractNames) {
      const { deployedBytecode, bytecode } = artifactOf(name)
      expect((deployedBytecode.length - 2) / 2, `${name}, EIP-170`).toBeLessThanOrEqual(24_576)
      expect((bytecode.length - 2) / 2, `${name}, EIP-3860`).toBeLessThanOrEqual(49_152)
    }
  })
})

test('docs/delivery.md names tests that are there', () => {
  const document = readFileSync(new URL('../docs/delivery.md', import.meta.url), 'utf8')
  const named = new Set(document.match(/\b(?:test|testFuzz|invariant)_\w+/g))
  const tests = new URL('./test/', import.meta.url)
  const texts = readdirSync(tests)
    .filter((name) => name.endsWith('.t.sol'))
    .map((name) => readFileSync(new URL(name, tests), 'utf8'))
  expect(named.size).toBeGreaterThan(25)
  expect([...named].filter((name) => !texts.some((text) => text.includes(`function ${name}(`)))).toEqual([])
})

test('every mutant still fits the line that it changes', () => {
  const sources = new URL('./', import.meta.url)
  const lost = mutants.filter(
    ({ file, find }) => readFileSync(new URL(file, sources), 'utf8').split(find).length !== 2,
  )
  expect(lost).toEqual([])
})

describe('forge', () => {
  beforeAll(() => {
    writeTrees()
  })

  test('every test of the contracts passes', { timeout: BUSY_MS }, async () => {
    // One thread: beside the other tests, one a core would leave them too little of the machine to keep their own times.
    const { code, output } = await forge(['test', '--threads', '1'])
    expect(code, output).toBe(0)
    expect(passedIn(output)).toBeGreaterThan(150)
  })
})

test('gas is as the snapshot says, and within what is promised', { timeout: BUSY_MS }, async () => {
  const anvil = await startAnvil({ args: ['--timestamp', '1800000000', '--gas-limit', '30000000'] })
  try {
    const codes = Object.fromEntries(
      contractNames.map((name): [ContractName, Hex] => [name, artifactOf(name).bytecode]),
    ) as Record<ContractName, Hex>
    const figures = await measureGas(anvil.url, codes)
    if (process.env['UPDATE_GAS']) writeFileSync(SNAPSHOT, `${JSON.stringify(figures, null, 2)}\n`)
    expect(figures, 'Fix: UPDATE_GAS=1 npm test -- contracts').toEqual(
      JSON.parse(readFileSync(SNAPSHOT, 'utf8')),
    )
    const over = Object.entries(GAS_MAX).filter(([name, most]) => !((figures[name] ?? Infinity) <= most))
    expect(over.map(([name, most]) => `${name}: ${figures[name]}, at most ${most}`)).toEqual([])
  } finally {
    await anvil.stop()
  }
})
