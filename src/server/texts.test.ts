import { expect, test } from 'vitest'
import type { PublicLocale } from '../shared/languages.ts'
import { compiled, filled, parseCatalogue, say } from './texts.ts'

const written = (text: string, values: Record<string, string | number>, language = 'en') =>
  filled(compiled(text), { id: 'test', language, values })

test('a text of the catalogue is said in the language that is asked for, with its values', () => {
  const said = (['en', 'ru', 'es'] as const).map((language) => say(language, 'push.approved', { order: '7' }))
  expect(said).toEqual(['Order #7 is approved.', 'Заказ №7 одобрен.', 'El pedido n.º 7 está aprobado.'])
})

test('a language that lacks a text says it in English', () => {
  expect(say('ar', 'push.approved', { order: '7' })).toBe('Order #7 is approved.')
  expect(say('../../etc' as PublicLocale, 'area.reload')).toBe('Load it again')
})

test('an unknown id and a missing value are bugs', () => {
  expect(() => say('en', 'push.nothing')).toThrow('push.nothing')
  expect(() => say('en', 'push.approved')).toThrow('push.approved lacks a value for {order}')
})

test('a value is shown as it was written, whatever it holds', () => {
  const name = "{order} # \\u0041 'x' <b> constructor"
  expect(written('Hello {name}!', { name })).toBe(`Hello ${name}!`)
})

test('plurals follow the rules of the language, selects their value', () => {
  const russian =
    '{n, plural, =0 {нет заказов} one {# заказ} few {# заказа} many {# заказов} other {# заказа}}'
  expect([0, 1, 2, 5, 21, 1_005].map((n) => written(russian, { n }, 'ru'))).toEqual([
    'нет заказов',
    '1 заказ',
    '2 заказа',
    '5 заказов',
    '21 заказ',
    '1\u00a0005 заказов',
  ])
  expect(written('{n, selectordinal, one {#st} two {#nd} other {#th}} of {by}', { n: 22, by: '#' })).toBe(
    '22nd of #',
  )
  const how = '{how, select, chain {by its payment} other {by an operator}}'
  expect(['chain', 'constructor'].map((value) => written(how, { how: value }))).toEqual([
    'by its payment',
    'by an operator',
  ])
})

test('a catalogue with a stray line, an id twice or a broken text is not read', () => {
  const entry = 'msgid "a.b"\nmsgstr "One "\n"line"\n'
  expect(parseCatalogue(`# of translators\nmsgid ""\nmsgstr ""\n"Language: en\\n"\n\n${entry}`)).toEqual(
    new Map([['a.b', 'One line']]),
  )
  expect(() => parseCatalogue(`${entry}\n${entry}`)).toThrow('a.b')
  expect(() => parseCatalogue('msgid "a.b"\nmsgstr "x"\nmsgstr[1] "y"\n')).toThrow('msgstr[1]')
  expect(() => compiled('{name')).toThrow()
})
