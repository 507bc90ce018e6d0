import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Secrets } from './secrets.ts'

/** What is sealed of a recovery code: its mark, and the keys under one of which the mark was made. */
const markSchema = z.object({ keys: z.array(z.base64()), mark: z.base64() })

/** A mark of a code by a key of its own, to be sealed: it can be sealed anew without the code. */
export function markCode(code: string): string {
  const key = randomBytes(32)
  return written([key], macOf(key, code))
}

/** Whether what was sealed is the mark of this code. */
export function isMarkOf(opened: string, code: string): boolean {
  const { keys, mark } = markSchema.parse(JSON.parse(opened))
  return keys.some((key) =>
    timingSafeEqual(macOf(Buffer.from(key, 'base64'), code), Buffer.from(mark, 'base64')),
  )
}

/** What is sealed of a code whose mark was stored as it was, under a key that followed from `SECRET_KEY`. */
export function plainRecoveryCode(secrets: Secrets, mark: Buffer): string {
  return written(secrets.derivedKeys('recovery codes'), mark)
}

function written(keys: readonly Buffer[], mark: Buffer): string {
  return JSON.stringify({ keys: keys.map((key) => key.toString('base64')), mark: mark.toString('base64') })
}

function macOf(key: Buffer, code: string): Buffer {
  return createHmac('sha256', key).update(code).digest()
}
