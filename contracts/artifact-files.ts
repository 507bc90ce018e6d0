import { concatHex, encodeAbiParameters, getContractAddress, type Hex, zeroHash } from 'viem'
import { type Artifact, type ContractName, compile, standardInput } from './compiler.ts'

/** The deployer has the same address on every EVM chain; a contract's address follows from salt and code. */
export const KEYLESS_DEPLOYER = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

/** The ABI as a constant from which viem infers types. */
function abiConstant({ contractName, abi }: Artifact): string {
  const name = `${contractName.charAt(0).toLowerCase()}${contractName.slice(1)}Abi`
  return `export const ${name} = ${JSON.stringify(abi)} as const\n`
}

/** Calls for the keyless deployer, with salt 0. */
export function factoryDeployments(artifacts: readonly Artifact[]) {
  const code = (name: ContractName): Hex => {
    const found = artifacts.find((one) => one.contractName === name)
    if (!found) throw new Error(`${name} has no artifact`)
    return found.bytecode
  }
  const placed = (initCode: Hex) => ({
    address: getContractAddress({
      opcode: 'CREATE2',
      from: KEYLESS_DEPLOYER,
      salt: zeroHash,
      bytecode: initCode,
    }),
    initCode,
  })
  const TokenFactory = placed(code('TokenFactory'))
  const argument = encodeAbiParameters([{ type: 'address' }], [TokenFactory.address])
  return {
    TokenFactory,
    EscrowFactory: placed(concatHex([code('EscrowFactory'), argument])),
    DistributorFactory: placed(concatHex([code('DistributorFactory'), argument])),
  }
}

/** Files by name, compiled from the sources. */
export function artifactFiles(): Map<string, string> {
  const input = standardInput()
  const artifacts = compile(input)
  const deployments = Object.entries(factoryDeployments(artifacts))
  return new Map([
    ...artifacts.map((one): [string, string] => [`${one.contractName}.json`, written(one)]),
    ['standard-input.json', written(input)],
    [
      'factories.json',
      written({
        deployer: KEYLESS_DEPLOYER,
        salt: zeroHash,
        addresses: Object.fromEntries(deployments.map(([name, { address }]) => [name, address])),
      }),
    ],
    ['abi.ts', `// Made by npm run contracts.\n${artifacts.map(abiConstant).join('')}`],
  ])
}

function written(value: unknown): string {
  return `${JSON.stringify(value, null, 1)}\n`
}
