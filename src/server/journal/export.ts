import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { TILE_WIDTH } from './tree.ts'
import { readWhole, writeWhole } from './whole-file.ts'

export interface LogFiles {
  signed(): Promise<{ note: string; vkey: string } | undefined>
  tile(level: number, number: bigint, width: number): Promise<Buffer | undefined>
  bundle(number: bigint, width: number): Promise<Buffer | undefined>
  rotation(number: bigint): Promise<string | undefined>
}

// Rules: LOG-29
/**
 * C2SP tlog-tiles. Writes immutable files once, before the checkpoint that needs them. Returns the size,
 * undefined before the log's beginning; throws if the folder has another log.
 */
export async function exportLog(log: LogFiles, folder: string): Promise<bigint | undefined> {
  const signed = await log.signed()
  if (signed === undefined) return undefined
  const { note, vkey } = signed
  const [origin = '', sizeText = '0'] = note.split('\n')
  const before = await readWhole(join(folder, 'checkpoint'))
  if (before !== null && before.split('\n')[0] !== origin)
    throw new Error(`${folder} holds the log ${before.split('\n')[0]}, not ${origin}`)
  const size = BigInt(sizeText)
  for (const { level, number, width } of tilesOf(size)) {
    const path = pathOf(number, width)
    await writeOnce(join(folder, 'tile', String(level), path), () => log.tile(level, number, width))
    if (level === 0) await writeOnce(join(folder, 'tile/entries', path), () => log.bundle(number, width))
  }
  await writeRotations(log, folder)
  await writeWhole(join(folder, 'vkey'), `${vkey}\n`)
  await writeWhole(join(folder, 'checkpoint'), note)
  return size
}

async function writeRotations(log: LogFiles, folder: string): Promise<void> {
  for (let number = 1n; ; number++) {
    const note = await log.rotation(number)
    if (note === undefined) return
    await writeOnce(join(folder, 'rotation', String(number)), async () => Buffer.from(note))
  }
}

function* tilesOf(size: bigint): Generator<{ level: number; number: bigint; width: number }> {
  const whole = BigInt(TILE_WIDTH)
  for (let level = 0, count = size; count > 0n; level++, count /= whole)
    for (let number = 0n; number * whole < count; number++) {
      const rest = count - number * whole
      yield { level, number, width: Number(rest < whole ? rest : whole) }
    }
}

/** N in groups of three digits (C2SP tlog-tiles). */
function pathOf(number: bigint, width: number): string {
  const digits = String(number)
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g) ?? []
  const path = groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join('/')
  return width < TILE_WIDTH ? `${path}.p/${width}` : path
}

async function writeOnce(path: string, read: () => Promise<Buffer | undefined>): Promise<void> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  )
  if (isThere) return
  const bytes = await read()
  if (!bytes) throw new Error(`the journal lacks ${path}`)
  await writeWhole(path, bytes)
}
