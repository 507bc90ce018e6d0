// All static checks. The comparison with the last release's API is slow to set up: `npm run check -- api`.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from './setup.mjs'

const bin = (path) => join(root, 'node_modules', path)

const CHECKS = [
  { name: 'types', args: [bin('typescript/bin/tsc'), '--noEmit'] },
  { name: 'lint', args: [bin('oxlint/bin/oxlint')] },
  { name: 'format', args: [bin('@biomejs/biome/bin/biome'), 'check'], fix: 'npm run format' },
  { name: 'messages', args: ['scripts/check-messages.mjs'] },
  { name: 'unused', args: ['scripts/check-unused.mjs'] },
  { name: 'api', args: ['scripts/compare-api.ts'], isApart: true },
]

const only = process.argv.slice(2)
const failed = []
for (const { name, args, fix, isApart } of CHECKS) {
  if (only.length > 0 ? !only.includes(name) : isApart) continue
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  console.log(`${status === 0 ? 'passed' : 'failed'}: ${name}${status !== 0 && fix ? ` (fix: ${fix})` : ''}`)
  if (status !== 0) failed.push(name)
}
process.exit(failed.length > 0 ? 1 : 0)
