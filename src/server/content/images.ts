import { createQueue } from '../queue.ts'
import { refuse } from '../refusal.ts'
import type { EncodedFile } from './encoded-file.ts'

type ImageType = 'png' | 'jpeg' | 'webp'

/** A picture of more pixels is refused before it is decoded, so that a small file can't fill the memory. */
const PIXELS_MAX = 40_000_000
/** Longer sides are scaled down: no page shows more. */
const SIDE_MAX = 2_000

/** What the first bytes say. Anything else (SVG, HTML, GIF, …) is none. */
export function imageTypeOf(bytes: Buffer): ImageType | undefined {
  if (bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))) return 'png'
  if (bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))) return 'jpeg'
  if (
    bytes.subarray(0, 4).toString('latin1') === 'RIFF' &&
    bytes.subarray(8, 12).toString('latin1') === 'WEBP'
  )
    return 'webp'
  return undefined
}

/** One picture at a time: decoded it takes up to 160 MB, and a thread that passwords and files wait for as well. */
const take = createQueue(1)

/**
 * Decodes and encodes a picture anew: what is stored holds pixels and nothing else (no metadata, no place where it was
 * taken, nothing behind its end). Refuses `upload_unreadable`.
 */
export async function encodeImage(bytes: Buffer): Promise<EncodedFile> {
  const end = await take()
  return encodeAlone(bytes).finally(end)
}

async function encodeAlone(bytes: Buffer): Promise<EncodedFile> {
  // Loaded with the first picture: its native library is larger than the rest of an idle server.
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  const type = imageTypeOf(bytes)
  try {
    const picture = sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error', pages: 1 })
    const { format } = await picture.metadata()
    if (format !== type) refuse('upload_unreadable')
    const scaled = picture
      .rotate()
      .resize(SIDE_MAX, SIDE_MAX, { fit: 'inside', withoutEnlargement: true })
      .timeout({ seconds: 20 })
    const encoded =
      type === 'png'
        ? scaled.png({ compressionLevel: 9 })
        : type === 'webp'
          ? scaled.webp({ quality: 82 })
          : scaled.jpeg({ quality: 82, mozjpeg: true })
    const { data, info } = await encoded.toBuffer({ resolveWithObject: true })
    return {
      mediaType: `image/${type}`,
      extension: type === 'jpeg' ? 'jpg' : type,
      bytes: data,
      width: info.width,
      height: info.height,
    }
  } catch (error) {
    // The library tells a damaged file by its message only; a refusal of our own above ends here as well.
    refuse('upload_unreadable', { reason: error instanceof Error ? error.message.slice(0, 200) : undefined })
  }
}
