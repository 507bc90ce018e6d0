import { expect, test } from 'vitest'
import { addressStarts } from './address-starts.ts'

test.each([
  ['bitcoin', 'p2wpkh', ['bc1q']],
  ['bitcoin', 'p2sh-p2wpkh', ['3']],
  ['bitcoin', 'p2pkh', ['1']],
  ['litecoin', 'p2wpkh', ['ltc1q']],
  ['litecoin', 'p2sh-p2wpkh', ['M']],
  ['litecoin', 'p2pkh', ['L']],
  ['dogecoin', 'p2pkh', ['D']],
  ['dogecoin', 'p2wpkh', []],
  ['evm', 'evm', ['0x']],
  ['evm', 'p2pkh', []],
] as const)('the row of %s says how its %s addresses begin: %j', (family, script, starts) => {
  expect(addressStarts(family, script)).toEqual(starts)
})
