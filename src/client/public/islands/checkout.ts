import type { FramedOrder } from '../../../shared/api/framed-orders.ts'
import { amount } from '../figures.ts'
import { call, fill, locale, part, type Words, wordsOf } from './page.ts'
import { mountSwap } from './swap.ts'

const everyMs = 5_000
/** The name is unique and survives a reload of the frame (checkout.js). */
const keptAs = () => `checkout${window.name}`

/**
 * The frame's key is generated here and never leaves; the link to the site carries its hash. If the buyer
 * agrees there, the key can read the order. The embedding page is told the frame's state if its origin may
 * embed it.
 */
export function mountCheckout(root: HTMLElement): void {
  const link = part<HTMLAnchorElement>(root, '[data-go]')
  const form = root.querySelector('form')
  if (form) takeWishes(form)
  const question = form ? mountSwap(form) : undefined
  const tell = messenger(root)
  const known = read()
  const key = known ?? newKey()
  let hash: string | undefined
  const lead = () => {
    const { currency, unit, amount: wanted } = question?.() ?? {}
    const asked = { currency, unit: wanted && unit, amount: wanted, frame: hash }
    const search = Object.entries(asked).filter((pair): pair is [string, string] => Boolean(pair[1]))
    link.search = new URLSearchParams(search).toString()
  }
  for (const event of ['pointerdown', 'focus', 'click']) link.addEventListener(event, lead)
  const follow = follower(root, key, tell)
  link.addEventListener('click', () => {
    keep(key)
    follow(true)
  })
  void hashOf(key).then((made) => {
    hash = made
    lead()
  })
  if (known) follow()
}

/** Takes amount and coin from the embedding page; invalid ones are ignored. */
function takeWishes(form: HTMLFormElement): void {
  const wished = new URLSearchParams(location.search)
  const tokens = wished.get('amount') ?? ''
  if (/^\d{1,18}(\.\d{1,6})?$/.test(tokens)) part<HTMLInputElement>(form, '[name=receive]').value = tokens
  const currency = part<HTMLSelectElement>(form, '[name=currency]')
  const code = wished.get('currency') ?? ''
  if ([...currency.options].some(({ value }) => value === code)) currency.value = code
  // oxlint-disable-next-line no-console -- whoever wrote the page around reads there
  else if (code) console.warn(`checkout.js: this sale does not take ${code}; another coin is chosen.`)
}

/** Sends public facts to the embedding page, once a permitted origin has sent a greeting. */
function messenger(root: HTMLElement): (order: FramedOrder) => void {
  const framers = JSON.parse(root.dataset['framers'] ?? '[]') as string[]
  const { parent } = window
  if (parent === window) return () => {}
  const told = new Map<number, FramedOrder>()
  let host: string | undefined
  const say = (presale: string, more: object) => {
    if (host) parent.postMessage({ presale, ...more }, host)
  }
  const sayHeight = () => say('height', { height: root.offsetHeight })
  addEventListener('message', ({ source, origin, data }) => {
    if (source !== parent || !framers.includes(origin) || data?.presale !== 'hello') return
    host = origin
    sayHeight()
    for (const order of told.values()) say('order', { order })
  })
  new ResizeObserver(sayHeight).observe(root)
  // Any page may learn that the frame is ready, but nothing else.
  parent.postMessage({ presale: 'ready' }, '*')
  return (order) => {
    if (JSON.stringify(told.get(order.number)) === JSON.stringify(order)) return
    told.set(order.number, order)
    say('order', { order })
  }
}

/**
 * Returns a function that starts polling for the frame's orders while the page is visible, until each is
 * decided. Another visit to the site may make another order.
 */
function follower(
  root: HTMLElement,
  key: string,
  tell: (order: FramedOrder) => void,
): (isForAnother?: boolean) => void {
  const list = part(root, '[data-orders]')
  const words = wordsOf(root)
  let timer: ReturnType<typeof setInterval> | undefined
  let isBegun = false
  let atLast = 0
  const look = async () => {
    if (document.hidden) return
    const body = JSON.stringify({ key })
    const answer = await call<{ orders: FramedOrder[] }>('/framed-orders', { method: 'POST', body }).catch(
      // The next poll may succeed.
      () => undefined,
    )
    if (!answer) return
    for (const order of answer.orders) tell(order)
    const lines = answer.orders.map((order) => lineOf(order, words))
    if (lines.join('\n') !== [...list.children].map((line) => line.textContent).join('\n'))
      list.replaceChildren(
        ...lines.map((text) => Object.assign(document.createElement('li'), { textContent: text })),
      )
    if (answer.orders.length <= atLast || answer.orders.some(({ status }) => status === 'pending')) {
      timer ??= setInterval(look, everyMs)
      return
    }
    clearInterval(timer)
    timer = undefined
  }
  document.addEventListener('visibilitychange', () => isBegun && look())
  return (isForAnother = false) => {
    isBegun = true
    if (isForAnother) atLast = list.childElementCount
    timer ??= setInterval(look, everyMs)
    void look()
  }
}

function lineOf(
  { number, status, detail, tokens, currency, amount: coins }: FramedOrder,
  words: Words,
): string {
  const order = fill(words['order'], {
    number: String(number),
    tokens: amount(tokens, locale),
    amount: `${amount(coins, locale, 18)} ${currency}`,
  })
  return `${order} ${words[status === 'approved' ? status : detail] ?? words[status] ?? words['other']}`
}

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

const newKey = () => base64url(crypto.getRandomValues(new Uint8Array(32)))

/** `crypto.subtle` needs https; without it no order is followed. */
async function hashOf(key: string): Promise<string | undefined> {
  const digest = await globalThis.crypto.subtle?.digest('SHA-256', new TextEncoder().encode(key))
  return digest && base64url(new Uint8Array(digest))
}

/** The key survives a reload, if the browser lets a frame store it. */
function read(): string | undefined {
  try {
    return sessionStorage.getItem(keptAs()) ?? undefined
  } catch {
    return undefined
  }
}

function keep(key: string): void {
  try {
    sessionStorage.setItem(keptAs(), key)
  } catch {
    // A reload then forgets the order; its own page still has it.
  }
}
