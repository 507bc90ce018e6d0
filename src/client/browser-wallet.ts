/** A wallet that lives in this browser, as it announces itself (EIP-6963). */
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

/** The wallets that answer within a moment; each once. */
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

/** Asks for the address that its owner chooses; the wallet asks the owner. */
export async function addressOf(wallet: BrowserWallet): Promise<string | undefined> {
  const accounts = await wallet.request({ method: 'eth_requestAccounts' })
  return Array.isArray(accounts) && typeof accounts[0] === 'string' ? accounts[0] : undefined
}

/** Lets the wallet sign a text (EIP-191); the owner reads it there and agrees. */
export async function signText(wallet: BrowserWallet, address: string, text: string): Promise<string> {
  const bytes = [...new TextEncoder().encode(text)]
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return String(await wallet.request({ method: 'personal_sign', params: [`0x${hex}`, address] }))
}

/** A transaction that a wallet is asked to send. */
export interface WalletCall {
  readonly chainId: number
  readonly to: string
  readonly data: string
  /** In the smallest unit of the network's own coin, decimal; nothing is sent along without it. */
  readonly value?: string
}

const hexOf = (value: number | bigint) => `0x${value.toString(16)}`

/** Brings a wallet to a network, which its owner may refuse. */
async function goTo(wallet: BrowserWallet, chainId: number): Promise<string> {
  const network = hexOf(chainId)
  if ((await wallet.request({ method: 'eth_chainId' })) !== network)
    await wallet.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: network }] })
  return network
}

/** Lets the wallet sign structured data (EIP-712, as JSON) for its network; the owner reads it there and agrees. */
export async function signData(
  wallet: BrowserWallet,
  address: string,
  { chainId, data }: { chainId: number; data: string },
): Promise<string> {
  await goTo(wallet, chainId)
  return String(await wallet.request({ method: 'eth_signTypedData_v4', params: [address, data] }))
}

/** Lets the wallet sign and send a transaction on its network; the owner reads it there and agrees. Answers its hash. */
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
 * What the network would take for a transaction about now, in its own coin, decimal. Asks nobody for leave; undefined where the wallet
 * is on another network, or the network would refuse the transaction, as from an account that is not known yet.
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

/** As `feeOf`, by the first wallet that can say. */
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

/** `0.00021`: a fee is known to a few figures only. */
export const feeText = (fee: string, locale: string) =>
  new Intl.NumberFormat(locale, { maximumSignificantDigits: 2 }).format(fee as Intl.StringNumericLiteral)

const ASK_MS = 2_000

/** Waits until the wallet's network has mined a transaction; answers whether it did what it was to do. */
export async function untilMined(wallet: BrowserWallet, hash: string, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    const receipt = await wallet.request({ method: 'eth_getTransactionReceipt', params: [hash] })
    if (typeof receipt === 'object' && receipt !== null && 'status' in receipt)
      return receipt.status === '0x1'
    await new Promise((resolve) => setTimeout(resolve, ASK_MS))
  }
  return false
}

/** Whether the owner said no, which is no fault to tell of. */
export function saidNo(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 4001
}

/** What a wallet says of a failure; wallets throw plain objects. */
export function wordsOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : String(error)
}
