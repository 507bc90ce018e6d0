import { array, assert, constantFrom, oneof, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { slowness } from '../../test/support/patience.ts'
import { type Block, drawnText, type Inline, parseMarkup, plainText, safeHref } from './plain-markup.ts'

const inlinesOf = (block: Block): readonly (readonly Inline[])[] =>
  block.kind === 'heading' ? [block.content] : block.kind === 'paragraph' ? block.lines : block.items
const linksIn = (text: string) =>
  parseMarkup(text)
    .flatMap(inlinesOf)
    .flat()
    .filter((inline) => inline.kind === 'link')

describe('parseMarkup', () => {
  it('reads headings, paragraphs, lists, strong words and links', () => {
    expect(parseMarkup('## Terms\nFirst line\nsecond **line**\n\n- one\n- two\n1. a\n2) b')).toEqual([
      { kind: 'heading', level: 2, content: [{ kind: 'text', text: 'Terms' }] },
      {
        kind: 'paragraph',
        lines: [
          [{ kind: 'text', text: 'First line' }],
          [
            { kind: 'text', text: 'second ' },
            { kind: 'strong', text: 'line' },
          ],
        ],
      },
      {
        kind: 'list',
        ordered: false,
        items: [[{ kind: 'text', text: 'one' }], [{ kind: 'text', text: 'two' }]],
      },
      { kind: 'list', ordered: true, items: [[{ kind: 'text', text: 'a' }], [{ kind: 'text', text: 'b' }]] },
    ])
    expect(linksIn('See [the rules](https://example.org/rules), or https://example.org/a.')).toEqual([
      { kind: 'link', href: 'https://example.org/rules', text: 'the rules' },
      { kind: 'link', href: 'https://example.org/a', text: 'https://example.org/a' },
    ])
  })

  it.each([
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](data:text/html,<script>alert(1)</script>)',
    '[x](http://example.org)',
    '[x](//example.org)',
    '[x](https://user:password@example.org/)',
    '[x](https://localhost/)',
    '[x](java\u0000script:alert(1))',
    '[x](\thttps:example.org)',
    'http://example.org',
    'https://',
    'https://\u202e',
  ])('makes no link of %j', (text) => {
    expect(linksIn(text)).toEqual([])
  })

  it('keeps HTML as the characters that it is', () => {
    const text = '<img src=x onerror=alert(1)><script>alert(1)</script>'
    expect(parseMarkup(text)).toEqual([{ kind: 'paragraph', lines: [[{ kind: 'text', text }]] }])
  })

  it('shows the true address where a label names another site', () => {
    expect(linksIn('[bank.example.com](https://evil.example.org/x)')[0]?.text).toBe(
      'https://evil.example.org/x',
    )
    expect(linksIn('[docs.example.org](https://docs.example.org/x)')[0]?.text).toBe('docs.example.org')
    expect(linksIn('[example.org](https://notexample.org/)')[0]?.text).toBe('https://notexample.org/')
  })

  it.each([
    'сбербанк.рф',
    'bank\u00ad.com',
    'bank\u200c.com',
    'bank․example․com',
    'ｂａｎｋ．ｅｘａｍｐｌｅ．ｃｏｍ',
    'bank。example。com',
    'evil.example.org, that is bank.example.com',
  ])('shows it too where the label is %j', (label) => {
    const link = linksIn(`[${label}](https://evil.example.org/x)`)[0]
    expect(link?.text).toBe('https://evil.example.org/x')
  })

  it.each([
    '[bank.e](EVIL)[xample.c](EVIL)[om/buy](EVIL)',
    'bank.exam[ple.com/buy](EVIL)',
    '[bank.exam](EVIL)ple.com',
    '**bank.**[example.com](EVIL)',
    '[bank.e](EVIL)\u200b[xample.com](EVIL)',
  ])('shows it too where links and words beside it spell another site: %j', (text) => {
    const evil = 'https://evil.example.org/x'
    const { words } = drawnText(text.replaceAll('EVIL', evil))
    expect(words).not.toMatch(/bank\.example\.com/)
    expect(linksIn(text.replaceAll('EVIL', evil)).some(({ text: shown }) => shown === evil)).toBe(true)
  })

  it('keeps labels beside words that spell no other site', () => {
    const text = 'Read [our page](https://example.org/x), or [docs.example.org](https://docs.example.org/y).'
    expect(drawnText(text).words).toBe('Read our page, or docs.example.org.')
  })

  it('looks through a line of many dots and links in linear time', () => {
    const startedAt = performance.now()
    parseMarkup(`${'a.'.repeat(10_000)}[b](https://c.de)${'x.'.repeat(9_000)}`)
    parseMarkup('[a.b](https://c.de)'.repeat(2_000))
    expect(performance.now() - startedAt).toBeLessThan(1_000)
  })

  it('keeps a label that names its own site, in its own letters too', () => {
    for (const [label, host] of [
      ['пример.испытание', 'xn--e1afmkfd.xn--80akhbyknj4f'],
      ['www.Example.org and docs.example.org', 'docs.example.org'],
      ['на русском, и т.д.', 'example.org'],
    ])
      expect(linksIn(`[${label}](https://${host}/x)`)[0]?.text).toBe(label)
  })

  it('takes out characters that turn a text around', () => {
    expect(plainText('pay \u202eevil\u202c now\u0000')).toBe('pay evil now')
  })

  it('links nothing but https and loses no visible word, whatever is written', () => {
    const piece = oneof(
      constantFrom(
        '[',
        ']',
        '](',
        '(',
        ')',
        '**',
        '## ',
        '- ',
        '1. ',
        '\n',
        'https://',
        'javascript:',
        'a.b',
        '"',
        '<',
      ),
      string({ unit: 'binary', maxLength: 6 }),
    )
    assert(
      property(array(piece, { maxLength: 40 }), (pieces) => {
        for (const link of linksIn(pieces.join(''))) {
          expect(new URL(link.href).protocol).toBe('https:')
          expect(safeHref(link.href)).toBe(link.href)
        }
      }),
    )
  })

  it.each(['[', '**', '[a](', 'https://', '](', '*'])('is quick on a long line of %j', (piece) => {
    const start = performance.now()
    parseMarkup(piece.repeat(20_000))
    expect(performance.now() - start).toBeLessThan(2_000 * slowness)
  })
})

it('links to no address with a space or tab in it, which a browser leaves out', () => {
  expect(safeHref('https://sale.example.org/uploads/a\tb.png')).toBeNull()
})
