import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { run } from '../machine.ts'

/** Both would tell their makers of each start. */
export const NO_TELEMETRY = { VENDURE_DISABLE_TELEMETRY: 'true', MEDUSA_DISABLE_TELEMETRY: 'true' }

interface Installation {
  readonly name: string
  /** Exact versions. What these need is as new as on the day of the first run, and stays so until the folder is deleted. */
  readonly packages: Readonly<Record<string, string>>
  /** Files of this folder, each with its name there. */
  readonly files: Readonly<Record<string, string>>
}

/** A peer's packages from npm, in a folder of their own outside the repository that the next run finds again. No install script runs. */
export async function install({ name, packages, files }: Installation): Promise<string> {
  const version = Object.values(packages)[0] ?? ''
  const folder = join(tmpdir(), 'presale-bench-peers', `${name}-${version}`)
  if (!existsSync(folder)) {
    console.log(`  installing ${name} ${version} into ${folder}`)
    const draft = `${folder}-${process.pid}`
    mkdirSync(draft, { recursive: true })
    const manifest = { name: `peer-${name}`, private: true, dependencies: packages }
    writeFileSync(join(draft, 'package.json'), JSON.stringify(manifest))
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    const { out, status } = await run('npm', ['--prefix', draft, 'install', ...quiet], {
      PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
    })
    if (status !== 0) {
      rmSync(draft, { recursive: true, force: true })
      throw new Error(`${name} did not install: ${out}`)
    }
    // Beside its place and renamed, so that an installation which is cut short leaves nothing half made.
    renameSync(draft, folder)
  }
  for (const [from, to] of Object.entries(files))
    copyFileSync(join(import.meta.dirname, from), join(folder, to))
  return folder
}
