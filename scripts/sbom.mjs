// Writes the bill of materials (CycloneDX 1.6) of the lock file. `npm sbom` fails, because two packages
// request each other by a tag.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))

/** The document is deterministic. */
export function billOf(lock) {
  const packages = Object.entries(lock.packages).filter(([path, entry]) => path !== '' && !entry.link)
  const own = lock.packages['']
  const digest = createHash('sha256').update(JSON.stringify(lock)).digest('hex')
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-5$3-8$4-$5')}`,
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': '.',
        name: own.name,
        version: own.version,
        licenses: licensesOf(own),
      },
    },
    components: packages.map(([path, entry]) => componentOf(path, entry)),
    dependencies: ['', ...packages.map(([path]) => path)].map((path) => ({
      ref: path || '.',
      dependsOn: dependenciesOf(lock, path),
    })),
  }
}

function componentOf(path, entry) {
  const name = entry.name ?? path.split('node_modules/').at(-1)
  return {
    type: 'library',
    'bom-ref': path,
    name,
    version: entry.version,
    // `optional` means not needed at run time in CycloneDX. `dev` packages are bundled into server and pages.
    scope: entry.dev || entry.optional || entry.devOptional ? 'optional' : 'required',
    purl: `pkg:npm/${name.replace('@', '%40')}@${entry.version}`,
    ...(entry.license && { licenses: licensesOf(entry) }),
    ...(entry.integrity && { hashes: entry.integrity.split(' ').map(hashOf) }),
  }
}

function licensesOf({ license }) {
  return [/ (OR|AND) /.test(license) ? { expression: license } : { license: { name: license } }]
}

function hashOf(integrity) {
  const [algorithm, value] = integrity.split(/-(.*)/s)
  return {
    alg: algorithm.toUpperCase().replace('SHA', 'SHA-'),
    content: Buffer.from(value, 'base64').toString('hex'),
  }
}

/** Dependencies as Node resolves them, nearest folder first. */
function dependenciesOf(lock, path) {
  const { dependencies, devDependencies, optionalDependencies } = lock.packages[path]
  const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
  const found = names.map((name) => {
    for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
      const place = `${at ? `${at}/` : ''}node_modules/${name}`
      if (lock.packages[place]) return place
      if (!at) return undefined
    }
  })
  return [...new Set(found.filter(Boolean))]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  process.stdout.write(`${JSON.stringify(billOf(lock), null, 2)}\n`)
}
