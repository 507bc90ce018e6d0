import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Secrets } from './secrets.ts'

/** A sealed recovery code: its mark, and the mark's candidate keys. */
const markSchema = z.object({ keys: z.array(z.base64()), mark: z.base64() })

/** With its own random key, ready for sealing. Can be resealed without the code. */
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

/** For an unsealed mark of an older version, whose key derives from a `SECRET_KEY`. */
export function plainRecoveryCode(secrets: Secrets, mark: Buffer): string {
  return written(secrets.derivedKeys('recovery codes'), mark)
}

function written(keys: readonly Buffer[], mark: Buffer): string {
  return JSON.stringify({ keys: keys.map((key) => key.toString('base64')), mark: mark.toString('base64') })
}

function macOf(key: Buffer, code: string): Buffer {
  return createHmac('sha256', key).update(code).digest()
}
