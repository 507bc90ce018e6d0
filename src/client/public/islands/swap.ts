import { readingsOf, type TypedDecimal, typedDecimal, typedOn } from '../../../shared/typed-decimal.ts'
import { amount, dollars } from '../figures.ts'
import { call, fill, locale, part, Refused, wordsOf } from './page.ts'

const stillMs = 250

interface Amounts {
  currency: string
  baseTokens: string
  bonusTokens: string
  receiveTokens: string
  cryptoAmount: string
  usd: string
  rate: string
}

/** The server computes the amounts. Returns a reader of the current question. */
export function mountSwap(form: HTMLElement) {
  const words = wordsOf(form)
  const send = part<HTMLInputElement>(form, '[name=send]')
  const receive = part<HTMLInputElement>(form, '[name=receive]')
  const currency = part<HTMLSelectElement>(form, '[name=currency]')
  const note = part(form, '[data-note]')
  let unit: 'token' | 'crypto' = 'token'
  let timer: ReturnType<typeof setTimeout> | undefined
  let asked = 0
  /** How each input was typed, until the server's answer replaces it. */
  const typings = new Map<HTMLInputElement, TypedDecimal>()

  const ask = async () => {
    const mine = ++asked
    const typed = unit === 'token' ? receive : send
    const other = unit === 'token' ? send : receive
    typings.delete(other)
    if (!/\d/.test(typed.value)) {
      other.value = ''
      note.textContent = ''
      return
    }
    const readings = readingsOf(typed.value)
    if (readings) {
      other.value = ''
      note.replaceChildren(`${words['which']} `, ...readings.map((reading) => choiceOf(reading, typed, ask)))
      return
    }
    try {
      const amounts = await call<Amounts>('/orders/preview', {
        method: 'POST',
        body: JSON.stringify({ currency: currency.value, amount: typed.value, unit }),
      })
      if (mine !== asked) return
      other.value = trimmed(unit === 'token' ? amounts.cryptoAmount : amounts.baseTokens)
      note.textContent = noteOf(amounts, words, form.dataset['symbol'])
    } catch (error) {
      if (mine !== asked) return
      other.value = ''
      note.textContent = reasonOf(error, words)
    }
  }
  const typedIn = (input: HTMLInputElement, itsUnit: typeof unit) => () => {
    const next = typedOn(typings.get(input) ?? typedDecimal(''), input.value, locale)
    typings.set(input, next)
    if (next.text !== input.value) input.value = next.text
    unit = itsUnit
    clearTimeout(timer)
    timer = setTimeout(ask, stillMs)
  }
  send.addEventListener('input', typedIn(send, 'crypto'))
  receive.addEventListener('input', typedIn(receive, 'token'))
  currency.addEventListener('change', () => {
    unit = 'token'
    void ask()
  })
  part(form, '[data-max]').addEventListener('click', () => {
    receive.value = form.dataset['maximum'] ?? ''
    unit = 'token'
    void ask()
  })
  // The text may precede this script.
  if (send.value !== send.defaultValue) unit = 'crypto'
  whenBack(() => note.querySelector('button') ?? void ask())
  form.addEventListener('submit', (event) => event.preventDefault())
  void ask()
  return () => ({ currency: currency.value, unit, amount: (unit === 'token' ? receive : send).value })
}

function noteOf(
  { currency, receiveTokens, baseTokens, bonusTokens, usd, rate }: Amounts,
  words: Record<string, string>,
  symbol: string | undefined,
): string {
  const get = fill(words['get'], {
    total: amount(receiveTokens, locale),
    base: amount(baseTokens, locale),
    bonus: amount(bonusTokens, locale),
  })
  return `${get} · ${dollars(usd, locale)} · 1 ${currency} = ${amount(rate, locale)} ${symbol}`
}

/** Asks again when the page becomes visible or online: stage and rate may have changed. */
function whenBack(ask: () => unknown): void {
  const again = () => document.hidden || ask()
  addEventListener('online', again)
  document.addEventListener('visibilitychange', again)
}

function reasonOf(error: unknown, words: Record<string, string>): string {
  if (!(error instanceof Refused && error.isSaid)) return words['network'] ?? ''
  const isLimit = error.code === 'amount_below_minimum' || error.code === 'amount_above_maximum'
  return isLimit ? `${error.message} ${words['limits']}` : error.message
}

function choiceOf(reading: string, input: HTMLInputElement, ask: () => Promise<void>): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'under mx-1 font-semibold'
  button.textContent = amount(reading, locale)
  button.addEventListener('click', () => {
    input.value = reading
    input.focus()
    void ask()
  })
  return button
}

function trimmed(value: string): string {
  return value.includes('.') ? value.replace(/\.?0+$/, '') : value
}
