import { embedded, type Mutant } from './mutant.ts'

const replica = embedded('src/server/database/replica.test.ts')

/** Which server of the database answers, and which process serves a folder. */
export const databaseMutants: readonly Mutant[] = [
  {
    id: 'standby-behind',
    says: 'A standby answers that lacks what was written before the question.',
    edits: [
      ['src/server/database/replica.ts', 'pg_last_wal_replay_lsn() >= $1::pg_lsn', '$1::pg_lsn = $1::pg_lsn'],
    ],
    killers: [replica],
  },
  {
    id: 'standby-while-the-primary-is-busy',
    says: 'A standby answers as it stands where the primary was too busy to be asked.',
    edits: [
      ['src/server/database/replica.ts', '      if (error instanceof PrimaryBusy) return undefined\n', ''],
    ],
    killers: [replica],
  },
  {
    id: 'primary-of-the-past',
    says: 'A primary of before a failover answers as a standby.',
    edits: [['src/server/database/replica.ts', 'select pg_is_in_recovery() and', 'select']],
    killers: [replica],
  },
  {
    id: 'stand-in-behind',
    says: 'For a silent primary a standby answers that lacks what that had on its disk.',
    edits: [
      [
        'src/server/database/stand-in.ts',
        'hasCaughtUp(client, this.#line.position)',
        'hasCaughtUp(client, null)',
      ],
    ],
    killers: [replica],
  },
  {
    id: 'server-of-another-process',
    says: 'Of several starts one takes the lock on a database that another one started.',
    edits: [
      [
        'src/server/database/embedded.ts',
        '(await serverPid(this.#paths)) === child.pid',
        '(await serverPid(this.#paths)) > 0',
      ],
    ],
    killers: [embedded('src/server/database/embedded.test.ts')],
  },
]
