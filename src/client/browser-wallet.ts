/** A wallet extension as it announces itself (EIP-6963). */
export interface BrowserWallet {
  readonly id: string
  readonly name: string
  request(call: { method: string; params?: readonly unknown[] }): Promise<unknown>
}

interface Announcement {
  readonly info: { readonly uuid: string; readonly name: string }
  readonly provider: Pick<BrowserWallet, 'request'>
}

const ANSWER_MS = 200

/** Within a moment, each once. */
export async function findWallets(): Promise<BrowserWallet[]> {
  const found = new Map<string, BrowserWallet>()
  const take = (event: Event) => {
    const { info, provider } = (event as CustomEvent<Announcement>).detail
    found.set(info.uuid, {
      id: info.uuid,
      name: info.name,
      request: (call) => provider.request(call),
    })
  }
  addEventListener('eip6963:announceProvider', take)
  dispatchEvent(new Event('eip6963:requestProvider'))
  await new Promise((resolve) => setTimeout(resolve, ANSWER_MS))
  removeEventListener('eip6963:announceProvider', take)
  return [...found.values()]
}

/** Asks the wallet's owner for an account. */
export async function addressOf(wallet: BrowserWallet): Promise<string | undefined> {
  const accounts = await wallet.request({ method: 'eth_requestAccounts' })
  return Array.isArray(accounts) && typeof accounts[0] === 'string' ? accounts[0] : undefined
}

/** EIP-191, after the owner agrees in the wallet. */
export async function signText(wallet: BrowserWallet, address: string, text: string): Promise<string> {
  const bytes = [...new TextEncoder().encode(text)]
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return String(await wallet.request({ method: 'personal_sign', params: [`0x${hex}`, address] }))
}

export interface WalletCall {
  readonly chainId: number
  readonly to: string
  readonly data: string
  /** In the native coin's smallest unit, decimal. Left out: 0. */
  readonly value?: string
}

const hexOf = (value: number | bigint) => `0x${value.toString(16)}`

/** The wallet's owner may decline. */
async function goTo(wallet: BrowserWallet, chainId: number): Promise<string> {
  const network = hexOf(chainId)
  if ((await wallet.request({ method: 'eth_chainId' })) !== network)
    await wallet.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: network }] })
  return network
}

/** EIP-712 as JSON, on its network, after the owner agrees. */
export async function signData(
  wallet: BrowserWallet,
  address: string,
  { chainId, data }: { chainId: number; data: string },
): Promise<string> {
  await goTo(wallet, chainId)
  return String(await wallet.request({ method: 'eth_signTypedData_v4', params: [address, data] }))
}

/** On its network, after the owner agrees. Returns the hash. */
export async function sendCall(
  wallet: BrowserWallet,
  from: string,
  { chainId, to, data, value = '0' }: WalletCall,
): Promise<string> {
  const network = await goTo(wallet, chainId)
  const transaction = { from, to, data, value: hexOf(BigInt(value)), chainId: network }
  return String(await wallet.request({ method: 'eth_sendTransaction', params: [transaction] }))
}

/**
 * In the native coin, decimal. Shows no prompt. Undefined if the wallet is on another network or the
 * estimate fails, for example from an unknown account.
 */
export async function feeOf(
  wallet: BrowserWallet,
  { chainId, to, data, value = '0' }: WalletCall,
  from?: string,
): Promise<string | undefined> {
  const call = { ...(from ? { from } : {}), to, data, value: hexOf(BigInt(value)) }
  try {
    if ((await wallet.request({ method: 'eth_chainId' })) !== hexOf(chainId)) return undefined
    const [gas, price] = await Promise.all([
      wallet.request({ method: 'eth_estimateGas', params: [call] }),
      wallet.request({ method: 'eth_gasPrice' }),
    ])
    const fee = String(BigInt(String(gas)) * BigInt(String(price))).padStart(19, '0')
    return `${fee.slice(0, -18)}.${fee.slice(-18)}`
  } catch {
    return undefined
  }
}

/** The fee by the first wallet that answers. */
export async function feeByAny(
  wallets: readonly BrowserWallet[],
  call: WalletCall,
  from?: string,
): Promise<string | undefined> {
  for (const wallet of wallets) {
    const fee = await feeOf(wallet, call, from)
    if (fee !== undefined) return fee
  }
  return undefined
}

/** `0.00021`: two digits, because a fee is an estimate. */
export const feeText = (fee: string, locale: string) =>
  new Intl.NumberFormat(locale, { maximumSignificantDigits: 2 }).format(fee as Intl.StringNumericLiteral)

const ASK_MS = 2_000

/** Returns true if the transaction succeeded. */
export async function untilMined(wallet: BrowserWallet, hash: string, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    const receipt = await wallet.request({ method: 'eth_getTransactionReceipt', params: [hash] })
    if (typeof receipt === 'object' && receipt !== null && 'status' in receipt)
      return receipt.status === '0x1'
    await new Promise((resolve) => setTimeout(resolve, ASK_MS))
  }
  return false
}

/** Not an error to show. */
export function saidNo(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 4001
}

/** Wallets throw plain objects. */
export function wordsOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : String(error)
}
