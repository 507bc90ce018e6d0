import { gzipSync } from 'node:zlib'
import type { BrowserContext } from '@playwright/test'

export interface LoadedScript {
  readonly name: string
  /** Gzipped by the same hand whatever the server sent. */
  readonly bytes: number
}

/** What scripts a browser loads for a page that is opened, read to its end and left alone, largest first. */
export async function scriptsOf(context: BrowserContext, address: string): Promise<LoadedScript[]> {
  const tab = await context.newPage()
  const loading: Promise<LoadedScript>[] = []
  tab.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return
    const name = new URL(response.url()).pathname.replace(/^.*\//, '')
    loading.push(response.body().then((body) => ({ name, bytes: gzipSync(body).length })))
  })
  await tab.goto(address, { waitUntil: 'networkidle' })
  for (let screen = 0; screen < 15; screen += 1) {
    await tab.mouse.wheel(0, 800)
    await tab.waitForTimeout(100)
  }
  await tab.waitForTimeout(1_500)
  const scripts = await Promise.all(loading)
  await tab.close()
  return scripts.toSorted((a, b) => b.bytes - a.bytes)
}

export const bytesOf = (scripts: readonly LoadedScript[]) =>
  scripts.reduce((sum, { bytes }) => sum + bytes, 0)
