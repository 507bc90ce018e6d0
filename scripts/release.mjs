// Makes a tarball that needs only Node, its checksum, a bill of materials and, if RELEASE_KEY names an
// Ed25519 key (`openssl genpkey -algorithm ed25519`), a signature. The next release needs the same key. For
// the current platform, because PostgreSQL and three libraries are machine code.
import { execFileSync } from 'node:child_process'
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { billOf } from './sbom.mjs'
import { root } from './setup.mjs'

const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const platform = `${process.platform}-${process.arch}`
const name = `${own.name}-${own.version}-${platform}`
const out = join(root, 'release')
const stage = join(out, 'package')
rmSync(stage, { recursive: true, force: true })
mkdirSync(stage, { recursive: true })

/** Folders read at run time. */
const FOLDERS = [
  'contracts/artifacts',
  'dist',
  'docs',
  'functions',
  'locales',
  'migrations',
  'deploy',
  'src/server',
  'src/shared',
]
const FILES = ['LICENSE', 'README.md', 'SECURITY.md', '.env.example']
for (const path of [...FOLDERS, ...FILES]) cpSync(join(root, path), join(stage, path), { recursive: true })
cpSync(join(root, 'deploy/release/presale.mjs'), join(stage, 'presale.mjs'))
cpSync(join(root, 'scripts/server-flags.mjs'), join(stage, 'server-flags.mjs'))
// The Node for deploy/install.sh, with its checksum.
cpSync(join(root, 'scripts/node/package-lock.json'), join(stage, 'node-lock.json'))

/** Libraries as installed for this platform. */
function closure() {
  const found = new Set()
  const take = (library, isOptional) => {
    const manifest = join(root, 'node_modules', library, 'package.json')
    if (found.has(library)) return
    if (!existsSync(manifest)) {
      if (isOptional) return
      throw new Error(`${library} is not installed`)
    }
    found.add(library)
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8'))
    for (const more of Object.keys(optionalDependencies)) take(more, true)
    for (const more of Object.keys(dependencies)) if (!(more in optionalDependencies)) take(more, false)
  }
  for (const library of Object.keys(own.dependencies)) take(library, false)
  for (const library of Object.keys(own.optionalDependencies)) take(library, true)
  return [...found].toSorted()
}
const libraries = closure()
for (const library of libraries)
  cpSync(join(root, 'node_modules', library), join(stage, 'node_modules', library), {
    recursive: true,
    verbatimSymlinks: true,
  })

const keyFile = process.env['RELEASE_KEY']
const key = keyFile ? createPrivateKey(readFileSync(keyFile)) : undefined
if (key) {
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${keyFile} is no Ed25519 key`)
  writeFileSync(join(stage, 'release.pub'), createPublicKey(key).export({ type: 'spki', format: 'pem' }))
}

const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
const at = execFileSync('git', ['log', '-1', '--format=%cI'], { cwd: root, encoding: 'utf8' }).trim()
writeFileSync(
  join(stage, 'package.json'),
  `${JSON.stringify(
    {
      name: own.name,
      version: own.version,
      description: own.description,
      license: own.license,
      type: own.type,
      engines: own.engines,
      os: [process.platform],
      cpu: [process.arch],
      bin: { presale: 'presale.mjs' },
      gitHead: commit,
      dependencies: Object.fromEntries(
        libraries.map((library) => [
          library,
          JSON.parse(readFileSync(join(stage, 'node_modules', library, 'package.json'), 'utf8')).version,
        ]),
      ),
      bundleDependencies: libraries,
    },
    null,
    2,
  )}\n`,
)

const tarball = join(out, `${name}.tgz`)
execFileSync(
  'tar',
  [
    '--create',
    '--use-compress-program=gzip -n',
    '--file',
    tarball,
    '--sort=name',
    `--mtime=${at}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    'package',
  ],
  { cwd: out, stdio: 'inherit' },
)
rmSync(stage, { recursive: true })
const bill = `${name}.sbom.json`
writeFileSync(
  join(out, bill),
  `${JSON.stringify(billOf(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))), null, 2)}\n`,
)
const sums = [`${name}.tgz`, bill].map(
  (file) =>
    `${createHash('sha256')
      .update(readFileSync(join(out, file)))
      .digest('hex')}  ${file}\n`,
)
writeFileSync(join(out, 'SHA256SUMS'), sums.join(''))
if (key) writeFileSync(join(out, 'SHA256SUMS.sig'), sign(null, Buffer.from(sums.join('')), key))
else rmSync(join(out, 'SHA256SUMS.sig'), { force: true })
console.log(`${tarball}\n${key ? 'Signed: SHA256SUMS.sig' : 'Not signed: RELEASE_KEY names no key'}`)
