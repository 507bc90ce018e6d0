// Compares the API with that of the newest tag `v*`; fails if a client of that release would break.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { breakingChanges, type Description } from './breaking-changes.ts'
// @ts-expect-error: plain JavaScript, which runs before there is anything else.
import { root } from './setup.mjs'

const readApi = (folder: string): Description =>
  JSON.parse(readFileSync(join(folder, 'dist/openapi.json'), 'utf8'))

/** The description, made by the release's own program and dependencies. */
function apiOf(tag: string): Description {
  const folder = mkdtempSync(join(tmpdir(), 'release-'))
  try {
    const git = ['-c', 'advice.detachedHead=false', 'clone', '--quiet', '--depth=1', '--branch', tag]
    execFileSync('git', [...git, `file://${root}`, folder], { stdio: 'inherit' })
    execFileSync(process.execPath, ['scripts/run.mjs', 'api'], { cwd: folder, stdio: 'inherit' })
    return readApi(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const tags = execFileSync(
  'git',
  ['-c', 'versionsort.suffix=-', 'tag', '--list', 'v*', '--sort=-version:refname'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
const [tag] = tags.split('\n').filter(Boolean)
if (tag) {
  const broken = breakingChanges(apiOf(tag), readApi(root))
  for (const change of broken) console.error(change)
  console.log(
    broken.length > 0
      ? `${broken.length} changes break clients of ${tag}`
      : `No change breaks clients of ${tag}`,
  )
  process.exitCode = broken.length > 0 ? 1 : 0
} else console.log('No release yet to compare the API with')
