import { addressOf, type BrowserWallet, sendCall, untilMined, type WalletCall } from './browser-wallet.ts'

/** What became of a transaction; without a hash nothing was sent. */
interface Sent {
  readonly hash?: string
  /** The owner chose another account than the one that has to send it. */
  readonly isOther?: boolean
  /** Whether it did what it was to do. */
  readonly isDone?: boolean
}

/** Sends a transaction from the account that the owner chooses, which has to be `only` where one is given, and waits for its block. */
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
