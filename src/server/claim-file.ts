import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const builtFolder = fileURLToPath(new URL('../../dist', import.meta.url))

export interface ClaimFile {
  readonly content: Buffer
  readonly sha256: string
}

/** Undefined before a build. */
export function readClaimFile(folder: string = builtFolder): ClaimFile | undefined {
  const path = join(folder, 'claim/claim.html')
  if (!existsSync(path)) return undefined
  const content = readFileSync(path)
  return { content, sha256: createHash('sha256').update(content).digest('hex') }
}
