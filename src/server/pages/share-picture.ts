import { fileURLToPath } from 'node:url'
import { renderAsync } from '@resvg/resvg-js'

const fonts = ['display', 'text', 'mono'].map((name) =>
  fileURLToPath(new URL(`./fonts/${name}.ttf`, import.meta.url)),
)

/** Draws an SVG as PNG with the project's own faces; no font of the machine is looked at. */
export async function pngFromSvg(svg: string): Promise<Buffer> {
  const picture = await renderAsync(svg, {
    font: { fontFiles: fonts, loadSystemFonts: false, defaultFontFamily: 'Picture Text' },
  })
  return picture.asPng()
}
