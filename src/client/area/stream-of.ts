import { ApiError, NetworkError } from '../api.ts'

/**
 * Reports the number of rows so far, without the heading. Throws `ApiError` if the server rejects the file,
 * `NetworkError` if the stream breaks, and the reason of an abort.
 */
export async function streamOf(url: string, signal: AbortSignal, onRows: (rows: number) => void) {
  const broken = (cause: unknown) => (signal.aborted ? cause : new NetworkError(undefined, cause))
  const response = await fetch(url, { signal, credentials: 'same-origin', cache: 'no-store' }).catch(
    (cause: unknown) => {
      throw broken(cause)
    },
  )
  if (!response.ok || !response.body) {
    const reply = (await response.json().catch(() => undefined)) as ConstructorParameters<typeof ApiError>[1]
    throw reply?.error ? new ApiError(response.status, reply) : new NetworkError(response.status)
  }
  const parts: Uint8Array<ArrayBuffer>[] = []
  const reader = response.body.getReader()
  let lines = 0
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      parts.push(read.value)
      for (const byte of read.value) if (byte === 10) lines += 1
      onRows(Math.max(0, lines - 1))
    }
  } catch (cause) {
    throw broken(cause)
  }
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  return { name: name ?? 'export.csv', parts }
}
