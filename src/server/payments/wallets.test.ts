import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { ABANDON, accountOf } from '../../../test/chains/account-keys.ts'
import { currenciesOf, executorOf } from '../../../test/support/actions.ts'
import { addBuyer, addOperator, declared, openSale } from '../../../test/support/campaign.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { refused } from '../../../test/support/outcomes.ts'
import { untilLocked } from '../../../test/support/race.ts'
import { testSecrets } from '../../../test/support/secrets.ts'
import { statement } from '../../../test/support/statement.ts'
import { readChains } from '../chain-config.ts'
import { sql } from '../database/database.ts'
import { Orders } from '../orders/orders.ts'
import { Secrets } from '../secrets/secrets.ts'
import { addressAt, readAccountKey } from './account-keys.ts'
import { ChainAccess } from './chain-access.ts'
import type { ChainFacts } from './wallet-actions.ts'
import { type ReservedAddress, Wallets } from './wallets.ts'

const { db } = await createTestDatabase({ holds: 'demo' })
const sale = await openSale(db)
const chains: ChainFacts = { netOf: () => 'main', chainIdOf: () => 1, decimalsOf: async () => 18 }
const wallets = new Wallets({ db, secrets: testSecrets, chains })
const all = { ...currenciesOf(db).actions, ...wallets.actions }
const execute = executorOf(db, all, await addOperator(db), 'finance')
const update = (code: string, change: object) => execute('currency.update', [{ code, ...change }])
const contract = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
const ordersWith = (reserveAddress: (currencyId: number) => Promise<ReservedAddress>) =>
  new Orders({
    ...sale,
    payments: { ofOrder: async () => ({ payments: [], others: null }) },
    reserveAddress,
    batching: false,
    hintOutbox() {},
  })
const orders = ordersWith((currencyId) => wallets.reserveAddress(currencyId))

test('a token is watched by its contract alone, and keeps it while it is watched', async () => {
  await db.query(
    statement(
      'test_wallets_chain',
      "insert into chains (name, family, confirmation_rules) values ('ethereum', 'evm', '[]') on conflict do nothing",
    ),
  )
  const accountKey = accountOf(ABANDON, "m/44'/60'/0'", 'xpub').publicExtendedKey
  const wallet = await execute('wallet.add', { family: 'evm', accountKey, name: 'Club' })
  await execute('wallet.check', { id: wallet.id, addresses: wallet.firstAddresses })

  const watch = (currency: string) => execute('currency.wallet', { code: currency, walletId: wallet.id })
  expect(await watch('ETH')).toMatchObject({ watched: true })
  await expect(watch('USDT')).rejects.toEqual(refused('token_contract_missing'))
  await update('USDT', { tokenContract: contract })
  expect(await watch('USDT')).toMatchObject({ watched: true })

  for (const change of [{ tokenContract: null }, { tokenContract: '' }, { network: 'bsc' as const }])
    await expect(update('USDT', change)).rejects.toEqual(refused('currency_watched'))
  await expect(update('ETH', { tokenContract: contract })).rejects.toEqual(refused('currency_watched'))
  await update('USDT', { tokenContract: contract.toLowerCase(), rate: '0.3' })
  await execute('currency.wallet', { code: 'USDT', walletId: null })
  await update('USDT', { tokenContract: null })
})

test('a wallet that is unknown or whose addresses differ is not checked, and gives no address', async () => {
  const accountKey = accountOf(ABANDON, "m/44'/60'/9'", 'xpub').publicExtendedKey
  const { id, firstAddresses } = await execute('wallet.add', { family: 'evm', accountKey, name: 'Ninth' })
  const check = (wallet: number, addresses: string[]) => execute('wallet.check', { id: wallet, addresses })
  await expect(check(999, firstAddresses)).rejects.toEqual(refused('wallet_unknown'))
  await expect(check(id, firstAddresses.toReversed())).rejects.toMatchObject({
    code: 'wallet_addresses_differ',
    details: { expected: firstAddresses },
  })
  await expect(execute('currency.wallet', { code: 'LINK', walletId: id })).rejects.toEqual(
    refused('wallet_not_checked'),
  )
  const [{ id: currencyId } = { id: 0 }] = await db.query<{ id: number }>(
    statement(
      'test_unchecked',
      "update currencies set watched = true, wallet_id = $1 where code = 'LINK' returning id",
    ),
    [id],
  )
  await expect(wallets.reserveAddress(currencyId)).rejects.toEqual(refused('address_missing'))
  await db.query(
    statement('test_undone', "update currencies set watched = false, wallet_id = null where code = 'LINK'"),
  )
})

test('a wallet of a chain that nobody follows is refused', async () => {
  const unfollowed = new Wallets({
    db,
    secrets: testSecrets,
    chains: { netOf: () => undefined, chainIdOf: () => undefined, decimalsOf: async () => 18 },
  })
  const accountKey = accountOf(ABANDON, "m/84'/2'/0'", 'zpub').publicExtendedKey
  const executeThere = executorOf(db, unfollowed.actions, await addOperator(db), 'finance')
  await expect(executeThere('wallet.add', { family: 'litecoin', accountKey, name: 'x' })).rejects.toEqual(
    refused('chain_not_followed'),
  )
  await expect(new ChainAccess([]).decimalsOf('ethereum', contract)).rejects.toEqual(
    refused('chain_not_followed'),
  )
})

test('a token of more decimals than an amount can have is refused', async () => {
  let decimals = 18
  const node = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({ jsonrpc: '2.0', id: 1, result: `0x${decimals.toString(16).padStart(64, '0')}` }),
    )
  })
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve))
  try {
    const access = new ChainAccess(
      readChains({ CHAIN_ETHEREUM_RPC_URL: `http://127.0.0.1:${(node.address() as AddressInfo).port}` }),
    )
    expect(await access.decimalsOf('ethereum', contract)).toBe(18)
    decimals = 19
    await expect(access.decimalsOf('ethereum', contract)).rejects.toEqual(refused('token_decimals'))
  } finally {
    await new Promise((resolve) => node.close(resolve))
  }
})

describe('network and contract of a currency', () => {
  const decimalsOf = async (code: string) =>
    (
      await db.one<{ coin_decimals: number | null }>(
        statement('test_decimals', 'select coin_decimals from currencies where code = $1'),
        [code],
      )
    ).coin_decimals
  const order = async (currency: string) =>
    orders.create({
      userId: await addBuyer(db),
      purchase: { currency, amount: '40', unit: 'token' },
      declarations: declared,
      idempotencyKey: undefined,
      requestHash: Buffer.alloc(0),
    })
  const read = (height: number | null) =>
    db.query(statement('test_read_chain', "update chains set height = $1 where name = 'ethereum'"), [height])
  let walletId = 0
  beforeAll(async () => {
    const accountKey = accountOf(ABANDON, "m/44'/60'/1'", 'xpub').publicExtendedKey
    const wallet = await execute('wallet.add', { family: 'evm', accountKey, name: 'Second' })
    await execute('wallet.check', { id: wallet.id, addresses: wallet.firstAddresses })
    walletId = wallet.id
  })

  test('that change forget the decimals of the old token [WALLET-5]', async () => {
    await update('USDC', { tokenContract: contract })
    await execute('currency.wallet', { code: 'USDC', walletId })
    expect(await decimalsOf('USDC')).toBe(18)
    await execute('currency.wallet', { code: 'USDC', walletId: null })
    await update('USDC', { tokenContract: contract.replace('d', 'e') })
    expect(await decimalsOf('USDC')).toBeNull()
  })

  test('stay once an order was made [WALLET-5, WALLET-9]', async () => {
    await update('SHIB', { tokenContract: contract })
    await execute('currency.wallet', { code: 'SHIB', walletId })
    await expect(order('SHIB')).rejects.toEqual(refused('unavailable'))
    await read(100)
    await order('SHIB')
    await db.query(
      statement(
        'test_unwatch',
        "update currencies set watched = false, address = '0x00000000219ab540356cBB839Cbe05303d7705Fa' where code = 'SHIB'",
      ),
    )
    await expect(update('SHIB', { tokenContract: null })).rejects.toEqual(refused('currency_in_use'))
    await expect(update('SHIB', { network: 'bsc' })).rejects.toEqual(refused('currency_in_use'))
    await read(null)
  })

  test('change together with an address of the new network [WALLET-5]', async () => {
    await expect(update('LTC', { network: 'ethereum' })).rejects.toEqual(refused('address_invalid'))
    await update('LTC', {
      network: 'bitcoin',
      address: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
    })
  })
})

test('an account key is there once, however many add it [RIGHT-20]', async () => {
  const accountKey = accountOf(ABANDON, "m/44'/60'/5'", 'xpub').publicExtendedKey
  const added = await Promise.all(
    [1, 2, 3].map((which) => execute('wallet.add', { family: 'evm', accountKey, name: `Fifth ${which}` })),
  )
  expect(new Set(added.map(({ id }) => id)).size).toBe(1)
  expect(added[0]).toMatchObject({ accountKey })
})

/** Ether's id, watched by the wallet of this account from now on. */
async function watchEther(path: string): Promise<number> {
  const accountKey = accountOf(ABANDON, path, 'xpub').publicExtendedKey
  const { id, firstAddresses } = await execute('wallet.add', { family: 'evm', accountKey, name: path })
  await execute('wallet.check', { id, addresses: firstAddresses })
  await execute('currency.wallet', { code: 'ETH', walletId: id })
  await db.query(sql`update chains set height = 1 where name = 'ethereum'`)
  return (await db.one<{ id: number }>(sql`select id from currencies where code = 'ETH'`)).id
}

test('addresses that are asked for at once have indexes that follow each other, whatever else is asked for with them', async () => {
  const ether = await watchEther("m/44'/60'/6'")
  const { index } = await wallets.reserveAddress(ether)
  const [nobody, ...taken] = await Promise.allSettled(
    [0, ether, ether, ether].map((currencyId) => wallets.reserveAddress(currencyId)),
  )
  expect(nobody).toMatchObject({ reason: refused('address_missing') })
  const given = taken.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.index : null))
  expect(given).toEqual([index + 1, index + 2, index + 3])
  expect(await wallets.reserveAddress(ether)).toMatchObject({ index: index + 4 })
})

/** An order of ether at an address that was reserved before. */
const orderAt = async (reserved: ReservedAddress) =>
  ordersWith(async () => reserved).create({
    userId: await addBuyer(db),
    purchase: { currency: 'ETH', amount: '40', unit: 'token' },
    declarations: declared,
    idempotencyKey: undefined,
    requestHash: Buffer.alloc(0),
  })

test('a wallet passes over an address that is or was a fixed one, however it was typed [WALLET-11]', async () => {
  const ether = await watchEther("m/44'/60'/20'")
  const first = await wallets.reserveAddress(ether)
  const account = readAccountKey(accountOf(ABANDON, "m/44'/60'/20'", 'xpub').publicExtendedKey, {
    family: 'evm',
    net: 'main',
  })
  const [now, before, between] = [1, 2, 3].map((ahead) => addressAt(account, first.index + ahead))
  await update('BNB', { address: before?.toUpperCase().replace('0X', '0x') })
  await update('BNB', { address: now?.toLowerCase() })
  expect(await wallets.reserveAddress(ether)).toMatchObject({ address: between, index: first.index + 3 })
})

test('a fixed address is refused where a wallet gave it to an order or a contract of the sale has it [WALLET-11]', async () => {
  const ether = await watchEther("m/44'/60'/21'")
  const given = await wallets.reserveAddress(ether)
  await orderAt(given)
  await update('USDC', { tokenContract: contract })
  for (const address of [given.address, given.address.toLowerCase(), contract, `0x${'0'.repeat(40)}`]) {
    await expect(update('BNB', { address })).rejects.toEqual(refused('address_taken'))
    await expect(execute('currency.evm-wallet', { address })).rejects.toEqual(refused('address_taken'))
    await expect(
      execute('currency.add', { code: 'NEW', fullName: 'New coin', rate: '1', network: 'bsc', address }),
    ).rejects.toEqual(refused('address_taken'))
  }
  await expect(
    db.query(sql`update currencies set address = ${given.address} where code = 'BNB'`),
  ).rejects.toThrow('is taken')
})

test('an address is not given away where it became a fixed one while it was reserved [WALLET-11]', async () => {
  const ether = await watchEther("m/44'/60'/22'")
  const reserved = await wallets.reserveAddress(ether)
  await update('BNB', { address: reserved.address })
  await expect(orderAt(reserved)).rejects.toEqual(refused('conflict'))
})

test('an address that was reserved of a wallet is not given away once its currency has another one [WALLET-7]', async () => {
  const reserved = await wallets.reserveAddress(await watchEther("m/44'/60'/5'"))
  const ether = await watchEther("m/44'/60'/4'")
  await expect(orderAt(reserved)).rejects.toEqual(refused('conflict'))
  expect(await db.query(sql`select from wallet_addresses where address = ${reserved.address}`)).toEqual([])
  const { index, address } = await wallets.reserveAddress(ether)
  expect(index).toBe(0)
  expect(address).not.toBe(reserved.address)
})

test('nor while its currency is being given another one', async () => {
  const ether = await watchEther("m/44'/60'/3'")
  const reserved = await wallets.reserveAddress(ether)
  let writing: Promise<unknown> | undefined
  await db.transaction(async (tx) => {
    await tx.query(sql`select from currencies where id = ${ether} for update`)
    await tx.query(sql`update currencies set wallet_id = null, watched = false where id = ${ether}`)
    writing = orderAt(reserved).catch((error: unknown) => error)
    await untilLocked(db)
  })
  expect(await writing).toEqual(refused('conflict'))
})

test('a wallet whose seal nobody can open gives no address, is shown without a key, and goes on once it is added again [RIGHT-20]', async () => {
  const accountKey = accountOf(ABANDON, "m/44'/60'/0'", 'xpub').publicExtendedKey
  const input = { family: 'evm', accountKey, name: 'Club' }
  const { id, firstAddresses } = await execute('wallet.add', input)
  await execute('currency.wallet', { code: 'ETH', walletId: id })
  const { id: ether } = await db.one<{ id: number }>(sql`select id from currencies where code = 'ETH'`)
  await db.query(sql`update chains set height = 1 where name = 'ethereum'`)
  const first = await wallets.reserveAddress(ether)
  await orderAt(first)

  const secrets = new Secrets({ keys: ['another key of thirty-two letters'] })
  const lost = new Wallets({ db, secrets, chains })
  const next = () => lost.reserveAddress(ether)
  await expect(next()).rejects.toEqual(refused('unavailable'))
  const shown = () => lost.list().then((list) => list.find((wallet) => wallet.id === id))
  expect(await shown()).toMatchObject({ accountKey: '', firstAddresses: [] })
  const executeThere = executorOf(db, lost.actions, await addOperator(db), 'finance')
  await expect(executeThere('wallet.check', { id, addresses: firstAddresses })).rejects.toEqual(
    refused('unavailable'),
  )

  expect((await executeThere('wallet.add', input)).id).toBe(id)
  expect(await shown()).toMatchObject({ accountKey })
  expect(await next()).toMatchObject({ index: first.index + 1 })
})
