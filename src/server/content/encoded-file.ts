import { z } from 'zod'
import { documentTypes, imageTypes } from '../../shared/api/content.ts'

export const encodedFile = z.object({
  mediaType: z.enum([...imageTypes, ...documentTypes]),
  extension: z.string(),
  bytes: z.instanceof(Buffer),
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
})
/** Made by `encodeUpload` before a transaction. */
export type EncodedFile = z.output<typeof encodedFile>
