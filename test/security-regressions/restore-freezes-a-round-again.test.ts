import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { restoreSnapshot, takeSnapshot } from '../../src/server/commands/snapshot.ts'
import { makeTestDatabase } from '../support/database.ts'
import { withRounds } from '../support/rounds.ts'
import { statement } from '../support/statement.ts'

// A backup doesn't know which rounds were frozen after it. Their distributors pay out all the same: frozen again, the same tokens are on two lists.

const protection = { secretKey: 'a key of thirty-two characters!!' }
const folder = await mkdtemp(join(tmpdir(), 'presale-attack-'))
afterAll(() => rm(folder, { recursive: true }))

test('a round that was announced in the backup is not frozen after the restore, because it may have been [DELIVER-30]', () =>
  withRounds(async ({ db, buyer, dueRound, execute }) => {
    await buyer('40')
    const number = await dueRound()
    const file = join(folder, 'backup')
    await takeSnapshot(db.url, file, protection)
    await execute('round.freeze', { number })

    const target = await makeTestDatabase()
    try {
      await restoreSnapshot({ url: target.url, runner: undefined }, file, protection, { replaces: true })
      const again = statement(
        'test_freeze_again',
        'select refusal, state from freeze_round($1, null), delivery_rounds',
      )
      expect(await target.db.one(again, [number])).toEqual({ refusal: 'round_state', state: 'cancelled' })
    } finally {
      await target.close()
    }
  }))
