import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))

/** The binary itself, because the package's wrapper does not stop it. */
function forgeBinary(): string {
  const system = process.platform === 'darwin' ? 'darwin' : 'linux'
  const name = `@foundry-rs/forge-${system}-${process.arch === 'arm64' ? 'arm64' : 'amd64'}`
  return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'bin/forge')
}

export function forge(
  args: readonly string[],
  {
    environment = {},
    stdio = 'pipe',
  }: { environment?: Record<string, string>; stdio?: 'pipe' | 'inherit' } = {},
): Promise<{ code: number; output: string }> {
  const child = spawn(forgeBinary(), [...args, '--root', root], {
    cwd: root,
    stdio: ['ignore', stdio, stdio],
    env: {
      ...process.env,
      PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`,
      NO_COLOR: '1',
      FOUNDRY_CONFIG: join(root, 'contracts/foundry.toml'),
      ...environment,
    },
  })
  const chunks: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString('utf8') }))
  })
}
