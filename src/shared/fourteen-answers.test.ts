import { expect, test } from 'vitest'
import { type AnswerData, fourteenAnswers, questions } from './fourteen-answers.ts'

const stage = { id: 1 } as AnswerData['campaign']['stages'][number]
const ledgerCheck = {
  checkedAt: '2026-11-23T00:00:00.000Z',
  isOld: false,
  rules: 40,
  broken: [],
  unasked: [],
}
const bare: AnswerData = {
  campaign: { stages: [] },
  currencies: [],
  transparency: {
    journal: null,
    ledgerCheck: null,
    contracts: { escrows: 0, rounds: 0, otherCode: 0, priceChanges: 0, startChanges: 0, endChanges: 0 },
  },
  alarm: { isShort: false, isBroken: false },
}
const answered = (change: Partial<AnswerData>) => fourteenAnswers({ ...bare, ...change }).answers
const contracts = (change: Partial<AnswerData['transparency']['contracts']>) =>
  answered({
    transparency: { ...bare.transparency, contracts: { ...bare.transparency.contracts, ...change } },
  })

test('fourteen questions are answered, by what is there alone [LOG-17]', () => {
  expect(questions).toHaveLength(14)
  const { answers } = fourteenAnswers(bare)
  expect(Object.keys(answers)).toEqual([...questions])
  expect(Object.values(answers)).not.toContain('yes')
  expect(answers).toMatchObject({ contract: 'none', records: 'no', as_said: 'unknown', price_fixed: 'no' })
})

test('money is handled without trust only where a contract takes it [LOG-17]', () => {
  const [eth, btc, usdt] = [
    { code: 'ETH', network: 'ethereum', inEscrow: true, unavailable: null },
    { code: 'BTC', network: 'bitcoin', inEscrow: false, unavailable: 'rate_stale' },
    { code: 'USDT', network: 'ethereum', inEscrow: false, unavailable: null },
  ] as const
  expect(answered({ currencies: [eth, btc, usdt] })).toMatchObject({
    contract: 'partly',
    coin_trust: 'partly',
    coin_price: 'partly',
    token_trust: 'no',
    token_price: 'yes',
  })
  expect(answered({ currencies: [eth] })).toMatchObject({
    contract: 'yes',
    coin_trust: 'yes',
    token_trust: 'none',
  })
  expect(answered({ currencies: [btc] })).toMatchObject({ contract: 'no', coin_price: 'no' })
})

test('code counts as known only where what stands on chain is what was put in force', () => {
  expect(contracts({ rounds: 1 })).toMatchObject({ source: 'yes', bytecode: 'yes', explorer: 'unknown' })
  expect(contracts({ escrows: 2, otherCode: 1 })).toMatchObject({ source: 'no', bytecode: 'no' })
})

test('a sale does what it says while its ledger check passes and nothing falls short [LOG-17]', () => {
  const transparency = { ...bare.transparency, ledgerCheck }
  const said = (alarm: AnswerData['alarm']) =>
    answered({ transparency, alarm, campaign: { stages: [stage] } })
  expect(said(bare.alarm)).toMatchObject({ as_said: 'yes', start: 'yes', end: 'yes' })
  const old = { ...transparency, ledgerCheck: { ...ledgerCheck, isOld: true } }
  expect(answered({ transparency: old, alarm: bare.alarm, campaign: { stages: [stage] } })).toMatchObject({
    as_said: 'unknown',
  })
  expect(said({ isShort: true, isBroken: false })).toMatchObject({ as_said: 'no' })
  expect(said({ isShort: false, isBroken: true })).toMatchObject({ as_said: 'no' })
})
