#!/usr/bin/env node
// `presale` runs the server, `presale backup FILE` and others the commands of dist/server. Needs only Node.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SERVER_FLAGS, SERVER_MEMORY } from './server-flags.mjs'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (!((major === 22 && minor >= 18) || major >= 24)) {
  process.stderr.write(`This needs Node 22.18 or newer, or 24; here runs ${process.versions.node}.\n`)
  process.exit(1)
}
const programs = fileURLToPath(new URL('./dist/server/', import.meta.url))
const [first = '', ...others] = process.argv.slice(2)
const isServer = first === '' || first.startsWith('-')
const program = join(programs, `${isServer ? 'main' : first}.js`)
if (!isServer && (!/^[a-z-]+$/.test(first) || !existsSync(program))) {
  process.stderr.write(`There is no command ${first}. Some are: backup, backup-drill, doctor, ledger-check, operator, restore.\n`)
  process.exit(1)
}
const args = isServer ? [...SERVER_FLAGS, program, ...process.argv.slice(2)] : [program, ...others]
// The word for commands in messages; an installation has its own (deploy/release/presale.sh).
const env = { PRESALE_COMMAND: 'node presale.mjs', ...process.env, ...SERVER_MEMORY }
if (typeof process.execve === 'function') process.execve(process.execPath, [process.execPath, ...args], env)
const child = spawn(process.execPath, args, { stdio: 'inherit', env })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
