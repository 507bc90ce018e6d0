import { fileURLToPath } from 'node:url'

const fonts = ['display', 'text', 'mono'].map((name) =>
  fileURLToPath(new URL(`./fonts/${name}.ttf`, import.meta.url)),
)

/** With the project's own fonts only. */
export async function pngFromSvg(svg: string): Promise<Buffer> {
  // Loaded on demand to save memory.
  const { renderAsync } = await import('@resvg/resvg-js')
  const picture = await renderAsync(svg, {
    font: { fontFiles: fonts, loadSystemFonts: false, defaultFontFamily: 'Picture Text' },
  })
  return picture.asPng()
}
