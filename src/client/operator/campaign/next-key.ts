/** For example `level-4` after three levels. */
export function nextKey(kind: string, items: readonly { key: string }[]): string {
  const numbered = new RegExp(`^${kind}-(\\d+)$`)
  const numbers = items.map(({ key }) => Number(numbered.exec(key)?.[1] ?? 0))
  return `${kind}-${Math.max(items.length, ...numbers) + 1}`
}
