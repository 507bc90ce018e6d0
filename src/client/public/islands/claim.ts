import {
  addressOf,
  type BrowserWallet,
  feeByAny,
  feeText,
  findWallets,
  saidNo,
  sendCall,
  untilMined,
  type WalletCall,
  wordsOf as wordsOfError,
} from '../../browser-wallet.ts'
import { fill, part, type Words, wordsOf } from './page.ts'

interface Offer {
  readonly choices: HTMLElement
  readonly note: HTMLElement
  readonly words: Words
  readonly call: WalletCall | undefined
  /** The only account that can send the transaction; undefined: anybody. */
  readonly only: string | undefined
  readonly run: (wallet: BrowserWallet) => Promise<void>
}

export function mountClaim(root: HTMLElement): void {
  const words = wordsOf(root)
  for (const place of root.querySelectorAll<HTMLElement>('[data-wallets]')) {
    const note = part(place, '[data-note]')
    const { call: offered, from: only } = place.dataset
    const call = offered === undefined ? undefined : (JSON.parse(offered) as WalletCall)
    const run = call ? (wallet: BrowserWallet) => send(wallet, { call, only, note, words }) : showAddressOf
    const offer: Offer = {
      choices: part(place, '[data-choices]'),
      note,
      words,
      run,
      call,
      only,
    }
    part(place, '[data-ask]').addEventListener('click', () => void offerWallets(offer))
  }
  for (const button of root.querySelectorAll<HTMLButtonElement>('[data-copy]'))
    button.addEventListener('click', () => void copy(button, words))
}

async function offerWallets(offer: Offer): Promise<void> {
  const { choices, note, words } = offer
  const found = await findWallets()
  note.textContent = found.length === 0 ? (words['noWallet'] ?? '') : ''
  choices.replaceChildren(
    ...found.map((wallet) => {
      const button = document.createElement('button')
      button.type = 'button'
      button.className = 'press'
      button.textContent = wallet.name
      button.addEventListener('click', () => void runWith(offer, wallet))
      return button
    }),
  )
  const fee = offer.call && (await feeByAny(found, offer.call, offer.only))
  // A wallet chosen meanwhile has its own message.
  if (fee && note.textContent === '' && !choices.inert)
    note.textContent = fill(words['fee'], { fee: feeText(fee, document.documentElement.lang) })
}

async function runWith({ choices, note, run }: Offer, wallet: BrowserWallet): Promise<void> {
  if (choices.inert) return
  choices.inert = true
  note.textContent = ''
  try {
    await run(wallet)
  } catch (error) {
    note.textContent = saidNo(error) ? '' : wordsOfError(error)
  } finally {
    choices.inert = false
  }
}

async function showAddressOf(wallet: BrowserWallet): Promise<void> {
  const address = await addressOf(wallet)
  if (address) location.assign(`?${new URLSearchParams({ address })}`)
}

interface Sending extends Pick<Offer, 'note' | 'words' | 'only'> {
  readonly call: WalletCall
}

async function send(wallet: BrowserWallet, { call, only, note, words }: Sending): Promise<void> {
  const from = await addressOf(wallet)
  if (!from) return
  if (only !== undefined && from.toLowerCase() !== only.toLowerCase()) {
    note.textContent = fill(words['onlyPayer'], { from: only })
    return
  }
  const hash = await sendCall(wallet, from, call)
  note.textContent = fill(words['sent'], { hash })
  const isDone = await untilMined(wallet, hash, new AbortController().signal)
  if (isDone) location.reload()
  else note.textContent = fill(words['undone'], { hash })
}

async function copy(button: HTMLButtonElement, words: Words): Promise<void> {
  try {
    await navigator.clipboard.writeText(button.dataset['copy'] ?? '')
    button.textContent = words['copied'] ?? ''
  } catch {
    button.textContent = words['notCopied'] ?? ''
  }
  setTimeout(() => {
    button.textContent = words['copy'] ?? ''
  }, 2_000)
}
