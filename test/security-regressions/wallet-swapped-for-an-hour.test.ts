import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/server/database/database.ts'
import { checkAddress } from '../../verify/addresses.ts'
import { sha256 } from '../../verify/node-hash.ts'
import { parseVerifierKey } from '../../verify/notes.ts'
import { writeSeen } from '../../verify/seen.ts'
import type { ApiCaller } from '../support/api.ts'
import { makeOrder, registerBuyer } from '../support/every-state.ts'
import { checkAsStranger } from '../support/journal.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { until } from '../support/until.ts'

// An attacker with the database replaces the sale's address by an own one, waits for an order, and restores
// it.

let server: TestServer
let buyer: ApiCaller
let own: string
/** The stranger's state of the last check. */
let state: string | undefined

const thief = '0x00000000000000000000000000000000000bad00'
const name = 'currencies.USDT.address'

beforeAll(async () => {
  server = await startServer({})
  buyer = await registerBuyer(server, 'ann@example.org')
  const { db } = server.database
  await db.query(
    sql`update currencies set watched = false, wallet_id = null, address = '0x00000000000000000000000000000000000000aa'
         where code = 'USDT'`,
  )
  own = (await address()).address
})
afterAll(() => server.close())

const address = () =>
  server.database.db.one<{ address: string }>(sql`select address from currencies where code = 'USDT'`)

const setAddress = async (to: string) => {
  await server.database.db.query(sql`update currencies set address = ${to} where code = 'USDT'`)
  await untilShown(to)
}

/** Waits until the site's cached answer is renewed. */
const untilShown = (to: string) =>
  until(async () => {
    const { items } = await buyer<{ items: { code: string; address: string }[] }>('GET', '/currencies')
    return items.some((item) => item.code === 'USDT' && item.address === to)
  })

async function look() {
  const { report, seen } = await checkAsStranger(server, state)
  if (seen) state = writeSeen(seen)
  return report
}

type Report = Awaited<ReturnType<typeof look>>

const shownIn = ({ figures }: Report) => figures.find((figure) => figure.name === name)?.shown

interface Proof {
  file: string
  vkey: string
  announcedAt: string
}

test('an address that was swapped for an hour stays in the journal, and the order of that hour proves the thief’s', async () => {
  const before = await look()
  expect(before).toMatchObject({ agrees: true, faults: [] })
  expect(shownIn(before)).toBe(JSON.stringify(own))

  await setAddress(thief)
  const stolen = await makeOrder(buyer)
  const during = await look()
  expect(during).toMatchObject({ agrees: true, faults: [] })
  expect(shownIn(during)).toBe(JSON.stringify(thief))
  await setAddress(own)
  const later = await makeOrder(buyer)
  const after = await look()
  expect(after).toMatchObject({ agrees: true, faults: [] })
  expect(shownIn(after)).toBe(JSON.stringify(own))

  const proofOf = ({ token }: { token: string }) => buyer<Proof>('GET', `/orders/${token}/address-proof`)
  const [proof, honest] = [await proofOf(stolen), await proofOf(later)]
  const key = parseVerifierKey(sha256, proof.vkey)
  const checked = await checkAddress(sha256, proof.file, key)
  expect(checked).toMatchObject({ address: thief, currency: 'USDT', announcedAt: proof.announcedAt })
  expect(await checkAddress(sha256, honest.file, key)).toMatchObject({ address: own })
  expect(honest.announcedAt > proof.announcedAt).toBe(true)
  // No later statement of the site makes it the sale's address, or the thief's one of another entry.
  for (const file of [proof.file.replace(thief, own), honest.file.replace(own, thief)])
    await expect(checkAddress(sha256, file, key)).rejects.toThrow(/does not show the address/)
})

test('an address that a hand swaps past the journal is named by whoever looks in that hour', async () => {
  const { db } = server.database
  await look()
  const pastTheJournal = (to: string) =>
    db.transaction(async (tx) => {
      await tx.query(sql`alter table currencies disable trigger currencies_are_said`)
      await tx.query(sql`update currencies set address = ${to} where code = 'USDT'`)
      await tx.query(sql`alter table currencies enable trigger currencies_are_said`)
    })
  await pastTheJournal(thief)
  await untilShown(thief)
  // And the order of that hour has no proof at all.
  const paid = await makeOrder(buyer)
  expect(await buyer<Proof>('GET', `/orders/${paid.token}/address-proof`)).toMatchObject({ file: null })
  const report = await look()
  expect(report.agrees).toBe(false)
  expect(report.figures.filter(({ agrees }) => !agrees)).toMatchObject([
    { name, shown: JSON.stringify(thief), journal: JSON.stringify(own) },
  ])
  await pastTheJournal(own)
  await untilShown(own)
  expect(await look()).toMatchObject({ agrees: true })
})
