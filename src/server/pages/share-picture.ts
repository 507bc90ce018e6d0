import { fileURLToPath } from 'node:url'

const fonts = ['display', 'text', 'mono'].map((name) =>
  fileURLToPath(new URL(`./fonts/${name}.ttf`, import.meta.url)),
)

/** Draws an SVG as PNG with the project's own faces; no font of the machine is looked at. */
export async function pngFromSvg(svg: string): Promise<Buffer> {
  // Loaded for the first picture: a server that draws none is spared its memory.
  const { renderAsync } = await import('@resvg/resvg-js')
  const picture = await renderAsync(svg, {
    font: { fontFiles: fonts, loadSystemFonts: false, defaultFontFamily: 'Picture Text' },
  })
  return picture.asPng()
}
