import { pbkdf2Sync } from 'node:crypto'
import { HDKey } from '@scure/bip32'

/** The BIP 39 seed of a public test phrase. */
export function seedOf(phrase: string): Uint8Array {
  return new Uint8Array(pbkdf2Sync(phrase.normalize('NFKD'), 'mnemonic', 2048, 64, 'sha512'))
}

export const ABANDON =
  'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'
export const JUNK = 'test test test test test test test test test test test junk'

const versions = {
  xpub: { private: 0x0488ade4, public: 0x0488b21e },
  ypub: { private: 0x049d7878, public: 0x049d7cb2 },
  zpub: { private: 0x04b2430c, public: 0x04b24746 },
  tpub: { private: 0x04358394, public: 0x043587cf },
  vpub: { private: 0x045f18bc, public: 0x045f1cf6 },
  Ltub: { private: 0x019d9cfe, public: 0x019da462 },
  Mtub: { private: 0x01b26792, public: 0x01b26ef6 },
  dgub: { private: 0x02fac398, public: 0x02facafd },
}

/** The account at `path`, with a wallet's version bytes. */
export function accountOf(phrase: string, path: string, version: keyof typeof versions): HDKey {
  return HDKey.fromMasterSeed(seedOf(phrase), versions[version]).derive(path)
}
