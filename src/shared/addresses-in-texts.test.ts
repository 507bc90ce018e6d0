import { expect, it } from 'vitest'
import { addressesAcross, addressesIn, likeness, shownIn } from './addresses-in-texts.ts'

const found = (...texts: string[]) => addressesIn(texts.map((text) => ({ language: null, text })))
const eth = '0x52908400098527886E0F7030069857D2E4169EE7'
const btc = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
const old = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2'
const tron = 'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC'
const xrp = 'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh'
const solana = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV'
const spaced = (text: string) => [...text].join(' ')
const pieces = (text: string, length: number, between: string) =>
  (text.match(new RegExp(`.{1,${length}}`, 'g')) ?? []).join(between)
/** Every second piece is the words of a link. */
const linked = (text: string) =>
  (text.match(/.{1,5}/g) ?? [])
    .map((piece, at) => (at % 2 ? `[${piece}](https://sale.example.org/how/to/pay)` : piece))
    .join('')
const capitals = (text: string, first: number) =>
  text.toUpperCase().replace(/[A-Z]/g, (letter) => String.fromCodePoint(first + letter.charCodeAt(0) - 65))
const wide = (text: string) =>
  [...text].map((letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)).join('')

it.each([
  ['an address of Ethereum', eth],
  ['one without its 0x', eth.slice(2).toLowerCase()],
  ['one of Bitcoin', btc],
  ['one in capitals', btc.toUpperCase()],
  ['an old one', old],
  ['one of Tron', tron],
  ['one of XRP', xrp],
  ['one of XRP with its tag in it', 'XVLhHMPHU98es4dbozjVtdWzVrDjtV18pX8yuPT7y4xaEHi'],
  ['one of Solana', solana],
  ['one of Stellar', 'GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7'],
  ['one of TON', 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'],
  ['one of Hedera', 'Send HBAR to 0.0.1234567.'],
  ['a name that a wallet knows', 'Send to seller-2026.eth, please'],
  ['a name with a space in it', 'seller .eth'],
  ['a name with other points', 'seller．sol'],
  ['a link', `[here](https://etherscan.io/address/${eth})`],
  [
    'a link that spells by numbers',
    `https://x.example/?a=${encodeURIComponent(eth).replace('0x', '%30%78')}`,
  ],
  ['entities', btc.replace('b', '&#98;').replace('q', '&#x71;')],
  ['a drawing', `<svg><text>${btc.slice(0, 20)}</text><text>${btc.slice(20)}</text></svg>`],
  ['spaces between all letters', spaced(btc)],
  ['spaces in Ethereum’s', spaced(eth)],
  ['spaces in an old one', spaced(old)],
  ['spaces in one of Tron', spaced(tron)],
  ['spaces in one of XRP', spaced(xrp)],
  ['groups of two', solana.match(/.{1,2}/g)?.join(' ') ?? ''],
  ['letters of Solana’s one by one', spaced(solana)],
  ['pieces with words between them', solana.match(/.{1,11}/g)?.join(', and the next part is this: ') ?? ''],
  ['letters one by one, some of another script', spaced(btc.replaceAll('a', 'а').replaceAll('5', '５'))],
  ['empty tags', [...btc].join('<b></b>')],
  ['digits of another script', btc.replaceAll('1', '\u0967').replaceAll('0', '\u0966')],
  ['a point in words', 'seller [dot] eth'],
  ['groups of four', solana.match(/.{1,4}/g)?.join(' ') ?? ''],
  ['lines', btc.match(/.{1,9}/g)?.join('\n') ?? ''],
  ['markup', btc.match(/.{1,6}/g)?.join('**') ?? ''],
  ['signs that nobody sees', [...eth].join('\u200b')],
  ['soft hyphens', [...old].join('\u00ad')],
  ['full-width letters', wide(eth)],
  ['letters of mathematics', old.replaceAll('B', '𝐁').replaceAll('S', '𝕊')],
  ['letters of another script', btc.replaceAll('a', 'а').replaceAll('c', 'с')],
  ['keycaps', eth.replaceAll(/\d/g, (digit) => `${digit}\ufe0f\u20e3`)],
  ['a text that is read from its end', `\u202e${[...btc].toReversed().join('')}`],
  ['links between the pieces of Bitcoin’s', linked(btc)],
  ['links between the pieces of Ethereum’s', linked(eth)],
  ['links between the pieces of Tron’s', linked(tron)],
  ['links between the pieces of Solana’s', linked(solana)],
  ['a name half of which is bold', '**seller**.eth'],
  ['a name whose end is a link', 'seller[.eth](https://sale.example.org/a)'],
  ['a name of pictures', 'Pay to 🚀🚀🚀.eth'],
  ['a name in quotes', 'Pay to “seller”.eth'],
  ['a name with a space behind its point', 'Pay to seller. eth'],
  ['a name over two lines', 'Pay to seller.\neth'],
  ['a name over two items of a list', '- seller\n- .eth'],
  ['a name whose end is in another script', 'seller.еtһ'],
  ['groups of five between words', pieces(btc, 5, ' and then, as next: ')],
  ['groups of five of Ethereum’s between words', pieces(eth, 5, ' and then, as next: ')],
  ['a numbered list', pieces(` ${eth}`, 5, '\n1. the group with the next number: ')],
  ['capitals on squares', capitals(btc, 0x1f170)],
  ['capitals in circles', capitals(btc, 0x1f150)],
  ['letters of flags', [...capitals(btc, 0x1f1e6)].join('\u2009')],
  ['digits in circles', btc.replace(/[1-9]/g, (digit) => String.fromCodePoint(0x2775 + Number(digit)))],
  ['a code drawn of blocks', '█▀▄░█▄▀█▄\n'.repeat(12)],
  ['a code drawn of dots', '⣿⡇⢸⣀⠉⣿⡇\n'.repeat(12)],
  ['a code drawn of letters', `${'MMMM....MM..MM..MM....MM'}\n`.repeat(21)],
  [
    'a code of circles whose lines end with unseen signs',
    '⚫⚪⚪⚫⚪⚫⚫⚪⚫⚪⚫⚫\u2061\u2062\u2063\u2064\u180e\u034f\u00ad\n'.repeat(12),
  ],
  ['a code of circles whose lines end with words', '🔴🔵🔵🔴🔵🔴🔴🔵🔴🔵🔴🔴🔵🔴🔵🔴🔴🔵 wzykt\n'.repeat(12)],
  ['a name before a hyphen', 'our 🚀🚀🚀.eth-wallet'],
  ['a name in quotation marks before a hyphen', 'our “honest-presale”.eth-wallet'],
  ['half of one', `The first half is ${btc.slice(0, 21)}, the rest follows.`],
  ['the other half', btc.slice(21)],
])('finds %s [TWO-21]', (_, text) => {
  expect(found(text)).not.toEqual([])
})

it('finds an address whose parts stand in two texts of one language [TWO-21]', () => {
  const shown = shownIn({
    title: { en: 'Send BTC to b c 1 q a r 0 s r r r 7 x f k v y 5 l 6', ru: 'Новости' },
    body: { en: '4 3 l y d n w 9 r e 5 9 g t z z w f 5 m d q', ru: 'Ничего' },
  })
  expect(addressesIn(shown.texts)).toContain(btc)
})

const all = (...texts: string[]) => texts.map((text) => ({ language: null, text }))

it('finds an address whose parts stand in several texts of one page, whichever comes last [TWO-21]', () => {
  const parts = solana.match(/.{1,11}/g) ?? []
  const long = 'Our team worked hard all summer, and there is more to come. '.repeat(10)
  const published = parts.map((part) => `${long} The code of today is ${part}, keep it. ${long}`)
  const [last = '', ...before] = published.toReversed()
  expect(addressesAcross(all(last), all('A', ...before))).toEqual([expect.stringContaining(parts[0] ?? '')])
  expect(addressesAcross(all(last), all(before[0] ?? '', long))).toEqual([])
  expect(addressesAcross(all(`Go on: ${btc.slice(7)}`), all(`Send to ${btc.slice(0, 7)}`))).not.toEqual([])
  expect(
    addressesAcross(
      all(`${btc.slice(20).match(/./g)?.join(' ')} News`),
      all(`The end: ${spaced(btc.slice(0, 20))}`),
    ),
  ).toContain(btc)
  expect(
    addressesAcross(all(`The end: ${spaced(btc.slice(0, 20))}`), all(`${spaced(btc.slice(20))} News`)),
  ).toContain(btc)
})

it('finds nothing across texts that a second operator confirmed, or in words that were there [TWO-21]', () => {
  const parts = solana.match(/.{1,11}/g) ?? []
  expect(addressesAcross(all('Stage 2 has opened.'), all(`Never send to ${btc}`, eth, ...parts))).toEqual([])
  expect(addressesAcross(all('Stage 2 has opened: 20:00'), all('Sold 1234567.50 on 2026-12-31'))).toEqual([])
})

it('reads long texts of spaces, digits and random letters in little time [TWO-21]', () => {
  const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  let state = 1
  const random = () => letters[(state = (state * 16807) % 2147483647) % letters.length] ?? ''
  const costOf = (text: string) => {
    const before = process.cpuUsage()
    found(text)
    return (process.cpuUsage(before).user + process.cpuUsage(before).system) / 1000
  }
  const words = Math.max(costOf('Some words. '.repeat(6_000)), 20)
  expect({
    spaces: costOf(`a${' '.repeat(72_000)}b`) < 20 * words,
    letters: costOf(Array.from({ length: 72_000 }, random).join('')) < 20 * words,
    tokens:
      costOf(Array.from({ length: 72_000 }, (_, at) => (at % 13 ? random() : ' ')).join('')) < 20 * words,
    brackets: costOf('[ '.repeat(36_000)) < 20 * words,
  }).toEqual({ spaces: true, letters: true, tokens: true, brackets: true })
})

it('takes no address from ordinary texts, and says which files are shown [TWO-21]', () => {
  expect(
    found(
      'We sold 1,234,567.50 tokens in stage 2 until 2026-12-31, 20:00 UTC (USDT on TRC20, ERC20 or BEP20).',
      'Read https://blog.example.com/2026/11/29/token-sale-stage-2-opens and https://youtu.be/dQw4w9WgXcQ.',
      'Donaudampfschifffahrtsgesellschaft, Rechtsschutzversicherungsgesellschaften, MetaMask, WalletConnect.',
      'Оплата принимается в BTC, ETH и USDT. Минимальная сумма: 40 долларов США. Т.е. 0,001 BTC.',
      'We take 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73 and 74 as in §§ 25a, 25b, 13c and 355 (2026-11-30).',
      'ERC20 tokens cost 0.25 each. Bitcoin costs more. ETH does not. TON is new. ✅✅✅✅✅✅ ▓▓▓▓▓▓▓░░░ 70 %',
      '----------------------------------------',
      Array.from({ length: 300 }, (_, at) => `Some words ${at}.`).join(' '),
    ),
  ).toEqual([])
  expect(
    shownIn({ image: { name: 'aB3dE5gH7jK9mN1pQ3sT5vW7.png', alt: { en: 'A coin' } }, logoUploadId: null }),
  ).toEqual({
    files: ['aB3dE5gH7jK9mN1pQ3sT5vW7.png'],
    texts: [{ language: 'en', text: 'A coin', place: 'image.alt' }],
  })
})

it.each([
  ['Tether', 'tether '],
  ['Tether', 'Те\u200btһer'],
  ['Bitcoin', 'B1tc0in'],
  ['USDT', 'u s d t'],
  ['Cronos', 'Croиos'],
])('takes %s and %s for one another, but for a letter that looks like none [TWO-22]', (a, b) => {
  expect(likeness(a) === likeness(b)).toBe(b !== 'Croиos')
})
