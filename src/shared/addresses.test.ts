import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'
import { encodeFunctionData, erc20Abi } from 'viem'
import { describe, expect, it } from 'vitest'
import {
  addressKeyOf,
  canonicalAddress,
  checkAddress,
  evmChecksum,
  looksLikePrivateKey,
  qrText,
  walletUri,
} from './addresses.ts'
import type { Network } from './networks.ts'
import { amountFromUnits, callOfUri, unitsFromAmount } from './wallet-links.ts'

const base58check = createBase58check(sha256)

const right: [Network, string][] = [
  // BIP 84, BIP 86 and BIP 173/350 vectors, and well-known addresses
  ['bitcoin', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'],
  ['bitcoin', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4'],
  ['bitcoin', 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr'],
  ['bitcoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['bitcoin', '37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf'],
  ['litecoin', 'ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh'],
  ['litecoin', 'LUWPbpM43E2p7ZSh8cyTBEkvpHmr3cB8Ez'],
  ['dogecoin', 'DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC'],
  ['ethereum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ['bsc', '0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359'],
  ['polygon', '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'],
  ['tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
  ['solana', 'So11111111111111111111111111111111111111112'],
  ['ripple', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'],
  ['ripple', 'rrrrrrrrrrrrrrrrrrrrBZbvji'],
]

const wrong: [Network, string, string][] = [
  ['bitcoin', '', 'empty'],
  ['bitcoin', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyv', 'checksum'],
  ['bitcoin', 'bc1Qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 'checksum'],
  // version 1 in bech32 instead of bech32m (BIP 350, invalid vectors)
  ['bitcoin', 'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4', 'checksum'],
  ['bitcoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb', 'checksum'],
  ['bitcoin', 'ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh', 'wrong_network'],
  ['bitcoin', 'LUWPbpM43E2p7ZSh8cyTBEkvpHmr3cB8Ez', 'wrong_network'],
  ['bitcoin', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'test_network'],
  ['bitcoin', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'malformed'],
  // Bitcoin's and Litecoin's old script addresses look the same: money would go to a script that nobody has
  ['litecoin', '37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf', 'wrong_network'],
  ['litecoin', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 'wrong_network'],
  ['dogecoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'wrong_network'],
  ['dogecoin', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 'wrong_network'],
  ['ethereum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD', 'checksum'],
  ['ethereum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeA', 'malformed'],
  ['ethereum', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'wrong_network'],
  ['tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u', 'checksum'],
  ['tron', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'wrong_network'],
  ['solana', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'wrong_network'],
  ['solana', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'malformed'],
  ['ripple', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTi', 'checksum'],
  ['ripple', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'wrong_network'],
  ['other', 'abc', 'malformed'],
]

/** Every spelling of an address that `checkAddress` takes. On Solana, which has no checksum, other letters are another address. */
const spellings = (network: Network, address: string): string[] => {
  const cases = network === 'solana' ? [] : [address.toLowerCase(), address.toUpperCase().replace('0X', '0x')]
  return [address, ` ${address} `, ...cases].filter((text) => checkAddress(network, text) === null)
}

describe('addressKeyOf', () => {
  it.each(right)(
    'gives each spelling of a %s address %s one key, and keeps it in one',
    (network, address) => {
      const all = spellings(network, address)
      expect(all.length).toBeGreaterThan(1)
      expect(new Set(all.map((text) => addressKeyOf(network, text))).size).toBe(1)
      const [kept, ...others] = new Set(all.map((text) => canonicalAddress(network, text)))
      expect(others).toEqual([])
      expect(checkAddress(network, kept ?? '')).toBeNull()
      expect(addressKeyOf(network, kept ?? '')).toBe(addressKeyOf(network, address))
    },
  )
  it('gives a script address of Litecoin’s test network one key, by its old and by its new version byte', () => {
    const [old, now] = [0xc4, 0x3a].map((version) =>
      base58check.encode(Uint8Array.of(version, ...new Uint8Array(20))),
    )
    expect([old?.[0], addressKeyOf('litecoin', old ?? '')]).toEqual(['2', now])
  })
})

describe('checkAddress', () => {
  it.each(right)('takes a %s address %s', (network, address) => {
    expect(checkAddress(network, address)).toBeNull()
  })
  it.each(wrong)('refuses on %s: %s [WALLET-1]', (network, address, problem) => {
    expect(checkAddress(network, address)).toBe(problem)
  })
  it('takes a test network only where asked', () => {
    const address = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
    expect(checkAddress('bitcoin', address)).toBe('test_network')
    expect(checkAddress('bitcoin', address, { testnet: true })).toBeNull()
  })
  it('refuses a private key in place of an address [WALLET-2]', () => {
    expect(checkAddress('bitcoin', '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ')).toBe('private_key')
    expect(checkAddress('other', `0x${'1f'.repeat(32)}`)).toBe('private_key')
  })
  it('writes the EIP-55 form', () => {
    for (const address of [
      '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
      '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    ]) {
      expect(evmChecksum(address.toLowerCase())).toBe(address)
    }
  })
})

describe('looksLikePrivateKey', () => {
  const master =
    'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi'
  it.each([
    [`0x${'ab'.repeat(32)}`, 'hex_key'],
    ['AB'.repeat(32), 'hex_key'],
    ['5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ', 'wif'],
    ['KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617', 'wif'],
    ['T8VWmLiAJ5a9YGvVpQCVmSxvKZwSFJvtYfQ6xG4uBM2JDvKtWrF5', 'wif'],
    ['6PRVWUbkzzsbcVac2qwfssoUJAN1Xhrg6bNk8J7Nzm5H7kxEbn2Nh2ZoGg', 'encrypted_key'],
    [master, 'extended_key'],
    [`wpkh([d34db33f/84h/0h/0h]${master}/0/*)`, 'extended_key'],
    [master.replace('xprv', 'zprv'), 'extended_key'],
    [master.replace('xprv', 'dgpv'), 'extended_key'],
    [
      'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about',
      'seed_phrase',
    ],
    ['  Legal winner thank year wave sausage worth useful legal winner thank yellow\n', 'seed_phrase'],
    [
      'あいこくしん　あいこくしん　あいこくしん　あいこくしん　あいこくしん　あいこくしん　あいこくしん　あいこくしん　あいこくしん　あいこくしん　あいこくしん　あおぞら',
      'seed_phrase',
    ],
    ['snoPBrXtMeMyMHUVTgbuqAfg1SUTb', 'seed'],
    [`[${Array.from({ length: 64 }, (_, index) => index).join(',')}]`, 'hex_key'],
    ['-----BEGIN EC PRIVATE KEY-----', 'key_file'],
  ])('recognises %s', (text, kind) => {
    expect(looksLikePrivateKey(text)).toBe(kind)
  })
  it.each([
    ...right.map(([, address]) => address),
    'xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8',
    'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs',
    'iToken',
    'A wallet of the club, kept by two of us',
    '',
  ])('leaves alone %s', (text) => {
    expect(looksLikePrivateKey(text)).toBeNull()
  })
})

describe('wallet links', () => {
  const evm = {
    network: 'ethereum',
    code: 'ETH',
    address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  } as const
  const contract = '0xdAC17F958D2ee523a2206206994597C13D831ec7'

  it('follows BIP 21', () => {
    const request = {
      network: 'bitcoin',
      code: 'BTC',
      address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
      amount: '0.250000',
    } as const
    expect(walletUri(request)).toBe('bitcoin:bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu?amount=0.25')
    expect(qrText(request)).toBe(walletUri(request))
    expect(walletUri({ ...request, amount: '100' })).toContain('?amount=100')
  })
  it('follows EIP-681 for a coin and for a token', () => {
    expect(walletUri({ ...evm, amount: '0.05' })).toBe(`ethereum:${evm.address}@1?value=50000000000000000`)
    expect(walletUri({ ...evm, chainId: 31337, amount: '1' })).toBe(
      `ethereum:${evm.address}@31337?value=1000000000000000000`,
    )
    expect(
      walletUri({ ...evm, code: 'USDT', amount: '180.5', tokenContract: contract, coinDecimals: 6 }),
    ).toBe(`ethereum:${contract}@1/transfer?address=${evm.address}&uint256=180500000`)
  })
  it('are the transaction that a wallet of the browser sends', () => {
    const coin = walletUri({ ...evm, chainId: 31337, amount: '0.05' })
    expect(callOfUri(coin)).toEqual({
      chainId: 31337,
      to: evm.address,
      data: '0x',
      value: '50000000000000000',
    })
    const token = { ...evm, code: 'USDT', amount: '180.5', tokenContract: contract, coinDecimals: 6 } as const
    expect(callOfUri(walletUri(token))).toEqual({
      chainId: 1,
      to: contract,
      data: encodeFunctionData({
        abi: erc20Abi,
        functionName: 'transfer',
        args: [evm.address, 180_500_000n],
      }).toLowerCase(),
      value: '0',
    })
    expect(callOfUri(null)).toBeNull()
    expect(callOfUri('bitcoin:bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu?amount=0.25')).toBeNull()
  })
  it('puts the plain address of a token into the QR code', () => {
    expect(qrText({ ...evm, code: 'USDT', amount: '180', tokenContract: contract, coinDecimals: 6 })).toBe(
      evm.address,
    )
  })
  it('never asks for the network’s own coin in the place of a token whose contract is not known', () => {
    for (const request of [
      { ...evm, code: 'USDT', amount: '180' },
      { ...evm, network: 'bsc', code: 'ETH', amount: '1' },
    ] as const) {
      expect(walletUri(request)).toBeNull()
      expect(qrText(request)).toBe(evm.address)
    }
    expect(walletUri({ ...evm, network: 'polygon', code: 'POL', amount: '1' })).toContain('@137?value=')
  })
  it('has no link where a network has none or the decimals are unknown', () => {
    expect(walletUri({ ...evm, code: 'X', amount: '1', tokenContract: contract })).toBeNull()
    expect(
      walletUri({ network: 'tron', code: 'TRX', address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', amount: '1' }),
    ).toBeNull()
    expect(walletUri({ ...evm, address: '', amount: '1' })).toBeNull()
  })
  it('turns amounts into units and back without loss', () => {
    expect(unitsFromAmount('0.000001', 18)).toBe(1_000_000_000_000n)
    expect(unitsFromAmount('1.0000001', 6)).toBeNull()
    expect(unitsFromAmount('1e3', 6)).toBeNull()
    expect(amountFromUnits(180_500_000n, 6)).toBe('180.5')
    expect(amountFromUnits(1n, 18)).toBe('0.000000000000000001')
    expect(amountFromUnits(12n, 0)).toBe('12')
  })
})
