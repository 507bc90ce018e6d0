import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PublicCampaign } from '../../shared/api/campaign.ts'
import { type PublicLocale, publicLocales, scriptOf } from '../../shared/languages.ts'
import type { PublicAssets, PublicPage } from '../../shared/public-pages.ts'
import { type ClaimFile, readClaimFile } from '../claim-file.ts'
import { StartError } from '../start-error.ts'
import { AFTER_FIRST_FRAME, laterOf } from './after-first-frame.ts'

export interface PublicBuild {
  assets(locale: PublicLocale): PublicAssets
  claimFile: ClaimFile
  /** For `style-src`. */
  cssHash: string
  renderPage(page: PublicPage): string
  renderPicture(input: { campaign: PublicCampaign }, locale: PublicLocale): string
  renderBadge(input: { campaign: PublicCampaign }, locale: PublicLocale): string
}

interface ManifestEntry {
  file: string
  css?: string[]
}
type Manifest = Record<string, ManifestEntry | undefined>

/** The largest is first: it gets the warm connection. */
const fontsAbove = (locale: PublicLocale): string[] => {
  const script = scriptOf(locale)
  return [`onest-${script}`, `sofia-sans-extra-condensed-${script}`, 'martian-mono-latin']
}

/** Throws without a build in `folder`. */
export async function readPublicBuild(folder: string): Promise<PublicBuild> {
  const manifestPath = join(folder, 'client/.vite/manifest.json')
  const claimFile = readClaimFile(folder)
  if (!existsSync(manifestPath) || !claimFile)
    throw new StartError('The pages are not built yet: run `npm run build` first.')
  const manifest = JSON.parse(readFileSync(manifestPath, 'utf8')) as Manifest
  const later = laterOf(`/${fileOf(manifest, /islands\.tsx?$/)}`)
  const css = readFileSync(join(folder, 'client', fileOf(manifest, /styles\/public\.css$/)), 'utf8')
  const fonts = (locale: PublicLocale) =>
    fontsAbove(locale).map((name) => `/${fileOf(manifest, new RegExp(`fonts/${name}\\.woff2$`))}`)
  const assets = (locale: PublicLocale): PublicAssets => ({
    css,
    later,
    afterFirstFrame: AFTER_FIRST_FRAME,
    fonts: fonts(locale),
    claimFile: claimFile.sha256,
  })
  const byLocale = new Map(publicLocales.map((locale) => [locale, assets(locale)]))
  const renderer = (await import(pathToFileURL(join(folder, 'ssr/render.js')).href)) as Pick<
    PublicBuild,
    'renderPage' | 'renderPicture' | 'renderBadge'
  >
  return {
    assets: (locale) => byLocale.get(locale) ?? assets(locale),
    claimFile,
    cssHash: `sha256-${createHash('sha256').update(css).digest('base64')}`,
    renderPage: renderer.renderPage,
    renderPicture: renderer.renderPicture,
    renderBadge: renderer.renderBadge,
  }
}

function fileOf(manifest: Manifest, source: RegExp): string {
  const key = Object.keys(manifest).find((candidate) => source.test(candidate))
  const file = key === undefined ? undefined : manifest[key]?.file
  if (!file) throw new StartError(`The build lacks ${source.source}: run \`npm run build\` again.`)
  return file
}
