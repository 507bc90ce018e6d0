// A process that serves a data folder and reports it, to be killed by tests.
import { startEmbedded } from '../../src/server/database/embedded.ts'

const [dataDir = '', mode = 'own', major] = process.argv.slice(2)
try {
  const server = await startEmbedded({
    dataDir,
    mode: mode === 'attach' ? 'attach' : 'own',
    major: major === undefined ? undefined : Number.parseInt(major, 10),
  })
  process.once('SIGTERM', async () => {
    await server.stop()
    process.exit(0)
  })
  // The reader of this line may kill the process at once.
  process.stdout.write(
    `${JSON.stringify({ url: server.ownerUrl, runnerUrl: server.url, pid: server.pid, attached: server.attached })}\n`,
  )
  setInterval(() => undefined, 1000)
} catch (error) {
  process.stderr.write(`${(error as Error).name}: ${(error as Error).message}\n`)
  process.exit(1)
}
