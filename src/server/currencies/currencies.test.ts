import { expect, test } from 'vitest'
import { currenciesOf, executorOf } from '../../../test/support/actions.ts'
import { openSale } from '../../../test/support/campaign.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { addOperator } from '../../../test/support/header-server.ts'
import { refused } from '../../../test/support/outcomes.ts'
import { statement } from '../../../test/support/statement.ts'
import { sharesEvmWallet } from '../../shared/evm-wallet.ts'

const { db } = await createTestDatabase({ holds: 'demo' })
await openSale(db)
const currencies = currenciesOf(db)
const execute = executorOf(db, currencies.actions, await addOperator(db, 'editor', 'finance'), 'finance')

test('of several edits made of the same version one stands, and the others are shown it', async () => {
  const { revision } = await currencies.find('LINK')
  const results = await Promise.allSettled(
    ['One', 'Two', 'Three'].map((fullName) =>
      execute('currency.update', [{ code: 'LINK', revision, fullName }]),
    ),
  )
  const won = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value[0]?.fullName] : []))
  expect(won).toHaveLength(1)
  for (const result of results) {
    if (result.status === 'fulfilled') continue
    expect(result.reason.code).toBe('conflict')
    expect(result.reason.details.current.fullName).toBe(won[0])
  }
  expect((await currencies.find('LINK')).fullName).toBe(won[0])
})

test('a pause of a currency, the end of one, and its removal fail where somebody else was there first [RIGHT-36]', async () => {
  const reason = (en: string) => ({ en, ru: '' })
  const pause = (en: string, previousPausedAt: string | null) =>
    execute('currency.pause', { code: 'LINK', paused: true, previousPausedAt, reason: reason(en) })
  const paused = await pause('Checking a wallet', null)
  await expect(pause('Lunch', null)).rejects.toMatchObject({
    code: 'conflict',
    details: { current: { pausedAt: paused.pausedAt, pauseReason: reason('Checking a wallet') } },
  })
  const resume = { code: 'LINK', paused: false, previousPausedAt: paused.pausedAt, reason: null }
  expect((await execute('currency.pause', resume)).pausedAt).toBeNull()
  await expect(execute('currency.pause', resume)).rejects.toEqual(refused('conflict'))
  await expect(execute('currency.remove', { code: 'LINK', revision: paused.revision })).rejects.toEqual(
    refused('conflict'),
  )
  expect((await currencies.find('LINK')).switchedOffAt).toBeNull()
})

test('a code that exists is added no second time', async () => {
  const input = {
    code: 'link',
    fullName: 'Another',
    rate: '1',
    network: 'ethereum',
    address: '0x00000000000000000000000000000000deadbeef',
  }
  await expect(execute('currency.add', input)).rejects.toEqual(refused('currency_exists'))
})

const ERC20 =
  'Ethereum, Tether, Polygon, BNB, USDC, Binance-Peg BUSD, Uniswap, PancakeSwap, Avalanche, Cronos, Shiba, 1inch, DAI, Chainlink, Pepe'.split(
    ', ',
  )

test('the common wallet reaches every currency of the list and those flagged, and no other [WALLET-6]', async () => {
  await db.query(
    statement(
      'test_no_currencies',
      'delete from currencies where id not in (select currency_id from orders)',
    ),
  )
  const add = (fullName: string, erc20 = false, network = 'ethereum') =>
    db.query(
      statement(
        'test_add_currency',
        `insert into currencies (code, full_name, network, rate, address, erc20)
         values ('E' || (select count(*) from currencies), $1, $3, 1, '', $2)`,
      ),
      [fullName, erc20, network],
    )
  for (const name of ERC20) await add(name)
  await add('Somebody’s', true)
  await add('Nobody’s')
  await add('BNB', false, 'bsc')
  // A token of the same name elsewhere has addresses of another kind: coins sent to this one there would be lost.
  await add('Tether', false, 'tron')
  await add('USDC', true, 'solana')
  const address = '0x00000000000000000000000000000000DeaDBeef'
  await execute('currency.evm-wallet', { address })
  const all = await currencies.list()
  const reached = all.filter((one) => one.address === address)
  expect(reached.map(({ fullName, network }) => `${fullName}, ${network}`).toSorted()).toEqual(
    [...[...ERC20, 'Somebody’s'].map((name) => `${name}, ethereum`), 'BNB, bsc'].toSorted(),
  )
  // The dialog says beforehand which they are.
  expect(all.filter(sharesEvmWallet)).toEqual(reached)

  const other = '0x52908400098527886E0F7030069857D2E4169EE7'
  const replaces = Object.fromEntries(reached.map(({ code }) => [code, address]))
  const first = reached[0]?.code ?? ''
  await execute('currency.update', [{ code: first, address: other }])
  const changed = execute('currency.evm-wallet', { address, replaces })
  await expect(changed).rejects.toMatchObject({
    code: 'conflict',
    details: { current: { ...replaces, [first]: other } },
  })
  expect((await currencies.find(first)).address).toBe(other)
  // Nor does it reach a currency that whoever typed it did not see.
  const { [first]: _, ...fewer } = replaces
  await expect(execute('currency.evm-wallet', { address, replaces: fewer })).rejects.toEqual(
    refused('conflict'),
  )
  await execute('currency.evm-wallet', { address, replaces: { ...replaces, [first]: other } })
  expect((await currencies.find(first)).address).toBe(address)
})
