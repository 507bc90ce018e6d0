import { expect, test } from 'vitest'
import { isFromNow, walletMovesIn } from './wallet-moves.ts'

test.each([
  ['a new currency', { currency: 'PEPE', address: '0x1', rate: '2' }, [['PEPE', '— → 0x1']]],
  ['another address', { currency: 'PEPE', before: '0x1', address: '0x2' }, [['PEPE', '0x1 → 0x2']]],
  [
    'another network',
    { currency: 'PEPE', before: '0x1', address: '0x1', network: 'ethereum → base' },
    [['PEPE', '0x1 → 0x1; ethereum → base']],
  ],
  ['a rate alone', { currency: 'PEPE', rate: '1 → 9' }, []],
  [
    'two of three at once',
    {
      'ETH before': '0x1',
      'ETH address': '0x2',
      'LTC rate': '1 → 9',
      'BTC before': '',
      'BTC address': 'bc1',
    },
    [
      ['ETH', '0x1 → 0x2'],
      ['BTC', '— → bc1'],
    ],
  ],
  [
    'a wallet',
    { currency: 'PEPE', before: '0x1', wallet: 'Desk (#1)', addresses: '0x3, 0x4', key: 'xpub' },
    [['PEPE', '0x1 → Desk (#1): 0x3, 0x4']],
  ],
])('says where %s is paid to', (_, summary, moves) => {
  const found = walletMovesIn('PEPE', summary as Record<string, string>)
  expect(found.map(({ subject, detail }) => [subject, detail])).toEqual(moves)
})

test.each([
  ['currency.update', '0x1', { address: '0x1', watched: false }, true],
  ['currency.update', '0x1', { address: '0x2', watched: false }, false],
  ['currency.update', '0x1', { address: '0x1', watched: true }, false],
  ['currency.update', '', undefined, false],
  ['currency.wallet', '0x1', { address: '0x1', watched: false }, true],
  ['currency.wallet', '0x1', { address: '0x2', watched: false }, false],
  ['currency.wallet', 'Desk (#1)', { address: '0x1', watched: true }, true],
  ['currency.wallet', '0x1', { address: '0x1', watched: true }, false],
  ['currency.add', '', undefined, true],
  ['currency.evm-wallet', 'ETH: 0x1', undefined, true],
] as const)('knows whether %s moves from %j, where %j is what stands', (kind, from, now, stands) => {
  expect(isFromNow(kind, from, now)).toBe(stands)
})
