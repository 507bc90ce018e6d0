/** What an answer says, of at most `bytesMax`; a longer one is refused as it comes, before it fills the memory. */
export async function shortAnswer(response: Response, bytesMax: number): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    if (size > bytesMax) throw new Error('the answer is too long')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
