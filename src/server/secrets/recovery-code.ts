import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Secrets } from './secrets.ts'

/** The sealed form of a recovery code: its mark, and the candidate keys of the mark. */
const markSchema = z.object({ keys: z.array(z.base64()), mark: z.base64() })

/** A mark with its own random key, ready for sealing. It can be resealed without the code. */
export function markCode(code: string): string {
  const key = randomBytes(32)
  return written([key], macOf(key, code))
}

export function isMarkOf(opened: string, code: string): boolean {
  const { keys, mark } = markSchema.parse(JSON.parse(opened))
  return keys.some((key) =>
    timingSafeEqual(macOf(Buffer.from(key, 'base64'), code), Buffer.from(mark, 'base64')),
  )
}

/** Wraps an unsealed mark of an older version, whose key derives from a `SECRET_KEY`. */
export function plainRecoveryCode(secrets: Secrets, mark: Buffer): string {
  return written(secrets.derivedKeys('recovery codes'), mark)
}

function written(keys: readonly Buffer[], mark: Buffer): string {
  return JSON.stringify({ keys: keys.map((key) => key.toString('base64')), mark: mark.toString('base64') })
}

function macOf(key: Buffer, code: string): Buffer {
  return createHmac('sha256', key).update(code).digest()
}
