import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Abi, Hex } from 'viem'

const require = createRequire(import.meta.url)
const folder = dirname(fileURLToPath(import.meta.url))

/** Contracts, each in a file of its name. */
export const contractNames = [
  'SaleToken',
  'SaleEscrow',
  'Distributor',
  'TokenFactory',
  'EscrowFactory',
  'DistributorFactory',
] as const
export type ContractName = (typeof contractNames)[number]

/** A block explorer repeats the compilation with it. */
export interface StandardInput {
  readonly language: 'Solidity'
  readonly sources: Record<string, { readonly content: string }>
  readonly settings: Record<string, unknown>
}

export interface Artifact {
  readonly contractName: ContractName
  readonly sourceName: string
  readonly compiler: string
  readonly abi: Abi
  readonly bytecode: Hex
  readonly deployedBytecode: Hex
  /** Places filled by the constructor, by the immutable's id. */
  readonly immutableReferences: Record<string, readonly { readonly start: number; readonly length: number }[]>
  readonly metadata: string
}

interface CompilerOutput {
  readonly errors?: readonly {
    readonly severity: string
    readonly errorCode?: string
    readonly formattedMessage: string
  }[]
  readonly contracts?: Record<string, Record<string, CompiledContract>>
}

interface CompiledContract {
  readonly abi: Abi
  readonly metadata: string
  readonly evm: {
    readonly bytecode: { readonly object: string }
    readonly deployedBytecode: {
      readonly object: string
      readonly immutableReferences: Artifact['immutableReferences']
    }
  }
}

/** The warning about transient storage; ours is OpenZeppelin's guard, which clears it. */
const KNOWN_WARNINGS = new Set(['2394'])

/** Mutants skip the optimiser for speed. */
const SETTINGS = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 10_000 },
  metadata: { bytecodeHash: 'ipfs', useLiteralContent: false },
  outputSelection: {
    '*': {
      '*': [
        'abi',
        'metadata',
        'evm.bytecode.object',
        'evm.deployedBytecode.object',
        'evm.deployedBytecode.immutableReferences',
      ],
    },
  },
}

/** Contracts with their imports, sorted by name; `changed` replaces files. */
export function standardInput(
  changed: ReadonlyMap<string, string> = new Map(),
  names: readonly ContractName[] = contractNames,
): StandardInput {
  const texts = new Map<string, string>()
  const waiting = names.map((name) => `src/${name}.sol`)
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (texts.has(name)) continue
    const text = changed.get(name) ?? readFileSync(pathOf(name), 'utf8')
    texts.set(name, text)
    for (const [, imported = ''] of text.matchAll(/^import[^"]*"([^"]+)";/gm))
      waiting.push(imported.startsWith('.') ? posix.join(posix.dirname(name), imported) : imported)
  }
  const sorted = [...texts].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return {
    language: 'Solidity',
    sources: Object.fromEntries(sorted.map(([name, content]) => [name, { content }])),
    settings: SETTINGS,
  }
}

function pathOf(name: string): string {
  return name.startsWith('src/') ? join(folder, name) : require.resolve(name)
}

/** Throws on any error, and on warnings if `isStrict`. */
export function compile(
  input: StandardInput,
  { isStrict = true, names = contractNames as readonly ContractName[] } = {},
): Artifact[] {
  const solc = require('solc') as { compile(input: string): string; version(): string }
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as CompilerOutput
  const problems = (output.errors ?? []).filter(
    ({ severity, errorCode = '' }) =>
      severity === 'error' || (isStrict && severity === 'warning' && !KNOWN_WARNINGS.has(errorCode)),
  )
  if (problems.length > 0) throw new Error(problems.map((one) => one.formattedMessage).join('\n'))
  return names.map((contractName) => {
    const sourceName = `src/${contractName}.sol`
    const contract = output.contracts?.[sourceName]?.[contractName]
    if (!contract) throw new Error(`${contractName} was not compiled`)
    return {
      contractName,
      sourceName,
      compiler: solc.version().replace('.Emscripten.clang', ''),
      abi: contract.abi,
      bytecode: `0x${contract.evm.bytecode.object}`,
      deployedBytecode: `0x${contract.evm.deployedBytecode.object}`,
      immutableReferences: contract.evm.deployedBytecode.immutableReferences,
      metadata: contract.metadata,
    }
  })
}
