/** Vite fills it in: the files of a pattern, fetched one by one or all at once. */
interface ImportMeta {
  glob<T>(files: string | readonly string[]): Record<string, () => Promise<T>>
}
