import { expect, test } from 'vitest'
import { ABANDON, accountOf } from '../../../test/chains/account-keys.ts'
import { currenciesOf, performerOf } from '../../../test/support/acts.ts'
import { addOperator, openSale } from '../../../test/support/campaign.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { refused } from '../../../test/support/outcomes.ts'
import { statement } from '../../../test/support/statement.ts'
import { Wallets } from './wallets.ts'

const { db } = await createTestDatabase({ holds: 'demo' })
await openSale(db)
const wallets = new Wallets({
  db,
  chains: { netOf: () => 'main', chainIdOf: () => 1, decimalsOf: async () => 18 },
})
const all = { ...currenciesOf(db).acts, ...wallets.acts }
const perform = performerOf(db, all, await addOperator(db), 'finance')
const update = (code: string, change: object) => perform('currency.update', [{ code, ...change }])
const contract = '0xdAC17F958D2ee523a2206206994597C13D831ec7'

test('a token is watched by its contract alone, and keeps it while it is watched', async () => {
  await db.query(
    statement(
      'test_wallets_chain',
      "insert into chains (name, family, confirmation_rules) values ('ethereum', 'evm', '[]') on conflict do nothing",
    ),
  )
  const accountKey = accountOf(ABANDON, "m/44'/60'/0'", 'xpub').publicExtendedKey
  const wallet = await perform('wallet.add', { family: 'evm', accountKey, name: 'Club' })
  await perform('wallet.check', { id: wallet.id, addresses: wallet.firstAddresses })

  const watch = (currency: string) => perform('currency.wallet', { code: currency, walletId: wallet.id })
  expect(await watch('ETH')).toMatchObject({ watched: true })
  await expect(watch('USDT')).rejects.toEqual(refused('token_contract_missing'))
  await update('USDT', { tokenContract: contract })
  expect(await watch('USDT')).toMatchObject({ watched: true })

  for (const change of [{ tokenContract: null }, { tokenContract: '' }, { network: 'bsc' as const }])
    await expect(update('USDT', change)).rejects.toEqual(refused('currency_watched'))
  await expect(update('ETH', { tokenContract: contract })).rejects.toEqual(refused('currency_watched'))
  await update('USDT', { tokenContract: contract.toLowerCase(), rate: '0.3' })
  await perform('currency.wallet', { code: 'USDT', walletId: null })
  await update('USDT', { tokenContract: null })
})
