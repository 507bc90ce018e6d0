import { expect, test } from 'vitest'
import { legalKinds } from '../../shared/api/content.ts'
import { mailKinds, readerMailKinds } from '../../shared/api/mail-templates.ts'
import { languages } from '../../shared/languages.ts'
import { demoSettings } from '../demo/demo-campaign.ts'
import { say } from '../texts.ts'
import { draftLegalText } from './legal-drafts.ts'

const seller = {
  name: ' Club Ltd ',
  address: 'Street 1\n\nTown',
  contact: 'help@club.example',
  country: 'EE',
}
const settings = { ...demoSettings, seller, symbol: 'CLUB', expiryMinutes: 17 }

test('every draft is written in every language, with all values in their places', () => {
  for (const kind of legalKinds) {
    const body = draftLegalText(kind, settings, '2.50')
    for (const language of languages) {
      expect(body[language]?.length, `${kind}, ${language}`).toBeGreaterThan(1_000)
      expect(body[language]).not.toMatch(/[{}]|\n\n\n|^\s|\s$/)
    }
  }
  expect(draftLegalText('terms', settings, '2.50').en).toContain(
    '## Who sells\n\nThe seller is Club Ltd, Street 1 Town. Contact: help@club.example.\n\n## What is sold\n\nTokens called CLUB',
  )
  expect(draftLegalText('privacy', settings, '2.50').es).toContain(
    'responde Club Ltd. Contacto: help@club.example.\n\n##',
  )
})

test('the privacy draft names every occasion on which a buyer gets a mail, and none of the operators’', () => {
  const privacy = draftLegalText('privacy', settings, '1').en ?? ''
  expect(readerMailKinds).toHaveLength(
    mailKinds.filter((kind) => !/^(operator|owner)_|^api_key/.test(kind)).length,
  )
  for (const kind of mailKinds) {
    const occasion = say('en', `occasion.${kind}`).slice(1)
    expect(privacy.includes(occasion), kind).toBe(readerMailKinds.includes(kind))
  }
})

test('the points of a list stand together, apart from what is above and below', () => {
  expect(draftLegalText('terms', settings, '2.50').en).toMatch(
    /## An order\n\n- An order .* 17 minutes.*\n- An order reserves no tokens.*\n(- .*\n){3}\n## Delivery\n/,
  )
})

test('the least payment is that of the rules', () => {
  const { en, ru, es } = draftLegalText('terms', settings, '2.50')
  expect(en).toContain('A payment of less than $2.5 that completes no order buys nothing')
  expect(ru).toContain('Платёж меньше $2.5,')
  expect(es).toContain('Un pago de menos de $2.5 ')
})

test('what depends on a setting is said as the setting is', () => {
  const terms = (own: object) => draftLegalText('terms', { ...settings, ...own }, '2.50').en
  expect(terms({ softCapPolicy: 'refund' })).toContain('every approved payment is owed back')
  expect(terms({ softCapPolicy: 'keep' })).toContain('nothing is refunded for that reason')
  expect(terms({ buyers: { ...settings.buyers, minimumAge: 21 } })).toContain('People of at least 21 years')
  expect(terms({ buyers: { ...settings.buyers, minimumAge: 0 } })).toContain('\n\nPeople who may buy')
})
