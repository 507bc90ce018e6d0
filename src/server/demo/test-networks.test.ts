import { readdir, rm } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { makeTestDatabase } from '../../../test/support/database.ts'
import { makeFolder } from '../../../test/support/folders.ts'
import { testKey } from '../../../test/support/secrets.ts'
import { readConfig } from '../config.ts'
import { createContext } from '../context.ts'
import { createLog } from '../log.ts'
import { StartError } from '../start-error.ts'
import { refuseTestNetworksAtFirst } from './seed.ts'

/** What a start with these settings says; `DEMO` is what the environment has, `holds` what the database is. */
async function startWith(
  settings: Record<string, string>,
  { holds, DEMO }: { holds: 'empty' | 'demo'; DEMO: 'on' | 'off' },
): Promise<string> {
  const database = await makeTestDatabase({ holds })
  const dataDir = await makeFolder('test-networks')
  const away = { PRICE_API_URL: 'off', PRICE_KRAKEN_URL: 'off', PRICE_COINBASE_URL: 'off' }
  const own = { NODE_ENV: 'test', DATABASE_URL: database.url, DATA_DIR: dataDir, SECRET_KEY: testKey }
  try {
    const config = readConfig({ ...away, ...own, DEMO, ...settings })
    const context = await createContext(config, database.db, createLog('silent'))
    await context.close()
    return 'started'
  } catch (error) {
    if (error instanceof StartError) return error.message
    throw error
  } finally {
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

const testNetworks: [string, Record<string, string>][] = [
  ['CHAIN_ETHEREUM_ID', { CHAIN_ETHEREUM_ID: '11155111' }],
  [
    'CHAIN_LITECOIN_NETWORK',
    { CHAIN_LITECOIN_NETWORK: 'test', CHAIN_LITECOIN_ESPLORA_URL: 'https://x.example' },
  ],
]

describe('a test network', () => {
  test.each(testNetworks)(
    'is followed by no sale that is not marked as a demo: %s [OPEN-3]',
    async (name, settings) => {
      expect(await startWith(settings, { holds: 'empty', DEMO: 'off' })).toBe(
        `${name} names a test network, which a demo alone follows: rehearse with DEMO=on and an empty database`,
      )
    },
  )

  test('is refused before a first start leaves anything behind [OPEN-3]', async () => {
    const dataDir = await makeFolder('refused')
    const environment = (more: object) =>
      readConfig({ NODE_ENV: 'test', DATA_DIR: dataDir, DEMO: 'off', ...more })
    const config = environment({ CHAIN_ETHEREUM_ID: '11155111' })
    expect(() => refuseTestNetworksAtFirst(config)).toThrow('names a test network')
    expect(() => refuseTestNetworksAtFirst(environment({}))).not.toThrow()
    expect(await readdir(dataDir)).toEqual([])
    await rm(dataDir, { recursive: true })
  })

  test.each(testNetworks)(
    'is followed by a demo, whatever the environment says: %s',
    async (_name, settings) => {
      expect(await startWith(settings, { holds: 'demo', DEMO: 'off' })).toBe('started')
      expect(await startWith(settings, { holds: 'demo', DEMO: 'on' })).toBe('started')
    },
  )

  test('is what differs from the network’s own: its id may be named', async () => {
    const own = { CHAIN_ETHEREUM_ID: '1', CHAIN_BITCOIN_NETWORK: 'main' }
    expect(await startWith(own, { holds: 'empty', DEMO: 'off' })).toBe('started')
  })
})
