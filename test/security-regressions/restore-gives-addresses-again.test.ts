import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { restoreSnapshot, takeSnapshot } from '../../src/server/commands/snapshot.ts'
import { ChainAccess } from '../../src/server/payments/chain-access.ts'
import { Wallets } from '../../src/server/payments/wallets.ts'
import { ABANDON, accountOf } from '../chains/account-keys.ts'
import { openChainSale } from '../chains/chain-sale.ts'
import { nowhere } from '../chains/paper-chain.ts'
import { makeTestDatabase } from '../support/database.ts'
import { testSecrets } from '../support/secrets.ts'
import { statement } from '../support/statement.ts'

// A backup lacks the addresses assigned after it, to which buyers may still pay.

const protection = { secretKey: 'a key of thirty-two characters!!' }
const folder = await mkdtemp(join(tmpdir(), 'presale-attack-'))
afterAll(() => rm(folder, { recursive: true }))

test('an address that was given out after the backup is given to nobody else after the restore [WALLET-7]', async () => {
  const [source, target] = [await makeTestDatabase({ holds: 'demo' }), await makeTestDatabase()]
  try {
    const sale = await openChainSale(source.db, [nowhere])
    await sale.sql('tip', "update chains set height = 1000, hash = 'block 1000' where name = 'litecoin'")
    await sale.watch('LTC', 'litecoin', accountOf(ABANDON, "m/84'/1'/4711'", 'vpub').publicExtendedKey)
    const before = await sale.order('LTC', '40')
    const file = join(folder, 'backup')
    await takeSnapshot(source.url, file, protection)
    const lost = await sale.order('LTC', '40')

    await restoreSnapshot({ url: target.url, runner: undefined }, file, protection, { replaces: true })
    const wallets = new Wallets({ db: target.db, secrets: testSecrets, chains: new ChainAccess([nowhere]) })
    const { id } = await target.db.one<{ id: number }>(
      statement('test_litecoin', "select id from currencies where code = 'LTC'"),
    )
    const given = await wallets.reserveAddress(id)
    expect([before.address, lost.address]).not.toContain(given.address)
    expect(given.index).toBe(1_001)
  } finally {
    await source.close()
    await target.close()
  }
})
