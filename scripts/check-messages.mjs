// Fails when a message in the code is not in its catalogue, or has no text in a language that covers it.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { defaultLanguage, languages } from '../src/shared/languages.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const lingui = fileURLToPath(new URL('../node_modules/@lingui/cli/dist/lingui.js', import.meta.url))

const checks = [
  {
    args: ['check', 'sync'],
    mend: 'Run `npm run messages`, then fill in the new msgstr lines of each language in src/client/locales.',
  },
  ...languages
    .filter((language) => language !== defaultLanguage)
    .map((language) => ({
      args: ['check', 'missing', '--mode', 'catalog', '--locale', language, '--verbose'],
      mend: `Fill in the empty msgstr lines in src/client/locales/${language}.`,
    })),
]

let failed = false
for (const { args, mend } of checks) {
  const { status } = spawnSync(process.execPath, [lingui, ...args], { cwd: root, stdio: 'inherit' })
  if (status !== 0) {
    failed = true
    console.error(`Messages: lingui ${args.join(' ')} failed. ${mend}`)
  }
}
process.exit(failed ? 1 : 0)
