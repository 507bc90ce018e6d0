import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A log in the original's input: bytes in base64, proofs by index and by older size. */
export interface LogForOriginal {
  vkey: string
  /** Smallest first; the files are those of the last. */
  checkpoints: string[]
  files: Record<string, string>
  inclusion: Record<string, string[]>
  consistency: Record<string, string[]>
}

/**
 * Runs Debian's package of the Go project's log, which is independent of our code: checks a log and returns
 * its own proofs.
 */
export function askOriginal(input: LogForOriginal) {
  const env = {
    PATH: process.env['PATH'],
    GO111MODULE: 'off',
    GOPATH: '/usr/share/gocode',
    GOCACHE: fileURLToPath(new URL('../../node_modules/.cache/go', import.meta.url)),
    GOFLAGS: '',
    GOTOOLCHAIN: 'local',
  }
  const script = fileURLToPath(new URL('original.go', import.meta.url))
  const asked = spawnSync('go', ['run', script], {
    env,
    input: JSON.stringify(input),
    maxBuffer: 100_000_000,
  })
  return { code: asked.status, error: String(asked.stderr), output: String(asked.stdout) }
}
