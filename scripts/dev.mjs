// The server again on every change of its code; the pages are built again on every change of theirs.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { root } from './setup.mjs'

const children = [
  spawn(
    process.execPath,
    [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--app', '--watch', '--mode=development'],
    {
      cwd: root,
      stdio: 'inherit',
    },
  ),
  spawn(
    process.execPath,
    [
      '--watch-path=src/server',
      '--watch-path=src/shared',
      '--watch-path=migrations',
      '--watch-preserve-output',
      'src/server/main.ts',
      ...process.argv.slice(2),
    ],
    { cwd: root, stdio: 'inherit' },
  ),
]
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    for (const child of children) child.kill(signal)
  })
}
for (const child of children) {
  child.on('exit', (code) => {
    for (const other of children) other.kill('SIGTERM')
    process.exitCode ||= code ?? 1
  })
}
