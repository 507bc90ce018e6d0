import { pictureColors } from '../../shared/brand.ts'
import type { Campaign } from '../campaign/campaign.ts'
import type { Content } from '../content/content.ts'
import { charged, SHARED } from '../http/costs.ts'
import type { Server } from '../http/serve.ts'
import { clientFolder } from './static.ts'

const { paper: PAPER } = pictureColors({ accent: null })
const sides = [192, 512] as const
const HOUR = 'public, max-age=3600'

interface InstallableNeeds {
  readonly campaign: Pick<Campaign, 'current'>
  readonly content: Pick<Content, 'uploads'>
}

export function mountInstallable({ app }: Server, { campaign, content }: InstallableNeeds): void {
  app.get('/manifest.webmanifest', SHARED, async (_request, reply) => {
    const { settings } = await campaign.current()
    const { logoUploadId } = settings.brand
    const { paper } = pictureColors(settings.brand)
    return reply
      .type('application/manifest+json; charset=utf-8')
      .header('cache-control', 'public, max-age=60')
      .send({
        id: '/dashboard',
        name: settings.name,
        short_name: settings.symbol.length > 0 ? settings.symbol : settings.name,
        start_url: '/dashboard',
        scope: '/',
        display: 'standalone',
        background_color: paper,
        theme_color: paper,
        icons: sides.map((side) => ({
          src: `/app-icon/${side}.png${logoUploadId ? `?of=${encodeURIComponent(logoUploadId)}` : ''}`,
          sizes: `${side}x${side}`,
          type: 'image/png',
        })),
      })
  })
  const icons = new Map<string, Promise<Buffer>>()
  for (const side of sides)
    app.get(`/app-icon/${side}.png`, charged({ statements: 10 }), async (_request, reply) => {
      const { settings } = await campaign.current()
      const logo = settings.brand.logoUploadId
      const key = `${side} ${logo ?? ''}`
      const drawn = icons.get(key) ?? drawIcon(content, logo, side)
      for (const known of icons.keys()) if (known.startsWith(`${side} `) && known !== key) icons.delete(known)
      icons.set(key, drawn)
      drawn.catch(() => icons.delete(key))
      return reply
        .type('image/png')
        .header('cache-control', HOUR)
        .send(await drawn)
    })
}

async function drawIcon(content: InstallableNeeds['content'], logo: string | null, side: number) {
  const { default: sharp } = await import('sharp')
  const file = logo ? await content.uploads.find(logo) : undefined
  const slices: Buffer[] = []
  if (file) for await (const slice of content.uploads.read(file)) slices.push(slice)
  const source = file ? Buffer.concat(slices) : `${clientFolder}/favicon.svg`
  const inner = Math.round(side * 0.8)
  const picture = await sharp(source, { density: 600 })
    .resize(inner, inner, { fit: 'contain', background: '#0000' })
    .toBuffer()
  return sharp({ create: { width: side, height: side, channels: 4, background: PAPER } })
    .composite([{ input: picture }])
    .png()
    .toBuffer()
}
