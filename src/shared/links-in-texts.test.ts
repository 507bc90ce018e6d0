import { expect, it } from 'vitest'
import { foreignLinks } from './links-in-texts.ts'

const all = (...texts: string[]) => texts.map((text) => ({ language: null, text }))
const LISTED = all(
  'Read [the code](https://github.com/seller/token).',
  'https://blog.example.com',
  'https://videos.example/watch?v=own',
  'sale@mail.example',
)
const foreign = (text: string) => foreignLinks(all(text), LISTED, 'https://sale.example.org')

it.each([
  ['a link', '[Where to pay](https://evil.example/pay)', 'https://evil.example/pay'],
  ['an address that is typed out', 'See evil.example/pay.', 'evil.example/pay'],
  ['a host alone', 'Everything is on evil.example!', 'evil.example'],
  ['a host in other letters', 'Все на оплата.рф', 'оплата.рф'],
  ['a host with points in words', 'evil [dot] example', 'evil.example'],
  ['a host with other points', 'evil．example', 'evil.example'],
  ['a host in bold', '**evil**.**example**', 'evil.example'],
  ['a host that looks like a listed one', 'https://blоg.example.com', 'https://blоg.example.com'],
  ['a host with a mark on a letter', 'blög.example.com', 'blög.example.com'],
  ['a host that ends like a listed one', 'https://theblog.example.com', 'https://theblog.example.com'],
  [
    'a host that begins like one',
    'https://blog.example.com.evil.example',
    'https://blog.example.com.evil.example',
  ],
  ['a page beside a listed one', 'https://github.com/seller/token2', 'https://github.com/seller/token2'],
  ['a page above a listed one', 'https://github.com/seller', 'https://github.com/seller'],
  [
    'a way out of a listed page',
    'https://github.com/seller/token/../../thief',
    'https://github.com/seller/token/../../thief',
  ],
  [
    'a host behind a listed one as a name',
    'https://blog.example.com@evil.example/',
    'https://blog.example.com@evil.example/',
  ],
  ['another port', 'https://blog.example.com:8443/', 'https://blog.example.com:8443/'],
  ['an address of numbers', 'https://203.0.113.7/pay', 'https://203.0.113.7/pay'],
  [
    'a listed page that is spelled as part of another',
    'https://github.com/thief%2F..%2Fseller/token',
    'https://github.com/thief%2F..%2Fseller/token',
  ],
  ['a link of another kind', 'tg://resolve?domain=thief', 'tg://resolve?domain=thief'],
  [
    'a file that anybody could upload',
    'https://sale.example.org/uploads/a.png',
    'https://sale.example.org/uploads/a.png',
  ],
  [
    'another query of a listed page',
    'https://videos.example/watch?v=thief',
    'https://videos.example/watch?v=thief',
  ],
  ['a referral link', 'https://sale.example.org/r/abc234', 'https://sale.example.org/r/abc234'],
  [
    'a referral link in other signs',
    'https://sale.example.org/%72/abc234',
    'https://sale.example.org/r/abc234',
  ],
  ['a referral link in a language', 'sale.example.org/ru/R/abc234', 'sale.example.org/ru/R/abc234'],
  ['a host between strong signs', 'evil**.**example', 'evil.example'],
  ['a mailbox', 'Ask help@mail.example', 'help@mail.example'],
])('finds %s [TWO-24]', (_what, text, found) => {
  expect(foreign(text)).toEqual([found])
})

it.each([
  ['the site itself', 'Look at [the news](https://sale.example.org/updates/7) on sale.example.org.'],
  [
    'a listed page and what is below it',
    'https://github.com/seller/token and https://github.com/seller/token/issues/1?x=1#y',
  ],
  ['all of a listed host', 'Read (https://blog.example.com/2026/11/29/stage-2), or www.blog.example.com'],
  ['a listed mailbox', 'Write to sale@mail.example.'],
  ['no link', 'At 20:00 UTC, e.g. 1,234.50 USDT; whitepaper.pdf was made with Node.js 24.2, т. е. в 15.30.'],
])('takes %s for none [TWO-24]', (_what, text) => {
  expect(foreign(text)).toEqual([])
})
