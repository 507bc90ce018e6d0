import { addressOf, type BrowserWallet, sendCall, untilMined, type WalletCall } from './browser-wallet.ts'

/** Without a hash nothing was sent. */
interface Sent {
  readonly hash?: string
  /** The owner chose another account than the required one. */
  readonly isOther?: boolean
  readonly isDone?: boolean
}

/** Sends from the account `only` if given. Waits until the transaction is mined. */
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
