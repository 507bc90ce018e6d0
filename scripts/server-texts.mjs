// The server's texts: locales/CODE/server.po, whose ids are explicit in src/shared and src/server.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compiled, parseCatalogue } from '../src/server/texts.ts'
import { defaultLanguage, languages, publicLocales } from '../src/shared/languages.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const fileOf = (locale) => `locales/${locale}/server.po`

const readTexts = (locale) =>
  existsSync(root + fileOf(locale)) ? parseCatalogue(readFileSync(root + fileOf(locale), 'utf8')) : new Map()

/** Gives all languages English's ids in the same order, new ones with an empty text. */
export function fillServerTexts() {
  const ids = [...readTexts(defaultLanguage).keys()]
  for (const locale of languages.filter((language) => language !== defaultLanguage)) {
    const texts = readTexts(locale)
    const head = `msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n"Content-Transfer-Encoding: 8bit\\n"\n"Language: ${locale}\\n"\n`
    const entries = ids.map(
      (id) => `\nmsgid ${JSON.stringify(id)}\nmsgstr ${JSON.stringify(texts.get(id) ?? '')}\n`,
    )
    mkdirSync(`${root}locales/${locale}`, { recursive: true })
    writeFileSync(root + fileOf(locale), head + entries.join(''))
  }
}

/** One per line; test/texts.test.ts finds unused ids. */
export function wrongServerTexts() {
  const english = readTexts(defaultLanguage)
  const code = sources().join('\n')
  const asked = [...code.matchAll(/\bsay\(\s*[\w.]+,\s*'([\w.-]+)'/g)].map(([, id]) => id)
  return [
    ...asked
      .filter((id) => !english.has(id))
      .map((id) => `${fileOf(defaultLanguage)} lacks ${id}, which the code says`),
    ...publicLocales.flatMap((locale) => wrongIn(locale, english)),
  ]
}

function wrongIn(locale, english) {
  const texts = readTexts(locale)
  const wrong = []
  for (const id of texts.keys()) if (!english.has(id)) wrong.push(`${id} is in no other language`)
  for (const [id, text] of english) {
    const own = texts.get(id)
    // For a language of public pages English covers the rest.
    if (!own && languages.includes(locale)) wrong.push(`${id} has no text`)
    if (own && placesIn(own) !== placesIn(text))
      wrong.push(`${id} has the places ${placesIn(own) || 'none'} instead of ${placesIn(text) || 'none'}`)
  }
  return wrong.map((line) => `${fileOf(locale)}: ${line}`)
}

function placesIn(text) {
  const names = (parts) =>
    parts
      .filter(Array.isArray)
      .flatMap(([name, , cases = {}]) => [name, ...Object.values(cases).filter(Array.isArray).flatMap(names)])
  return [...new Set(names(compiled(text)))].toSorted().join(', ')
}

function sources() {
  return ['src/server', 'src/shared', 'src/client'].flatMap((folder) =>
    readdirSync(root + folder, { recursive: true })
      .filter((path) => /(?<!\.test)\.(?:js|tsx?)$/.test(path))
      .map((path) => readFileSync(`${root}${folder}/${path}`, 'utf8')),
  )
}
