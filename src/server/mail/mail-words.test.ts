import { describe, expect, test } from 'vitest'
import { mailKinds, mailLanguages } from '../../shared/api/mail-templates.ts'
import type { Mail } from './mail-kinds.ts'
import { sampleMail } from './mail-samples.ts'
import { issuesOfWords, mailInWords, wordRules } from './mail-words.ts'
import { renderMail } from './render.ts'
import type { Brand } from './templates/template.ts'
import { mailText } from './templates.ts'

const brand: Brand = {
  name: 'Example sale',
  symbol: 'EXA',
  seller: 'Example Ltd',
  contact: 'sale@example.org',
  isDemo: false,
}
const places = mailKinds.flatMap((kind) => mailLanguages.map((language) => ({ kind, language })))

test.each(places)(
  '$kind in $language: the product’s text, read as words, says the same',
  ({ kind, language }) => {
    const rules = wordRules(kind, language)
    expect(issuesOfWords(rules.product, rules)).toEqual([])
    const sample = sampleMail(kind, language)
    const product = mailText(sample, brand)
    const { text, inWords } = mailInWords(sample, brand, rules.product)
    expect(inWords).toBe(true)
    expect(text.subject).toBe(product.subject)
    // A sentence that stays is a paragraph like the others; all of them stand where their first did.
    const said = ({ blocks }: typeof text) => blocks.map((block) => JSON.stringify(block)).toSorted()
    expect(said(text)).toEqual(said(product))
    expect(renderMail(text, brand, language).html).not.toMatch(/\{\w+\}/)
  },
)

describe('words that may not be sent', () => {
  const rules = wordRules('password_changed', 'en')
  const { subject, body } = rules.product
  const codes = (words: { subject?: string; body?: string }) =>
    issuesOfWords({ subject, body, ...words }, rules).map(({ path, code, value }) => [path, code, value])

  test.each([
    ['an unknown variable', { body: `${body}\n\n{link}` }, ['body', 'mail_variable_unknown', '{link}']],
    ['a part in the subject', { subject: '{must} {at}' }, ['subject', 'mail_variable_unknown', '{must}']],
    ['loose braces', { subject: 'Changed {at} {' }, ['subject', 'mail_braces', undefined]],
    ['a required variable gone', { body: '{must}' }, ['body', 'mail_part_missing', '{at}']],
    ['the warning gone', { body: 'Changed: {at}' }, ['body', 'mail_part_missing', '{must}']],
    ['the warning inside a paragraph', { body: '{at} {must}' }, ['body', 'mail_part_alone', '{must}']],
    ['the warning twice', { body: '{at}\n\n{must}\n\n{must}' }, ['body', 'mail_part_alone', '{must}']],
    ['a link', { body: `${body}\n\nhttps://evil.example.org` }, ['body', 'mail_link', undefined]],
    ['a link without its scheme', { subject: 'www.example.org' }, ['subject', 'mail_link', undefined]],
    [
      'a host alone, of which mail programs make a link',
      { body: `${body}\n\nClaim at evil-sale.example/claim` },
      ['body', 'mail_link', undefined],
    ],
    [
      'an address to answer to',
      { body: `${body}\n\nWrite to help@evil-sale.example` },
      ['body', 'mail_link', undefined],
    ],
    [
      'a link that is whole once a name is empty',
      { body: `${body}\n\nhttps:/{name}/evil` },
      ['body', 'mail_link', undefined],
    ],
    [
      'a link with a sign that nobody sees in it',
      { body: `${body}\n\nhttps:/\u2060/evil` },
      ['body', 'mail_link', undefined],
    ],
  ])('%s', (_, words, issue) => {
    expect(codes(words)).toEqual([issue])
  })

  test('they are not sent: the product’s text is [RIGHT-21]', () => {
    const mail = sampleMail('password_changed', 'en')
    const { text, inWords } = mailInWords(mail, brand, { subject: 'Hi', body: 'Nothing to see here.' })
    expect(inWords).toBe(false)
    expect(text).toEqual(mailText(mail, brand))
  })
})

test('the link of a mail, and what keeps its reader safe, stay in any words [RIGHT-21]', () => {
  for (const { kind, language } of places) {
    const { required } = wordRules(kind, language)
    const { blocks } = mailText(sampleMail(kind, language), brand)
    expect(required.includes('button')).toBe(blocks.some((block) => 'button' in block))
    expect(required.includes('facts')).toBe(blocks.some((block) => 'facts' in block))
    if (/password|second_factor|address|sign_in|attempts|owner_notice/.test(kind))
      expect(required).toContain('must')
  }
})

test('a value makes no markup, paragraph, part or variable of its own [RIGHT-21]', () => {
  const mail: Mail = {
    ...sampleMail('order_created', 'en'),
    name: '<img src=x onerror=alert(1)>\n\n{button}\n\n{number} $& $1',
  } as Mail
  const { text } = mailInWords(mail, brand, {
    subject: 'Order {number} of {name}',
    body: 'Dear {name}, <b>thanks</b>.\n\n{facts}\n\n{must}\n\n{button}',
  })
  expect(text.blocks.filter((block) => 'button' in block)).toHaveLength(1)
  const { html, subject } = renderMail(text, brand, 'en')
  expect(html).not.toMatch(/<img|<b>/)
  expect(html).toContain('&lt;b&gt;thanks&lt;/b&gt;')
  expect(html).toContain('{number} $&amp; $1')
  expect(subject).not.toMatch(/\n/)
})
