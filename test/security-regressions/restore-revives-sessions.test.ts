import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { restoreSnapshot, takeSnapshot } from '../../src/server/commands/snapshot.ts'
import { hashToken, newToken } from '../../src/server/secrets/secrets.ts'
import { registerToken } from '../support/api.ts'
import { addOperator } from '../support/campaign.ts'
import { makeTestDatabase } from '../support/database.ts'
import { peopleOf } from '../support/people.ts'
import { startServer } from '../support/server.ts'
import { statement } from '../support/statement.ts'

// A backup has all sessions and keys of its day; those revoked since must not return.

const protection = { secretKey: 'a key of thirty-two characters!!' }
const folder = await mkdtemp(join(tmpdir(), 'presale-attack-'))
afterAll(() => rm(folder, { recursive: true }))

const open = statement(
  'test_open_access',
  `select (select count(*) from user_sessions) + (select count(*) from operator_sessions)
        + (select count(*) from one_time_links) + (select count(*) from passkey_challenges)
        + (select count(*) from api_keys where revoked_at is null)
        + (select count(*) from operator_channels where proven_at is not null) as count`,
)

test('what was open in the backup opens nothing after the restore, unless it is asked for [RIGHT-8]', async () => {
  const server = await startServer({}, { jobs: false })
  const target = await makeTestDatabase()
  try {
    const token = await registerToken(server.url)
    const operatorId = await addOperator(server.database.db, 'owner')
    await server.database.db.query(
      statement(
        'test_add_key',
        `insert into api_keys (name, token_hash, hint, scopes, operator_id)
         values ('Books', $1, 'psk_', '{orders:read}', $2)`,
      ),
      [hashToken(newToken('psk_')), operatorId],
    )
    await server.database.db.query(
      statement(
        'test_add_channel',
        `insert into operator_channels (operator_id, kind, label, target_encrypted, notices, proven_at)
         values ($1, 'webhook', 'removed.example.org', 'sealed', '{order_created}', now())`,
      ),
      [operatorId],
    )
    await server.context.accounts.passkeyLoginOptions({ network: '127.0.0.1', userAgent: '' })
    const file = join(folder, 'backup')
    await takeSnapshot(server.database.url, file, protection)
    const owner = { url: target.url, runner: undefined }

    await restoreSnapshot(owner, file, protection, { replaces: true })
    expect(await target.db.one(open)).toEqual({ count: '0' })
    expect(await peopleOf(target.db).accounts.authenticate(token)).toBeUndefined()

    await restoreSnapshot(owner, file, protection, { replaces: true, keepsAccess: true })
    expect(await peopleOf(target.db).accounts.authenticate(token)).toBeDefined()
  } finally {
    await server.close()
    await target.close()
  }
})
