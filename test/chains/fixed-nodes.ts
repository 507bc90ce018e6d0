import type { ChainConfig } from '../../src/server/chain-config.ts'
import type { Database } from '../../src/server/database/database.ts'
import { ChainNodes } from '../../src/server/payments/chain-nodes.ts'
import { testSecrets } from '../support/secrets.ts'

/** Nodes from the environment only. */
export const fixedNodes = (db: Database, given: readonly ChainConfig[]) =>
  new ChainNodes({
    db,
    secrets: testSecrets,
    given,
    rules: { settings: new Map(), hosts: [] },
    log: { warn() {} },
  })
