import type { Context } from '../context.ts'
import { system } from '../unit-of-work/unit-of-work.ts'
import type { LocalChain } from './local-chain.ts'

/**
 * m/84'/1'/7' of the public test phrase (`test test … junk`): worthless, accepted only in a demo's database.
 */
const DEMO_ACCOUNT =
  'vpub5YRRorZVvAATbadFBqXxBKY7eBYuJoytrCzsTtmYjGUrzhPQbDRgKodrHYmuY1Z42bAhRR53cJ9nuoHY2debCGrpjVPKbCNbSRop4pJP4TD'
/** A mined coin can be spent after a hundred. */
const FIRST_BLOCKS = 130

/** Gives each LTC order its own address; mines coins. */
export async function watchLitecoin({ actions, payments }: Context, rpc: LocalChain): Promise<void> {
  await rpc.call('createwallet', 'demo')
  const miner = await rpc.call<string>('getnewaddress', '', 'bech32')
  await rpc.call('generatetoaddress', FIRST_BLOCKS, miner)
  const account = { family: 'litecoin', accountKey: DEMO_ACCOUNT, name: 'Demo litecoind' } as const
  const { id, firstAddresses } = await actions.execute(payments.actions['wallet.add'], system, account)
  await actions.execute(payments.actions['wallet.check'], system, { id, addresses: firstAddresses })
  await actions.execute(payments.actions['currency.wallet'], system, { code: 'LTC', walletId: id })
}
