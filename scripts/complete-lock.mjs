// Adds what npm omits: optional packages for other platforms, without which `npm ci` fails, and missing
// `integrity` hashes that the registry knows.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const path = join(fileURLToPath(new URL('../', import.meta.url)), 'package-lock.json')
const SYSTEMS = [
  'android',
  'darwin',
  'freebsd',
  'linux',
  'openharmony',
  'win32',
  'sunos',
  'netbsd',
  'openbsd',
  'aix',
]
const PROCESSORS = [
  ['arm64', 'arm64'],
  ['aarch64', 'arm64'],
  ['wasm32', 'wasm32'],
  ['arm', 'arm'],
  ['x64', 'x64'],
  ['amd64', 'x64'],
  ['ia32', 'ia32'],
  ['ppc64', 'ppc64'],
  ['riscv64', 'riscv64'],
  ['s390x', 's390x'],
  ['loong64', 'loong64'],
  ['mips64el', 'mips64el'],
]

/** By their place in the lock file. */
export function missingEntries(lock) {
  const missing = {}
  for (const [at, parent] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
      if (!/^\d/.test(version)) continue
      const places = placesOf(at, name)
      const nearest = places.map((place) => lock.packages[place] ?? missing[place]).find(Boolean)
      if (nearest?.version === version) continue
      const free = places.findLast((place) => !lock.packages[place] && !missing[place])
      missing[free] = entryOf(name, version, parent)
    }
  }
  return missing
}

/** Nearest first. */
function placesOf(at, name) {
  const folders = at
    .split('/node_modules/')
    .map((_, index, parts) => parts.slice(0, index + 1).join('/node_modules/'))
  const places = folders.filter(Boolean).map((folder) => `${folder}/node_modules/${name}`)
  return [...places.toReversed(), `node_modules/${name}`]
}

function entryOf(name, version, parent) {
  const words = name.split(/[/-]/)
  const cpu = PROCESSORS.find(([word]) => words.includes(word))?.[1]
  const os = SYSTEMS.find((word) => words.includes(word))
  const libc = words.some((word) => word.startsWith('musl'))
    ? 'musl'
    : words.some((word) => word.startsWith('gnu'))
      ? 'glibc'
      : undefined
  return {
    version,
    ...(cpu && { cpu: [cpu] }),
    ...(parent.dev && { dev: true }),
    ...(libc && { libc: [libc] }),
    ...(parent.license && { license: parent.license }),
    optional: true,
    ...(os && { os: [os] }),
    ...(parent.engines && { engines: parent.engines }),
  }
}

function integrityOf(place, version) {
  const name = place.split('node_modules/').at(-1)
  const { stdout } = spawnSync('npm', ['view', `${name}@${version}`, 'dist.integrity'], { encoding: 'utf8' })
  return /^sha512-\S+$/.exec(stdout.trim())?.[0]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lock = JSON.parse(readFileSync(path, 'utf8'))
  const missing = missingEntries(lock)
  const all = Object.entries({ ...lock.packages, ...missing })
  const unproved = all.filter(([place, entry]) => place !== '' && !entry.link && !entry.integrity)
  for (const [place, entry] of unproved) {
    const integrity = integrityOf(place, entry.version)
    if (integrity) entry.integrity = integrity
    else console.log(`without integrity, because the registry at hand lacks it: ${place}`)
  }
  // Sort in npm's order, or the next install would rewrite the file.
  lock.packages = Object.fromEntries(all.toSorted(([a], [b]) => a.localeCompare(b, 'en')))
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
  console.log(`${Object.keys(missing).length} entries added`)
}
