import type { Context } from '../context.ts'
import { system } from '../unit-of-work/unit-of-work.ts'
import type { LocalChain } from './local-chain.ts'

/**
 * The account public key m/84'/1'/7' of the phrase that every development tool knows (`test test … junk`): worthless on purpose, and
 * taken on a database that is marked as a demo only.
 */
const DEMO_ACCOUNT =
  'vpub5YRRorZVvAATbadFBqXxBKY7eBYuJoytrCzsTtmYjGUrzhPQbDRgKodrHYmuY1Z42bAhRR53cJ9nuoHY2debCGrpjVPKbCNbSRop4pJP4TD'
/** A coin can be spent once a hundred blocks lie on the one that made it. */
const FIRST_BLOCKS = 130

/** Makes the test wallet of the demo's litecoind (regtest) with coins in it, and has each order in LTC get an address of its own. */
export async function watchLitecoin({ actions, payments }: Context, rpc: LocalChain): Promise<void> {
  await rpc.call('createwallet', 'demo')
  const miner = await rpc.call<string>('getnewaddress', '', 'bech32')
  await rpc.call('generatetoaddress', FIRST_BLOCKS, miner)
  const account = { family: 'litecoin', accountKey: DEMO_ACCOUNT, name: 'Demo litecoind' } as const
  const { id, firstAddresses } = await actions.execute(payments.actions['wallet.add'], system, account)
  await actions.execute(payments.actions['wallet.check'], system, { id, addresses: firstAddresses })
  await actions.execute(payments.actions['currency.wallet'], system, { code: 'LTC', walletId: id })
}
