import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { I18nProvider, Trans } from './lingui.tsx'
import { setupI18n } from './lingui-core.ts'

const i18n = setupI18n({ locale: 'en', messages: { en: {} } })
const drawn = (message: string, name: unknown) =>
  renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <Trans id="said" message={message} values={{ name }} components={{ 0: <b /> }} />
    </I18nProvider>,
  )
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

test.each(['<b>bold</b>', '<0>zero</0>', '<1/>', 'a < b', '{name}', '%s', '\\u0041\\x42', '$&', '#'])(
  'a value is shown as it was written: %s',
  (written) => {
    expect(drawn('Sold by {name}.', written)).toBe(`Sold by ${escaped(written)}.`)
    expect(drawn('Sold by <0>{name}</0>.', written)).toBe(`Sold by <b>${escaped(written)}</b>.`)
    expect(i18n._('said', { name: written }, { message: 'Sold by {name}.' })).toBe(`Sold by ${written}.`)
    expect(i18n.t({ id: 'said', message: 'Sold by {name}.', values: { name: written } })).toBe(
      `Sold by ${written}.`,
    )
  },
)

test('a value may be an element, a number or nothing', () => {
  expect(drawn('Sold by {name}.', <i>me</i>)).toBe('Sold by <i>me</i>.')
  expect(drawn('{name, plural, one {# token} other {# tokens}}', 3)).toBe('3 tokens')
  expect(drawn('Sold by {name}.', undefined)).toBe('Sold by .')
  expect(i18n._('No values')).toBe('No values')
  expect(i18n._('\\u0041n escape of a message')).toBe('An escape of a message')
})
