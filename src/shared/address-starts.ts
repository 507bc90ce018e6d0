import { isCore, networkFacts, type WalletFamily, type WalletScript, walletScriptsOf } from './networks.ts'

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** On a family's main network; empty if the family lacks the script. */
export function addressStarts(family: WalletFamily, script: WalletScript): string[] {
  if (!walletScriptsOf(family).includes(script)) return []
  if (family === 'evm' || !isCore(family)) return ['0x']
  const { segwit, pubKeyHash, scriptHash } = networkFacts[family].nets.main
  if (script === 'p2wpkh') return [`${segwit}1q`]
  return lettersOf(script === 'p2pkh' ? pubKeyHash : scriptHash)
}

/** The possible first letters of 25 bytes (version, hash, checksum) in base 58. */
function lettersOf(version: number): string[] {
  // A zero byte is written as 1.
  if (version === 0) return ['1']
  const ends = [BigInt(version) << 192n, (BigInt(version + 1) << 192n) - 1n]
  return [...new Set(ends.map(firstLetter))]
}

function firstLetter(value: bigint): string {
  let left = value
  while (left >= 58n) left /= 58n
  return BASE58.charAt(Number(left))
}
