import { describe, expect, it } from 'vitest'
import { campaignSettings, stageSettings, tokenAmount } from './campaign-settings-inputs.ts'
import { settingRows } from './settings.ts'

const messages = (result: { success: boolean; error?: { issues: { message: string }[] } }) =>
  result.error?.issues.map((issue) => issue.message)

it.each(['', 'abc', '-1', '1e5', '1.1234567', ' '])(
  'answers %j in an amount as a mistake, never by a throw',
  (text) => {
    expect(messages(tokenAmount.safeParse(text))).toEqual(['decimal_format 6'])
    const stage = { name: 'A', goalUsd: text, priceUsd: text, startsAt: '', endsAt: '' }
    expect(stageSettings.safeParse(stage).success).toBe(false)
  },
)

it('does not add up shares or compare levels that are no numbers', () => {
  const text = { en: '', ru: '' }
  const result = campaignSettings.safeParse({
    name: 'iToken',
    symbol: 'ITOKEN',
    tagline: text,
    purpose: text,
    seller: { name: '', address: '', contact: '', country: '' },
    totalSupply: '',
    hardCapUsd: 'x',
    softCapUsd: '',
    softCapPolicy: 'none',
    shares: [{ key: 'sale', name: text, percent: '' }],
    soldShare: 'sale',
    bonusShare: 'sale',
    buyers: { countriesRefused: [], minimumAge: 18, phone: 'required' },
    operatorUtcOffsetMinutes: 0,
    orderMinimumTokens: '',
    orderMaximumTokens: '',
    orderDefaultTokens: '',
    listingDate: null,
    levels: [
      { key: 'bronze', name: 'Bronze', threshold: '', bonusPercent: '', description: text, perks: [] },
      { key: 'silver', name: 'Silver', threshold: '', bonusPercent: '', description: text, perks: [] },
    ],
    delivery: { network: '', chain: null, tokenContract: null, date: null, vesting: text },
    brand: { accent: null, logoUploadId: null },
    expiryMinutes: 60,
    feedRateMaxMinutes: 5,
    secondOperator: false,
    exchangeVideoUrl: null,
  })
  expect(result.success).toBe(false)
  expect(messages(result)).toContain('percentage_format 2')
})

it('keeps these settings alone out of the public history', () => {
  const hidden = Object.entries(settingRows).filter(([, row]) => 'isPrivate' in row)
  expect(hidden.map(([name]) => name)).toEqual([
    'tagline',
    'operatorUtcOffsetMinutes',
    'orderDefaultTokens',
    'brand',
    'languages',
    'frameOrigins',
    'exchangeVideoUrl',
    'videoOrigins',
    'sourceUrl',
  ])
})

describe('the name of a stage', () => {
  const named = (name: unknown) =>
    stageSettings.safeParse({
      name,
      goalUsd: '1',
      priceUsd: '1',
      startsAt: '2026-01-01T00:00:00.000Z',
      endsAt: '2026-01-02T00:00:00.000Z',
    })

  it.each<[unknown, unknown]>([
    [' Stage 1 ', 'Stage 1'],
    [{ en: 'Stage 1', ru: '' }, 'Stage 1'],
    [
      { en: 'Stage 1', ru: 'Этап 1 ', es: ' ' },
      { en: 'Stage 1', ru: 'Этап 1' },
    ],
    [{ es: 'Etapa 1' }, { en: '', ru: '', es: 'Etapa 1' }],
  ])('%j is kept as %j', (given, kept) => expect(named(given).data?.name).toEqual(kept))

  it.each<[unknown, string, string]>([
    ['', 'name', 'too_small'],
    [{ en: ' ', ru: '' }, 'name', 'too_small'],
    ['x'.repeat(61), 'name.en', 'too_big'],
    [{ en: 'Stage', ru: 'я'.repeat(61) }, 'name.ru', 'too_big'],
    [7, 'name', 'invalid_union'],
  ])('%j is refused', (given, path, code) =>
    expect(named(given).error?.issues.map((issue) => [issue.path.join('.'), issue.code])).toEqual([
      [path, code],
    ]),
  )
})
