// Bundles the server and its commands into dist/server. They start twice as fast, need less memory, and only
// need libraries with machine code (`dependencies` in package.json).
import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { SERVER_OUTPUT } from './server-output.mjs'

const root = fileURLToPath(new URL('../', import.meta.url))
const source = join(root, 'src/server')
const out = join(root, 'dist/server')
/** The draft is renamed when complete: concurrent or aborted builds leave no partial result. */
const draft = join(root, `dist/server-${process.pid}`)

/** Entries: commands and worker threads. */
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

/** Places of data files are relative to the source, those of worker threads to the build. */
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
  // An optional part of the database driver.
  external: [...Object.keys(dependencies), 'pg-native'],
  plugins: [places],
  output: { dir: draft, ...SERVER_OUTPUT },
  logLevel: 'warn',
})
rmSync(out, { recursive: true, force: true })
renameSync(draft, out)
