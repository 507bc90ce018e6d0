// Asks the registry for known vulnerabilities. Exit 0: none; 1: some, listed; 2: no answer, which is no pass.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Returns undefined if the registry did not answer. */
export function readAudit(text) {
  let report
  try {
    report = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!report?.metadata?.vulnerabilities || report.error) return undefined
  return Object.values(report.vulnerabilities ?? {}).map(
    ({ name, severity, range }) => `${severity}: ${name} ${range}`,
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { stdout } = spawnSync('npm', ['audit', '--json', '--package-lock-only', '--audit=true'], {
    cwd: root,
    encoding: 'utf8',
    timeout: 120_000,
    maxBuffer: 50_000_000,
  })
  const found = readAudit(stdout ?? '')
  if (found === undefined) {
    console.log(
      'not answered here: the registry at hand tells of no vulnerabilities, so nothing is known of them',
    )
    process.exit(2)
  }
  for (const line of found) console.log(line)
  console.log(`${found.length} packages with known vulnerabilities`)
  process.exit(found.length === 0 ? 0 : 1)
}
