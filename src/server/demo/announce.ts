import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Queryable, statement } from '../database/database.ts'
import { demoAnnouncement } from './demo-texts.ts'

const pictureFile = new URL('./announcement.svg', import.meta.url)

const INSERT_PICTURE = statement(
  'seed_picture',
  `insert into uploads (name, media_type, size_bytes, sha256, width, height, bytes)
   values ($1, 'image/png', $2, $3, $4, $5, $6) returning id`,
)
const INSERT_ANNOUNCEMENT = statement(
  'seed_announcement',
  'insert into announcements (title, body, image_id, image_alt, pinned, published_at) values ($1, $2, $3, $4, true, now())',
)

/** The demo's one pinned announcement, with a picture drawn by this project. */
export async function seedAnnouncement(tx: Queryable): Promise<void> {
  // Loaded for the first start alone.
  const { Resvg } = await import('@resvg/resvg-js')
  const picture = new Resvg(readFileSync(pictureFile, 'utf8'), { font: { loadSystemFonts: false } }).render()
  const png = picture.asPng()
  const { id } = await tx.one<{ id: string }>(INSERT_PICTURE, [
    `${randomBytes(18).toString('base64url')}.png`,
    png.length,
    createHash('sha256').update(png).digest(),
    picture.width,
    picture.height,
    png,
  ])
  const { title, body, imageAlt } = demoAnnouncement
  await tx.query(INSERT_ANNOUNCEMENT, [
    JSON.stringify(title),
    JSON.stringify(body),
    id,
    JSON.stringify(imageAlt),
  ])
}
