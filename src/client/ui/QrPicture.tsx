import { encode } from 'uqr'

/** One SVG path for all dark squares; runs in a row are joined. */
function pathOf(rows: boolean[][]): string {
  let path = ''
  rows.forEach((row, y) => {
    let start = -1
    for (let x = 0; x <= row.length; x++) {
      if (row[x] && start < 0) start = x
      if (!row[x] && start >= 0) {
        path += `M${start} ${y}h${x - start}v1H${start}z`
        start = -1
      }
    }
  })
  return path
}

/** Scanners need dark on white, in both themes. */
export function QrPicture({ text, title, size }: { text: string; title: string; size: number }) {
  const { data, size: modules } = encode(text, { ecc: 'M', border: 2 })
  return (
    <svg
      role="img"
      aria-label={title}
      viewBox={`0 0 ${modules} ${modules}`}
      width={size}
      height={size}
      shapeRendering="crispEdges"
      className="rounded-sm bg-white"
    >
      <path d={pathOf(data)} fill="#000" />
    </svg>
  )
}
