// Compiles the contracts and writes contracts/artifacts: `npm run contracts`.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { artifactFiles } from './artifact-files.ts'

const folder = new URL('./artifacts/', import.meta.url)
const files = artifactFiles()
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
for (const [name, text] of files) writeFileSync(new URL(name, folder), text)
console.log(`Wrote ${files.size} files to contracts/artifacts`)
