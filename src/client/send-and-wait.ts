import { addressOf, type BrowserWallet, sendCall, untilMined, type WalletCall } from './browser-wallet.ts'

/** The result of sending; without a hash nothing was sent. */
interface Sent {
  readonly hash?: string
  /** The owner chose another account than the required one. */
  readonly isOther?: boolean
  readonly isDone?: boolean
}

/**
 * Sends a transaction from the chosen account, which must be `only` if given, and waits until it is mined.
 */
export async function sendAndWait(
  wallet: BrowserWallet,
  call: WalletCall,
  only: string | undefined,
  onSent: (hash: string) => void,
  signal = new AbortController().signal,
): Promise<Sent> {
  const from = await addressOf(wallet)
  if (!from) return {}
  if (only && from.toLowerCase() !== only.toLowerCase()) return { isOther: true }
  const hash = await sendCall(wallet, from, call)
  onSent(hash)
  return { hash, isDone: await untilMined(wallet, hash, signal) }
}
