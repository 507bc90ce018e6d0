import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { languages, publicLocales } from '../src/shared/languages.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const program = fileURLToPath(new URL('../node_modules/@lingui/cli/dist/lingui.js', import.meta.url))

/** Languages with all messages, or only the public pages'. */
export const scopes = [
  { locales: languages, args: [] },
  {
    locales: publicLocales.filter((locale) => !languages.includes(locale)),
    args: ['--config', 'lingui.public.config.ts'],
  },
].filter(({ locales }) => locales.length > 0)

/** Returns true on success. */
export const lingui = (...args) =>
  spawnSync(process.execPath, [program, ...args], { cwd: root, stdio: 'inherit' }).status === 0
