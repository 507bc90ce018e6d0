import { expect, test } from 'vitest'
import { ABANDON, accountOf } from '../../../test/chains/account-keys.ts'
import { type PaperChain, withPaperChain } from '../../../test/chains/paper-chain.ts'
import { brokenRules } from '../../../test/support/campaign.ts'
import { journalOf } from '../../../test/support/journal.ts'
import { until } from '../../../test/support/until.ts'
import { checkAddress } from '../../../verify/addresses.ts'
import { parseEntry } from '../../../verify/entries.ts'
import { Fold } from '../../../verify/fold.ts'
import { sha256 } from '../../../verify/node-hash.ts'
import { parseVerifierKey } from '../../../verify/notes.ts'
import { announceWallets, type OpenAccount } from './wallet-trees.ts'

type Sale = PaperChain['sale']

const openOf =
  ({ wallets }: Sale): OpenAccount =>
  (tx, id) =>
    wallets.account(tx, id)

/** Writes the journal until it says every fact. */
const write = (sale: Sale, journal: ReturnType<typeof journalOf>) =>
  until(async () => {
    await journal.sequencer.run()
    const unsaid = await sale.sql(
      'unsaid',
      "select from journal_facts f where not exists (select from journal_entries j where j.source = 'journal_facts' and j.row_id = f.id) limit 1",
    )
    return unsaid.length === 0
  })

/** Announces until nothing is left to derive, and writes the journal. */
async function announce(sale: Sale, journal: ReturnType<typeof journalOf>, count: number): Promise<void> {
  for (let left = 1; left > 0; ) {
    await announceWallets(sale.db, openOf(sale), count)
    const [row] = await sale.sql<{ left: number }>(
      'unfinished',
      'select count(*)::integer as left from wallet_announcements where root is null',
    )
    left = row?.left ?? 0
  }
  await write(sale, journal)
}

async function proofOf(sale: Sale, journal: ReturnType<typeof journalOf>, token: string) {
  const { file, vkey, ...rest } = await journal.addressProof(token, openOf(sale))
  return { file: file ?? '', key: parseVerifierKey(sha256, vkey ?? ''), ...rest }
}

const walletOf = async (sale: Sale) => (await announced(sale))[0]?.wallet ?? 0

const announced = (sale: Sale) =>
  sale.sql<{ wallet: number; first: number; count: number }>(
    'announced',
    `select (said ->> 'wallet')::integer as wallet, (said ->> 'first')::integer as first, (said ->> 'count')::integer as count
       from journal_facts where kind = 'wallet.announced' order by id`,
  )

test('an order proves that its address is one of a wallet that the journal announced, whatever a hand changes [LOG-13]', () =>
  withPaperChain(async ({ sale }) => {
    const journal = journalOf(sale.db)
    const [first, second] = [await sale.order('LTC', '40'), await sale.order('LTC', '40')]
    await write(sale, journal)
    expect(await journal.addressProof(first.token, openOf(sale))).toMatchObject({
      state: 'unsaid',
      announcedAt: null,
      file: null,
    })
    // Two leaders at once, and slices that don't fill the last tile.
    await Promise.all([announce(sale, journal, 700), announce(sale, journal, 700)])
    const [{ wallet } = { wallet: 0 }] = await announced(sale)
    expect(await announced(sale)).toEqual([{ wallet, first: 0, count: 700 }])

    const { file, key, state, announcedAt } = await proofOf(sale, journal, second.token)
    expect(state).toBe('announced')
    const checked = await checkAddress(sha256, file, key)
    expect(checked).toMatchObject({
      address: second.address,
      wallet: { number: wallet, index: 1 },
      currency: null,
      announcedAt,
    })
    expect(file).not.toContain('xpub')
    expect(await brokenRules(sale.db)).toEqual([])

    // A thief's address in the database: the key does not give it, and the rules name the row.
    const thief = 'rltc1qthief'
    await sale.sql('swap_address', 'update wallet_addresses set address = $1 where index = 1', [thief])
    await sale.sql('swap_order', 'update orders set place = $2 where place = $1', [second.address, thief])
    const swapped = await proofOf(sale, journal, second.token)
    expect(swapped).toMatchObject({ state: 'other', file: '' })
    const broken = await brokenRules(sale.db)
    expect(broken.find(({ rule }) => rule === 'addresses_are_the_announced_ones')?.rows).toMatchObject([
      { wallet_id: wallet, index: 1, address: thief },
    ])
    // A changed tile and a changed journal do not help.
    await sale.sql(
      'swap_tile',
      `update wallet_tiles t set hashes = overlay(t.hashes placing leaf_of_address(n, 1, $1) from 33)
         from wallet_announcements n where n.id = t.announcement and t.level = 0 and t.number = 0`,
      [thief],
    )
    const fitted = await proofOf(sale, journal, second.token)
    expect(fitted).toMatchObject({ state: 'other', file: '' })
    await sale.sql('back_address', 'update wallet_addresses set address = $1 where index = 1', [
      second.address,
    ])
    await sale.sql('back_order', 'update orders set place = $2 where place = $1', [thief, second.address])
    await sale.sql(
      'back_tile',
      `update wallet_tiles t set hashes = overlay(t.hashes placing leaf_of_address(n, 1, $1) from 33)
         from wallet_announcements n where n.id = t.announcement and t.level = 0 and t.number = 0`,
      [second.address],
    )
    expect(await brokenRules(sale.db)).toEqual([])
  }))

test('what the journal says of an address is no proof where the wallet’s key does not give it, or says it of another [LOG-14]', () =>
  withPaperChain(async ({ sale }) => {
    const journal = journalOf(sale.db)
    const order = await sale.order('LTC', '40')
    await announce(sale, journal, 20)
    const accountWith =
      (change: object): OpenAccount =>
      async (tx, id) => {
        const account = await openOf(sale)(tx, id)
        return account && { ...account, ...change }
      }
    // As if a hand had written the range, its tree and the journal's entry.
    for (const open of [
      accountWith({ addressAt: () => 'rltc1qown' }),
      accountWith({ key: 'another' }),
      async () => null,
    ])
      expect(await journal.addressProof(order.token, open)).toMatchObject({ state: 'other', file: null })
    // With a tree whose root the journal does not have, the file leads elsewhere.
    const tile = async (hashes: string) =>
      sale.sql(
        hashes.includes('sha256') ? 'tile_away' : 'tile_back',
        `update wallet_tiles set hashes = ${hashes} where level = 0`,
      )
    await tile('overlay(hashes placing sha256(substr(hashes, 33, 32)) from 33)')
    const { state, file, key } = await proofOf(sale, journal, order.token)
    expect(state).toBe('other')
    await expect(checkAddress(sha256, file, key)).rejects.toThrow(/is not address 0 of the wallet/)
    const [{ hash } = { hash: '' }] = await sale.sql<{ hash: string }>(
      'hash_of_1',
      'select encode(leaf_of_address(n, 1, $1), $2) as hash from wallet_announcements n',
      [(await openOf(sale)(sale.db, await walletOf(sale)))?.addressAt(1), 'hex'],
    )
    await tile(`overlay(hashes placing decode('${hash}', 'hex') from 33)`)
    expect((await proofOf(sale, journal, order.token)).state).toBe('announced')
  }))

test('a fixed address is shown since its last change, however long ago it was shown for a moment before [LOG-15]', () =>
  withPaperChain(async ({ sale }) => {
    const journal = journalOf(sale.db)
    let changes = 0
    const set = async (change: string) => {
      await sale.sql(`change_${++changes}`, `update currencies set ${change} where code = 'USDT'`)
      await write(sale, journal)
      const facts = await sale.sql<{ at: Date }>(
        'newest',
        'select at from journal_facts order by id desc limit 1',
      )
      return facts[0]?.at.toISOString()
    }
    const since = async (order: { token: string }) => {
      const { file, key, state, announcedAt } = await proofOf(sale, journal, order.token)
      expect(state).toBe('fixed')
      expect((await checkAddress(sha256, file, key)).announcedAt).toBe(announcedAt)
      return announcedAt
    }
    await write(sale, journal)
    const own = await sale.order('USDT', '40')
    const began = await since(own)
    const [thief, back] = ["address = '0xthief'", `address = '${own.address}'`]
    await set(thief)
    await set(back)
    const stolen = await set(thief)
    const paid = await sale.order('USDT', '40')
    expect([paid.address, await since(paid)]).toEqual(['0xthief', stolen])
    // Other changes are no break; nobody sees the address while the currency is disabled.
    const again = await set(back)
    await set("token_contract = '0x00000000000000000000000000000000000000aa'")
    expect(await since(await sale.order('USDT', '40'))).toBe(again)
    await set('switched_off_at = now()')
    const on = await set('switched_off_at = null')
    expect(await since(await sale.order('USDT', '40'))).toBe(on)
    // An order's is of when it came, and what the journal does not say yet is not said of an older time.
    expect(await since(own)).toBe(began)
    await sale.sql('unsaid_change', `update currencies set ${thief} where code = 'USDT'`)
    const early = await sale.order('USDT', '40')
    expect((await proofOf(sale, journal, early.token)).state).toBe('unsaid')
    // Nor by an entry from before the sale's address was back, where the thief's is put there past the journal.
    await set(back)
    await sale.sql('silent', 'alter table currencies disable trigger currencies_are_said')
    await sale.sql('silent_change', `update currencies set ${thief} where code = 'USDT'`)
    await sale.sql('aloud', 'alter table currencies enable trigger currencies_are_said')
    const silent = await sale.order('USDT', '40')
    expect(silent.address).toBe('0xthief')
    expect(await proofOf(sale, journal, silent.token)).toMatchObject({ state: 'unsaid', file: '' })
    await set(back)
  }))

test('a proof of another wallet, of another index or of a cut path proves nothing [LOG-13]', () =>
  withPaperChain(async ({ sale }) => {
    const journal = journalOf(sale.db)
    const order = await sale.order('LTC', '40')
    await sale.watch('LTC', 'litecoin', accountOf(ABANDON, "m/84'/1'/4999'", 'vpub').publicExtendedKey)
    const other = await sale.order('LTC', '40')
    await announce(sale, journal, 20)
    const { file, key } = await proofOf(sale, journal, order.token)
    const parts = JSON.parse(file)
    const others = JSON.parse((await proofOf(sale, journal, other.token)).file)
    const refused = (change: object) => checkAddress(sha256, JSON.stringify({ ...parts, ...change }), key)
    const leafWith = (change: object) => {
      const leaf = { ...JSON.parse(parts.leaf), ...change }
      return JSON.stringify(Object.fromEntries(Object.entries(leaf).toSorted(([a], [b]) => (a < b ? -1 : 1))))
    }
    await expect(refused({ proof: others.proof })).rejects.toThrow(/is one of the key/)
    await expect(refused({ leaf: others.leaf, path: others.path })).rejects.toThrow(/is one of the key/)
    await expect(refused({ leaf: leafWith({ index: 20 }) })).rejects.toThrow(
      /announces the addresses 0 to 19, not 20/,
    )
    await expect(refused({ leaf: leafWith({ index: 1 }) })).rejects.toThrow(/is not address 1/)
    await expect(refused({ leaf: leafWith({ more: 1 }) })).rejects.toThrow(/leaf of the address is none/)
    await expect(refused({ path: parts.path.slice(1) })).rejects.toThrow(/is not address 0/)
    await expect(refused({ path: ['zz'] })).rejects.toThrow(/no hash/)
    await expect(refused({ v: 2 })).rejects.toThrow(/no file of an address/)
    expect(await refused({})).toMatchObject({ address: order.address })
  }))

test('the next addresses are announced before they are needed, and a fixed address as what it is [LOG-13]', () =>
  withPaperChain(async ({ sale }) => {
    const journal = journalOf(sale.db)
    await announce(sale, journal, 10)
    const ranges = async () => (await announced(sale)).map(({ first, count }) => [first, count])
    expect(await ranges()).toEqual([[0, 10]])
    await sale.sql('skip', 'update wallets set next_index = 9 where next_index = 0')
    await announce(sale, journal, 10)
    expect(await ranges()).toEqual([
      [0, 10],
      [10, 10],
    ])
    await sale.order('LTC', '40')
    const beyond = await sale.order('LTC', '40')
    const { file, key } = await proofOf(sale, journal, beyond.token)
    expect((await checkAddress(sha256, file, key)).wallet?.index).toBe(10)

    const fixed = await sale.order('USDT', '40')
    const proof = await proofOf(sale, journal, fixed.token)
    expect(proof.state).toBe('fixed')
    expect(await checkAddress(sha256, proof.file, key)).toMatchObject({
      address: fixed.address,
      wallet: null,
      currency: 'USDT',
    })
    const swapped = proof.file.replace(fixed.address, '0xthief')
    await expect(checkAddress(sha256, swapped, key)).rejects.toThrow(/does not show the address 0xthief/)
    // Owners are told of a wallet once.
    expect(
      await sale.sql('told', "select payload ->> 'key' as key from outbox where kind = 'wallet_announced'"),
    ).toHaveLength(1)

    // A verifier folds the entries, and rejects a repeated range or another key under the same number.
    const size = Number((await journal.checkpoint())?.split('\n')[1])
    const bundle = (await journal.bundle(0n, size)) as Buffer
    const fold = new Fold(() => undefined)
    let said = ''
    let place = 0
    for (let at = 0; at < bundle.length; place += 1) {
      const end = at + 2 + bundle.readUInt16BE(at)
      const entry = bundle.subarray(at + 2, end)
      if (entry.includes('wallet.announced')) said = entry.toString()
      fold.take(place, parseEntry(entry))
      at = end
    }
    const again = (change: object) => {
      place += 1
      const entry = { ...JSON.parse(said), row: `journal_facts/9${place}`, ...change }
      const { v: _, kind, at, row, ...fields } = entry
      return () => fold.take(place, { kind, at, row, fields })
    }
    expect(again({})).toThrow(/announced from 10 on; 20 is next/)
    expect(again({ first: 20, key: 'ab'.repeat(32) })).toThrow(/had as family, script, net, key/)
    expect(again({ first: 20 })).not.toThrow()
  }))

test('a wallet that has another key than it was announced with is not announced further', () =>
  withPaperChain(async ({ sale }) => {
    const open = openOf(sale)
    await announceWallets(sale.db, open, 3_000)
    const other: OpenAccount = async (tx, id) => {
      const account = await open(tx, id)
      return account && { ...account, key: 'another' }
    }
    await expect(announceWallets(sale.db, other, 3_000)).rejects.toThrow(/has another account key/)
    expect(await sale.sql('sizes', 'select size from wallet_announcements')).toEqual([{ size: 2_048 }])
    await announceWallets(sale.db, open, 3_000)
    expect(await announced(sale)).toHaveLength(1)
    await announceWallets(sale.db, open, 3_000)
    expect(await announced(sale)).toHaveLength(1)
  }))
