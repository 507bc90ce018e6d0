// Bundles the server and its commands into dist/server: they start in half the time of what Node reads file by file, need less
// memory, and of all libraries only those with machine code (`dependencies` in package.json) have to be installed beside them.
import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { SERVER_OUTPUT } from './server-output.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const source = join(root, 'src/server')
const out = join(root, 'dist/server')
/** As deep as the folder whose place it takes once it is whole: two builds at once, or one that is cut short, leave no half of one there. */
const draft = join(root, `dist/server-${process.pid}`)

/** What a shell starts and what runs in a thread of its own: a file each, under its own name. */
function programs() {
  const paths = readdirSync(source, { recursive: true }).filter((path) => path.endsWith('.ts'))
  return paths.filter(
    (path) =>
      path === 'main.ts' ||
      path.endsWith('-worker.ts') ||
      (path.startsWith('commands/') &&
        /^(process\.exitCode = )?await (main|runCommand)\(/m.test(readFileSync(join(source, path), 'utf8'))),
  )
}

const here = 'import.meta.url'

/** Files beside the program are found from where its source lies; a thread's program from where it is built. */
const places = {
  name: 'places-of-the-source',
  transform: {
    filter: { id: /\/src\/.*\.ts$/, code: here },
    handler: (code, id) =>
      code
        .split(/(new URL\('\.\/[\w-]+-worker\.ts', import\.meta\.url\))/)
        .map((part, index) =>
          index % 2 === 1
            ? part.replace('.ts', '.js')
            : part.replaceAll(here, `new URL(${JSON.stringify(relative(out, id))}, ${here}).href`),
        )
        .join(''),
  },
}

const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
await build({
  input: Object.fromEntries(programs().map((path) => [basename(path, '.ts'), join(source, path)])),
  platform: 'node',
  // The database's driver has a second one in C that it takes where it is installed.
  external: [...Object.keys(dependencies), 'pg-native'],
  plugins: [places],
  output: { dir: draft, ...SERVER_OUTPUT },
  logLevel: 'warn',
})
rmSync(out, { recursive: true, force: true })
renameSync(draft, out)
