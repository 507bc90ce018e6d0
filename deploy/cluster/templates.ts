import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('./', import.meta.url))

/** Throws for a name without a value and a value without a name. */
export async function fill(
  template: string,
  values: Readonly<Record<string, string | number>>,
): Promise<string> {
  const text = await readFile(join(FOLDER, template), 'utf8')
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_all, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`${template} wants ${name}`)
    return String(value)
  })
}

export interface Patroni {
  readonly version: string
  readonly section: 'etcd' | 'etcd3'
  readonly ttlMin: number
}

/**
 * Throws for versions that lose acknowledged orders in any configuration; one that only does with `etcd3:`
 * uses `etcd:`.
 */
export function judgePatroni(version: string, section?: string): Patroni {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  const number = major * 10_000 + minor * 100 + patch
  if (number < 30_000)
    throw new Error(
      `Patroni ${version} is too old: failsafe_mode and two synchronous standbys need 3.0 or newer`,
    )
  if (number < 30_003 && section === 'etcd3') {
    throw new Error(
      `Patroni ${version} loses acknowledged orders with etcd3: after a freeze longer than ttl it takes the lease of the new primary without ` +
        'a comparison (fixed in 3.0.3). Use a newer Patroni (packages of the PostgreSQL project, Debian 13), or the section etcd: with ' +
        'enable-v2: true in etcd 3.4',
    )
  }
  return {
    version,
    section: number < 30_003 ? 'etcd' : 'etcd3',
    // From 3.2 on Patroni rejects smaller values.
    ttlMin: number < 30_200 ? 5 : 20,
  }
}

export function installedPatroni(program = 'patroni'): Patroni {
  const told = execFileSync(program, ['--version'], { encoding: 'utf8' })
  return judgePatroni(/\d+(?:\.\d+)+/.exec(told)?.[0] ?? '')
}

/** Programs of the newest PostgreSQL installed. */
export function postgresPrograms(): string {
  const base = '/usr/lib/postgresql'
  const versions = existsSync(base) ? readdirSync(base).toSorted((a, b) => Number(b) - Number(a)) : []
  const found = versions.find((version) => existsSync(join(base, version, 'bin/initdb')))
  if (!found) throw new Error('No PostgreSQL server is installed: apt-get install postgresql')
  return join(base, found, 'bin')
}
