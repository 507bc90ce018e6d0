// Rebuilds changed pages and restarts the server after any change.
import { spawn } from 'node:child_process'
import { createBuilder } from 'vite'
import { root } from './setup.mjs'

let server
let starting = Promise.resolve()

/** Two servers can't share one embedded database. */
function startServer() {
  starting = starting.then(async () => {
    await endServer()
    const watched = ['src/server', 'src/shared', 'locales', 'migrations', 'functions'].map(
      (path) => `--watch-path=${path}`,
    )
    server = spawn(
      process.execPath,
      [...watched, '--watch-preserve-output', 'src/server/main.ts', ...process.argv.slice(2)],
      { cwd: root, stdio: 'inherit' },
    )
  })
}

function endServer() {
  if (!server || server.exitCode !== null || server.signalCode !== null) return
  const ended = new Promise((resolve) => server.once('exit', resolve))
  server.kill('SIGTERM')
  return ended
}

const builder = await createBuilder({ root, mode: 'development', build: { watch: {} } })
const unbuilt = new Set(Object.keys(builder.environments))
const watchers = []
for (const environment of Object.values(builder.environments)) {
  const watcher = await builder.build(environment)
  watchers.push(watcher)
  watcher.on('event', (event) => {
    // Vite has reported a failed build.
    if (event.code !== 'BUNDLE_END') return
    event.result.close()
    unbuilt.delete(environment.name)
    // The server reads the build once, at its start.
    if (unbuilt.size === 0) startServer()
  })
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, async () => {
    await Promise.all([endServer(), ...watchers.map((watcher) => watcher.close())])
    process.exit()
  })
}
