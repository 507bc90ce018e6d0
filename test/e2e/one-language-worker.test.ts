import { expect, test } from 'vitest'
import type { OperatorCampaign } from '../../src/shared/api/campaign.ts'
import { localPath, publicLocales } from '../../src/shared/languages.ts'
import { openNoticeBrowser, startStaffedServerAndBrowser } from '../support/browser.ts'
import { openVisitor } from '../support/visitor.ts'

const { server, owner } = await startStaffedServerAndBrowser()

test('the worker of notices is installed whichever languages the sale comes in', async () => {
  const { revision, settings } = await owner<OperatorCampaign>('GET', '/operator/campaign')
  await owner('PUT', '/operator/campaign', { revision, settings: { ...settings, languages: ['en'] } })
  const browser = await openNoticeBrowser()
  try {
    const { page } = await openVisitor(browser, { serviceWorkers: 'allow' })
    await page.goto(`${server.url}/login`)
    const state = await page.evaluate(async () => {
      const { installing, active } = await navigator.serviceWorker.register('/service-worker.js')
      const worker = installing ?? active
      if (!worker) return 'none'
      return new Promise((done) => {
        const look = () => ['activated', 'redundant'].includes(worker.state) && done(worker.state)
        worker.addEventListener('statechange', look)
        look()
      })
    })
    expect(state).toBe('activated')
    const kept = await page.evaluate(async () => {
      const [name = ''] = await caches.keys()
      return (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)
    })
    expect(kept.toSorted()).toEqual(publicLocales.map((locale) => localPath(locale, '/offline')).toSorted())
    await page.context().setOffline(true)
    await page.goto(`${server.url}/es/terms`)
    await page.getByRole('heading', { name: 'Sin red' }).waitFor()
  } finally {
    await browser.close()
  }
})
