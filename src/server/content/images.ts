import { createQueue } from '../queue.ts'
import { refuse } from '../refusal.ts'
import type { EncodedFile } from './encoded-file.ts'

type ImageType = 'png' | 'jpeg' | 'webp'

/** Larger pictures are rejected before decoding: a small file can't exhaust the memory. */
const PIXELS_MAX = 40_000_000
/** Longer sides are scaled down; no page shows more. */
const SIDE_MAX = 2_000

/** By the first bytes; undefined for others (SVG, HTML, GIF, …). */
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

/** One picture at a time: decoding takes up to 160 MB, and a thread that passwords and files need. */
const take = createQueue(1)

/** Keeps only pixels (no metadata, location or trailing data). */
export async function encodeImage(bytes: Buffer): Promise<EncodedFile> {
  const end = await take()
  return encodeAlone(bytes).finally(end)
}

async function encodeAlone(bytes: Buffer): Promise<EncodedFile> {
  // Its native library is larger than the rest of an idle server.
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
    // The library reports a damaged file by its message alone; our own rejections above end here too.
    refuse('upload_unreadable', { reason: error instanceof Error ? error.message.slice(0, 200) : undefined })
  }
}
