// Fails if a message is missing in its catalogue, or lacks a translation in a language that covers it.
import { defaultLanguage } from '../src/shared/languages.ts'
import { lingui, scopes } from './lingui.mjs'
import { wrongServerTexts } from './server-texts.mjs'

const checks = scopes.flatMap(({ locales, args }) => [
  {
    args: ['check', 'sync', '--locale', locales.join(','), ...args],
    fix: 'Run `npm run messages`, then fill in the new msgstr lines of each language in locales/.',
  },
  ...locales
    .filter((locale) => locale !== defaultLanguage)
    .map((locale) => ({
      args: ['check', 'missing', '--mode', 'catalog', '--locale', locale, '--verbose', ...args],
      fix: `Fill in the empty msgstr lines in locales/${locale}.`,
    })),
])

let failed = false
for (const { args, fix } of checks) {
  if (lingui(...args)) continue
  failed = true
  console.error(`Messages: lingui ${args.join(' ')} failed. ${fix}`)
}
const wrong = wrongServerTexts()
for (const line of wrong) console.error(`Messages: ${line}`)
process.exit(failed || wrong.length > 0 ? 1 : 0)
