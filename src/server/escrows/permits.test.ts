import { encodeAbiParameters, type Hex, hashStruct, keccak256, toHex } from 'viem'
import { expect, test } from 'vitest'
import { permitOf } from './permits.ts'

const terms = {
  asset: `0x${'a'.repeat(40)}`,
  payer: `0x${'b'.repeat(40)}`,
  contract: `0x${'c'.repeat(40)}`,
  amount: 5n,
  chainId: 1,
} as const

const text = (said: string) => encodeAbiParameters([{ type: 'string' }], [said])
const word = (number: bigint) => toHex(number, { size: 32 })

function separatorOf(version: string, chainId = 1n): Hex {
  const EIP712Domain = [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ]
  const data = { name: 'USD Coin', version, chainId, verifyingContract: terms.asset }
  return hashStruct({ data, primaryType: 'EIP712Domain', types: { EIP712Domain } })
}

const TYPE = keccak256(
  toHex('Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)'),
)
/** What Circle's token answers: code of the payer, nonce, domain separator, name, version, type hash. */
const USDC: readonly (Hex | null)[] = ['0x', word(3n), separatorOf('2'), text('USD Coin'), text('2'), TYPE]

test.each<[string, readonly (Hex | null)[], { version: string; nonce: bigint } | null]>([
  ['a token with a version', USDC, { version: '2', nonce: 3n }],
  [
    'one that says its version nowhere',
    USDC.with(2, separatorOf('1')).with(4, null).with(5, null),
    { version: '1', nonce: 3n },
  ],
  ['an account that has lent itself to a contract', USDC.with(0, '0xef0100aa'), { version: '2', nonce: 3n }],
  ['a contract that pays', USDC.with(0, '0x6001'), null],
  ['a node that does not say whether it is one', USDC.with(0, null), null],
  ['a token without nonces', USDC.with(1, null), null],
  ['a token without a domain', USDC.with(2, null), null],
  ['a domain of another network', USDC.with(2, separatorOf('2', 5n)), null],
  ['a domain of another version', USDC.with(4, text('1')), null],
  ['a permit of another form, as DAI has it', USDC.with(5, word(7n)), null],
  ['a name that is none', USDC.with(3, '0x'), null],
])('a permit is offered only where it is sure to be taken: %s [DELIVER-17]', (_what, answers, expected) => {
  const found = permitOf(terms, answers)
  expect(found && { version: found.version, nonce: found.nonce }).toEqual(expected)
})
