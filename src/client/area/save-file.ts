export function saveFile(name: string, type: string, text: string | BlobPart[]) {
  const parts = typeof text === 'string' ? [text] : text
  const url = URL.createObjectURL(new Blob(parts, { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
