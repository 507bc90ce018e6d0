import { expect, test } from 'vitest'
import { password } from '../support/api.ts'
import { startStaffedServerAndBrowser } from '../support/browser.ts'
import { registerBuyer } from '../support/every-state.ts'
import { area, openOperator, press } from '../support/operator-pages.ts'
import { axeFindings, enter, openVisitor } from '../support/visitor.ts'

const { server, browser } = await startStaffedServerAndBrowser()
await registerBuyer(server, 'perk@example.org')

test('a perk is promised, put off and proved: visitors and buyers see what became of it', async () => {
  const { context, page } = await openOperator(browser, server, 'owner')
  await page.goto(area(server, '/campaign?tab=levels'))
  const level = page.locator('#levels li').first()
  await level.getByText(/Description and perks/).click()
  await level.getByRole('button', { name: 'Add a perk' }).click()
  const perk = level.locator('ul > li').last()
  const save = () => page.getByRole('button', { name: 'Save the settings' }).click()
  await perk.getByLabel('Perk, English').fill('A walk with the club')
  await perk.getByLabel('Link').fill('http://example.org/walk')
  await perk.getByLabel('Promised for').fill('2026-12-01')
  await save()
  await perk.getByText('Enter an https address.').waitFor()
  await perk.getByLabel('Link').fill('https://example.org/walk')
  await save()
  await press(page, 'Save')
  await page.getByText('The campaign was saved.').waitFor()

  const visitor = await openVisitor(browser)
  const told = async () => {
    await visitor.page.goto(server.url)
    await visitor.page.getByText('All levels and their perks').click()
    return visitor.page.getByRole('listitem').filter({ hasText: 'A walk with the club' }).innerText()
  }
  await expect.poll(told).toBe('A walk with the club · promised for December 1, 2026 · no proof yet')

  await perk.getByLabel('Promised for').fill('2027-03-01')
  await perk.getByLabel('Proof that it was kept').fill('https://example.org/walked')
  await save()
  await press(page, 'Save')
  await perk.getByText(/^Proof given/).waitFor()
  await perk.getByText('First promised for 2026-12-01; visitors see that, too.').waitFor()
  expect(await axeFindings(page)).toEqual([])
  const becameOf =
    /^A walk with the club · first promised for December 1, 2026 · promised for March 1, 2027 · proof, given on \w+ \d+, 20\d\d$/
  await expect.poll(told).toMatch(becameOf)

  await enter(server, visitor.context, '/session', { email: 'perk@example.org', password })
  await visitor.page.goto(`${server.url}/dashboard/status`)
  const own = visitor.page.getByRole('listitem').filter({ hasText: 'A walk with the club' }).last()
  await expect.poll(async () => (await own.innerText()).trim()).toMatch(becameOf)
  expect(
    await own.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
  ).toEqual(['https://example.org/walk', 'https://example.org/walked'])
  expect(await axeFindings(visitor.page)).toEqual([])
  await visitor.context.close()
  await context.close()
})
