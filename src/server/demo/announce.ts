import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Queryable, sql } from '../database/database.ts'
import { demoAnnouncement } from './demo-texts.ts'

const pictureFile = new URL('./announcement.svg', import.meta.url)

export async function seedAnnouncement(tx: Queryable): Promise<void> {
  // For the first start only.
  const { Resvg } = await import('@resvg/resvg-js')
  const picture = new Resvg(readFileSync(pictureFile, 'utf8'), { font: { loadSystemFonts: false } }).render()
  const png = picture.asPng()
  const name = `${randomBytes(18).toString('base64url')}.png`
  const digest = createHash('sha256').update(png).digest()
  const { id } = await tx.one<{ id: string }>(
    sql`insert into uploads (name, media_type, size_bytes, sha256, width, height, bytes)
        values (${name}, 'image/png', ${png.length}, ${digest}, ${picture.width}, ${picture.height}, ${png}) returning id`,
  )
  const { title, body, imageAlt } = demoAnnouncement
  await tx.query(
    sql`insert into announcements (title, body, image_id, image_alt, pinned, published_at)
        values (${JSON.stringify(title)}, ${JSON.stringify(body)}, ${id}, ${JSON.stringify(imageAlt)}, true, now())`,
  )
}
