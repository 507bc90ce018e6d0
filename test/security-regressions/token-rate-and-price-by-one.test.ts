import { afterAll, expect, test } from 'vitest'
import { startWhereTwoDecide } from '../support/staff.ts'

const staff = await startWhereTwoDecide()
afterAll(() => staff.close())

const currency = async (code: string) =>
  (await staff.ask('fin', 'GET', '/operator/currencies')).body.items.find(
    (item: { code: string }) => item.code === code,
  )
const change = (code: string, body: object) => staff.ask('fin', 'PUT', `/operator/currencies/${code}`, body)
const waits = (answer: { status: number; code: string | undefined }) =>
  expect([answer.status, answer.code]).toEqual([409, 'second_operator_required'])

test('one operator can’t name a token or a network of their own [TWO-18]', async () => {
  waits(await change('USDT', { tokenContract: '0x52908400098527886E0F7030069857D2E4169EE7' }))
  waits(await change('USDT', { network: 'polygon' }))
})

test('one operator can’t make a coin worth more, at once or in small steps [TWO-18]', async () => {
  const { rate } = await currency('BTC')
  waits(await change('BTC', { rate: String(Number(rate) * 2) }))
  waits(await change('BTC', { priceId: 'another-coin' }))
  expect((await currency('BTC')).rate).toBe(rate)

  await staff.ageRates()
  expect((await change('BTC', { rate: (Number(rate) * 1.06).toFixed(6) })).status).toBe(200)
  waits(await change('BTC', { rate: (Number(rate) * 1.12).toFixed(6) }))
})

test('one operator can’t sell far from the price, by the price or by a stage [TWO-18]', async () => {
  const { priceUsd } = (await staff.ask('owner', 'GET', '/operator/campaign')).body
  const far = (Number(priceUsd) * 1.2).toFixed(2)
  waits(await staff.ask('owner', 'PUT', '/operator/price', { priceUsd: far, previousUsd: priceUsd }))
  const later = { startsAt: '2040-01-01T00:00:00.000Z', endsAt: '2040-02-01T00:00:00.000Z' }
  const stage = { name: 'Later', goalUsd: '1000', ...later }
  waits(await staff.ask('owner', 'POST', '/operator/stages', { ...stage, priceUsd: far }))
  const added = await staff.ask('owner', 'POST', '/operator/stages', { ...stage, priceUsd })
  expect(added.status).toBe(200)
  const { id } = added.body.stages.at(-1)
  const moved = { revision: added.body.revision, ...stage, priceUsd: far }
  waits(await staff.ask('owner', 'PUT', `/operator/stages/${id}`, moved))
})
