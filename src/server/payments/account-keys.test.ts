import { describe, expect, it } from 'vitest'
import { ABANDON, accountOf, JUNK } from '../../../test/chains/account-keys.ts'
import { refused } from '../../../test/support/outcomes.ts'
import { checkAddress } from '../../shared/addresses.ts'
import { addressAt, ownScripts, readAccountKey } from './account-keys.ts'

const publicOf = (path: string, version: Parameters<typeof accountOf>[2], phrase = ABANDON) =>
  accountOf(phrase, path, version).publicExtendedKey

describe('derivation', () => {
  it('agrees with the vectors of BIP 84', () => {
    const zpub =
      'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs'
    expect(publicOf("m/84'/0'/0'", 'zpub')).toBe(zpub)
    const account = readAccountKey(zpub, { family: 'bitcoin', net: 'main' })
    expect(account).toMatchObject({ script: 'p2wpkh', family: 'bitcoin', net: 'main' })
    expect(addressAt(account, 0)).toBe('bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu')
    expect(addressAt(account, 1)).toBe('bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g')
  })

  it('agrees with the known BIP 44 and BIP 49 addresses of the same phrase', () => {
    const legacy = readAccountKey(publicOf("m/44'/0'/0'", 'xpub'), { family: 'bitcoin', net: 'main' })
    expect(addressAt(legacy, 0)).toBe('1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA')
    const nested = readAccountKey(publicOf("m/49'/0'/0'", 'ypub'), { family: 'bitcoin', net: 'main' })
    expect(addressAt(nested, 0)).toBe('37VucYSaXLCAsxYyAPfbSi9eh4iEcbShgf')
  })

  it('agrees with known Litecoin, Dogecoin and EVM addresses', () => {
    const segwit = readAccountKey(publicOf("m/84'/2'/0'", 'zpub'), { family: 'litecoin', net: 'main' })
    expect(addressAt(segwit, 0)).toBe('ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh')
    const legacy = readAccountKey(publicOf("m/44'/2'/0'", 'Ltub'), { family: 'litecoin', net: 'main' })
    expect(addressAt(legacy, 0)).toBe('LUWPbpM43E2p7ZSh8cyTBEkvpHmr3cB8Ez')
    const doge = readAccountKey(publicOf("m/44'/3'/0'", 'dgub'), { family: 'dogecoin', net: 'main' })
    expect(addressAt(doge, 0)).toBe('DBus3bamQjgJULBJtYXpEzDWQRwF5iwxgC')
    const evm = readAccountKey(publicOf("m/44'/60'/0'", 'xpub', JUNK), { family: 'evm', net: 'main' })
    expect(addressAt(evm, 0)).toBe('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')
    expect(addressAt(evm, 1)).toBe('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
    // One level deeper, as some wallets export it, gives the same addresses.
    const deeper = readAccountKey(publicOf("m/44'/60'/0'/0", 'xpub', JUNK), { family: 'evm', net: 'main' })
    expect(addressAt(deeper, 1)).toBe(addressAt(evm, 1))
  })

  it('gives addresses that each network’s check takes, for a thousand indexes', () => {
    const account = readAccountKey(publicOf("m/84'/2'/0'", 'zpub'), { family: 'litecoin', net: 'main' })
    const addresses = Array.from({ length: 1000 }, (_, index) => addressAt(account, index))
    expect(new Set(addresses).size).toBe(1000)
    expect(addresses.filter((address) => checkAddress('litecoin', address) !== null)).toEqual([])
  })

  it('knows where a key lies below its master key [REFUND-3]', () => {
    const key = publicOf("m/84'/0'/0'", 'zpub')
    const want = { family: 'bitcoin', net: 'main' } as const
    const account = readAccountKey(`[73C5DA0A/84h/0'/0h]${key}`, want)
    expect(account).toMatchObject({ origin: "73c5da0a/84'/0'/0'" })
    const hard = 0x80000000
    const path = (index: number, branch?: number) =>
      ownScripts({ ...account, family: 'bitcoin' }, index, branch).bip32Derivation[0]?.[1]
    expect(path(7)).toEqual({ fingerprint: 0x73c5da0a, path: [84 + hard, hard, hard, 0, 7] })
    expect(path(0, 1)).toEqual({ fingerprint: 0x73c5da0a, path: [84 + hard, hard, hard, 1, 0] })
    const alone = ownScripts({ ...readAccountKey(key, want), family: 'bitcoin' }, 7).bip32Derivation[0]
    expect(alone?.[1].path).toEqual([0, 7])
    expect(() => readAccountKey(`[73c5da0a/84'/0']${key}`, want)).toThrow(refused('account_key_invalid'))
  })

  it('takes no key of the buyers’ chain where change would go to it [REFUND-3]', () => {
    const want = { family: 'bitcoin', net: 'main' } as const
    expect(() => readAccountKey(publicOf("m/84'/0'/0'/0", 'zpub'), want)).toThrow(
      refused('account_key_invalid'),
    )
  })

  it('uses the script that is asked for where a wallet exports every account as xpub', () => {
    const account = readAccountKey(publicOf("m/84'/0'/0'", 'xpub'), {
      family: 'bitcoin',
      net: 'main',
      script: 'p2wpkh',
    })
    expect(addressAt(account, 0)).toBe('bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu')
  })
})

describe('an account key', () => {
  const zpub = publicOf("m/84'/0'/0'", 'zpub')
  const bitcoin = { family: 'bitcoin', net: 'main' } as const

  it.each([
    ['an extended private key', accountOf(ABANDON, "m/84'/0'/0'", 'zpub').privateExtendedKey],
    ['a seed phrase', ABANDON],
    ['a WIF key', 'KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617'],
    ['a hex key', 'ab'.repeat(32)],
  ])('that is %s is recognised and refused', (_, text) => {
    expect(() => readAccountKey(text, bitcoin)).toThrow(refused('private_key_refused'))
  })

  it('with a typo, of the wrong depth or of no kind is refused', () => {
    expect(() => readAccountKey(`${zpub.slice(0, -1)}t`, bitcoin)).toThrow(refused('account_key_invalid'))
    expect(() => readAccountKey(accountOf(ABANDON, 'm', 'xpub').publicExtendedKey, bitcoin)).toThrow(
      refused('account_key_invalid'),
    )
    expect(() => readAccountKey('bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', bitcoin)).toThrow(
      refused('account_key_invalid'),
    )
  })

  it('of the chain that takes payments is for EVM alone: elsewhere change would go to a buyer [WALLET-9]', () => {
    const deeper = publicOf("m/84'/0'/0'/0", 'zpub')
    expect(() => readAccountKey(deeper, bitcoin)).toThrow(refused('account_key_invalid'))
    const evm = readAccountKey(publicOf("m/44'/60'/0'/0", 'xpub'), { family: 'evm', net: 'main' })
    expect(addressAt(evm, 0)).toBe(
      addressAt(readAccountKey(publicOf("m/44'/60'/0'", 'xpub'), { family: 'evm', net: 'main' }), 0),
    )
    const kept = { family: 'bitcoin', script: 'p2wpkh', net: 'main', key: evm.key } as const
    expect(() => addressAt(kept, 0, 1)).toThrow(refused('account_key_invalid'))
  })

  it('of another coin or network is refused', () => {
    expect(() => readAccountKey(publicOf("m/44'/3'/0'", 'dgub'), bitcoin)).toThrow(
      refused('account_key_network'),
    )
    expect(() => readAccountKey(zpub, { family: 'bitcoin', net: 'test' })).toThrow(
      refused('account_key_network'),
    )
    expect(() => readAccountKey(publicOf("m/84'/1'/0'", 'vpub'), bitcoin)).toThrow(
      refused('account_key_network'),
    )
    expect(() =>
      readAccountKey(publicOf("m/44'/3'/0'", 'dgub'), { family: 'dogecoin', net: 'main', script: 'p2wpkh' }),
    ).toThrow(refused('account_key_invalid'))
  })
})
