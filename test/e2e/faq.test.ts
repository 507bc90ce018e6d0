import { expect, test } from 'vitest'
import { startStaffedServerAndBrowser } from '../support/browser.ts'
import { area, openOperator } from '../support/operator-pages.ts'
import { widthFindings } from '../support/page-findings.ts'
import { axeFindings, openVisitor } from '../support/visitor.ts'

const { server, browser } = await startStaffedServerAndBrowser()

test('an owner writes a question, moves it to the top and takes one away; what buyers must read stays [TEXT-15]', async () => {
  const owner = await openOperator(browser, server, 'owner')
  await owner.page.goto(area(server, '/campaign?tab=texts'))
  await owner.page.getByRole('button', { name: 'Add a question' }).click()
  const save = () => owner.page.getByRole('button', { name: 'Save the settings' }).click()
  await save()
  await owner.page.getByText('Write something.').first().waitFor()
  await owner.page.getByLabel('Question, English').fill('Who is Ito?')
  await owner.page.getByLabel('Answer, English').fill('A figure of ours: **nobody** you can pay.')
  const up = owner.page.getByRole('button', { name: 'Move “Who is Ito?” up' })
  for (let place = 7; place > 0; place -= 1) await up.click()
  expect(await up.evaluate((button) => button === document.activeElement)).toBe(true)
  expect(await up.getAttribute('aria-disabled')).toBe('true')
  const remove = (title: string) => owner.page.getByRole('button', { name: `Remove “${title}”` })
  expect(await remove('What can go wrong?').getAttribute('aria-disabled')).toBe('true')
  await remove('Who sells this?').click()
  await owner.page.getByRole('button', { name: 'Put back: Who sells this?' }).waitFor()
  expect(await axeFindings(owner.page)).toEqual([])
  expect(await widthFindings(owner.page)).toEqual([])
  await save()
  await owner.page.getByRole('alertdialog').getByRole('button', { name: 'Save', exact: true }).click()
  await owner.page.getByText('The campaign was saved.').waitFor()

  const visitor = await openVisitor(browser)
  await visitor.page.goto(`${server.url}/#faq`)
  const questions = visitor.page.locator('#faq summary')
  await expect.poll(() => questions.first().innerText()).toBe('Who is Ito?')
  expect(await questions.count()).toBe(7)
  await visitor.page.locator('#faq strong', { hasText: 'nobody' }).waitFor()
  await visitor.page.getByText("The seller's own answer.").waitFor()
  expect(await axeFindings(visitor.page, '#faq')).toEqual([])
  expect(await widthFindings(visitor.page)).toEqual([])
  await visitor.page.goto(`${server.url}/transparency#changes`)
  const change = visitor.page.locator('[aria-labelledby="changes"] tbody tr').first()
  expect(await change.locator('td').allInnerTexts()).toEqual([
    expect.any(String),
    'FAQ',
    'Who sells this?',
    'Who is Ito? A figure of ours: **nobody** you can pay.',
  ])
  expect([...owner.faults, ...visitor.faults]).toEqual([])
  await owner.context.close()
  await visitor.context.close()
})
