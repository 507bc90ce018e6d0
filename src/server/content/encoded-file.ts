import { z } from 'zod'
import { documentTypes, imageTypes } from '../../shared/api/content.ts'

export const encodedFile = z.object({
  mediaType: z.enum([...imageTypes, ...documentTypes]),
  extension: z.string(),
  bytes: z.instanceof(Buffer),
  /** Pixels, of images. */
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
})
/** A file as it will be stored: `encodeUpload` makes it, before a transaction begins. */
export type EncodedFile = z.output<typeof encodedFile>
