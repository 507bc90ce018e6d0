import { expect, test } from 'vitest'
import { paths } from '../../src/client/paths.ts'
import type { OperatorCampaign } from '../../src/shared/api/campaign.ts'
import { password } from '../support/api.ts'
import { startStaffedServerAndBrowser } from '../support/browser.ts'
import { registerBuyer } from '../support/every-state.ts'
import { axeFindings, enter, openVisitor } from '../support/visitor.ts'

const { server, browser, owner } = await startStaffedServerAndBrowser()
await registerBuyer(server, 'video@example.org')

async function setVideo(exchangeVideoUrl: string, videoOrigins: string[]) {
  const { revision, settings } = await owner<OperatorCampaign>('GET', '/operator/campaign')
  const changed = { ...settings, exchangeVideoUrl, videoOrigins }
  await owner('PUT', '/operator/campaign', { revision, settings: changed })
}

test('a video plays in the page on a click where its host is on the list, and is asked nothing before', async () => {
  const { page, context } = await openVisitor(browser)
  await enter(server, context, '/session', { email: 'video@example.org', password })
  const asked: (string | undefined)[] = []
  await context.route('https://video.example/**', async (route) => {
    asked.push(
      await route
        .request()
        .headerValue('referer')
        .then((value) => value ?? undefined),
    )
    await route.fulfill({ contentType: 'text/html', body: '<p>The film</p>' })
  })
  const guide = async () => {
    const answer = await page.goto(server.url + paths.exchangeGuide)
    await page.getByText('which then learns that you watch it').waitFor()
    return answer?.headers()['content-security-policy'] ?? ''
  }
  const policyOf = async () => /frame-src ([^;]*)/.exec(await guide())?.[1]

  await setVideo('https://video.example/embed/7', ['https://other.example'])
  await expect.poll(policyOf).toBe("'self'")
  expect(await page.getByRole('link', { name: 'Play the video' }).getAttribute('target')).toBe('_blank')

  await setVideo('https://video.example/embed/7', ['https://other.example', 'https://video.example'])
  await expect.poll(policyOf).toBe("'self' https://video.example")
  await page.getByText('It comes from video.example').waitFor()
  expect(asked).toEqual([])
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Play the video' }).click()
  await page.frameLocator('iframe').getByText('The film').waitFor()
  expect(asked).toEqual([undefined])
  await page.getByRole('link', { name: 'Open it at video.example' }).waitFor()
  // Operators' pages frame their own preview alone, whatever is on the list.
  const operators = await fetch(`${server.url}/operator`)
  expect(operators.headers.get('content-security-policy')).toContain("frame-src 'self';")
  await context.close()
})
