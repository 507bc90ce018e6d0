import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import type { OperatorCampaign } from '../../src/shared/api/campaign.ts'
import { password } from '../support/api.ts'
import { startFirefox, startWebKit } from '../support/engines.ts'
import { operatorApi } from '../support/every-state.ts'
import { startServer } from '../support/server.ts'

const server = await startServer({ OPERATOR_LOGIN: 'owner', OPERATOR_PASSWORD: password }, { jobs: false })

/** A page of another site, which writes down what the frame says. */
const html = `<!doctype html><html lang="en"><title>Shop</title><h1>Shop</h1><p></p>
<script src="${server.url}/checkout.js" data-inline></script>
<script>addEventListener('message', ({ data }) => { document.querySelector('p').append('heard ' + data.presale + ' ') })</script>`
const sites: Server[] = []
async function openSite(): Promise<string> {
  const site = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html),
  )
  sites.push(site)
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`
}
afterAll(async () => {
  for (const site of sites) site.close()
  await server.close()
})

const [shop, stranger] = [await openSite(), await openSite()]
const owner = await operatorApi(server, 'owner')
const { revision, settings } = await owner<OperatorCampaign>('GET', '/operator/campaign')
await owner('PUT', '/operator/campaign', { revision, settings: { ...settings, frameOrigins: [shop] } })

test.each([
  ['Firefox', startFirefox],
  ['WebKit', startWebKit],
])(
  '%s: a listed site frames the checkout and hears it, another one is left with a link',
  async (_name, start) => {
    const engine = await start()
    try {
      await engine.open(shop)
      await engine.sees('heard height')
      expect(engine.faults).toEqual([])
      // Firefox reports the blocked frame as the page's own error.
      await engine
        .open(stranger)
        .catch((error) => expect(String(error)).toContain('FRAME_ANCESTOR_VIOLATION'))
      await engine.sees(`Open ${new URL(server.url).host}`)
    } finally {
      await engine.close()
    }
  },
)
