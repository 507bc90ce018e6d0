import { remove, replace } from './edit.ts'
import { embedded, mutantsOf } from './mutant.ts'

const replica = embedded('src/server/database/replica.test.ts')

export const databaseMutants = mutantsOf({
  'farewell-unheard': {
    says: 'A database that ends a connection as it opens ends the server.',
    edits: replace('src/server/database/line.ts:#classFor', "this.on('error', () => undefined)", 'void this'),
    killers: embedded('src/server/database/database.test.ts'),
  },
  'older-line-starts': {
    says: 'A program of an older line serves tables that a newer one may have changed.',
    edits: replace(
      'src/server/database/migrate.ts:refuseHistory',
      'row.version > newest && isOfLine',
      'row.version > newest',
    ),
    killers: embedded('src/server/database/migrate.test.ts'),
  },
  'roll-back-drops-functions': {
    says: 'A roll back drops the functions that only the newer release has, whose tables may use them.',
    edits: replace('src/server/database/functions.ts:dropChanged', '!keepsFurther', 'true'),
    killers: embedded('src/server/database/functions.test.ts'),
  },
  'roll-back-keeps-newer-functions': {
    says: 'After a roll back the functions of the newer release stay in force.',
    edits: replace(
      'src/server/database/functions.ts:putInForce',
      'isOlder(set.version, before.version) && !isRollBack',
      'isOlder(set.version, before.version)',
    ),
    killers: embedded('src/server/database/functions.test.ts'),
  },
  'standby-behind': {
    says: 'A standby answers that lacks what was written before the question.',
    edits: replace(
      'src/server/database/replica.ts:hasCaughtUp',
      "'select pg_is_in_recovery() and coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, $1 is null) as caught_up'",
      "'select pg_is_in_recovery() and coalesce($1::pg_lsn = $1::pg_lsn, $1 is null) as caught_up'",
    ),
    killers: replica,
  },
  'standby-while-the-primary-is-busy': {
    says: 'A standby answers as it stands where the primary was too busy to be asked.',
    edits: remove(
      'src/server/database/replica.ts:#from',
      'if (error instanceof PrimaryBusy) return undefined',
    ),
    killers: replica,
  },
  'primary-of-the-past': {
    says: 'A primary of before a failover answers as a standby.',
    edits: replace(
      'src/server/database/replica.ts:hasCaughtUp',
      "'select pg_is_in_recovery() and coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, $1 is null) as caught_up'",
      "'select coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, $1 is null) as caught_up'",
    ),
    killers: replica,
  },
  'stand-in-behind': {
    says: 'For a silent primary a standby answers that lacks what that had on its disk.',
    edits: replace(
      'src/server/database/stand-in.ts:#stand',
      'hasCaughtUp(client, this.#line.position)',
      'hasCaughtUp(client, null)',
    ),
    killers: replica,
  },
  'server-of-another-process': {
    says: 'Of several starts one takes the lock on a database that another one started.',
    edits: replace(
      'src/server/database/embedded.ts:#waitUntilUp',
      '(await serverPid(this.#paths)) === child.pid',
      '(await serverPid(this.#paths)) > 0',
    ),
    killers: embedded('src/server/database/embedded.test.ts'),
  },
  'older-timeline-chosen': {
    says: 'After a failover the former primary takes the writes.',
    edits: replace(
      'src/server/database/primary.ts:findHost',
      '(a.timeline < b.timeline ? 1 : -1)',
      '(a.timeline < b.timeline ? -1 : 1)',
    ),
    killers: replica,
  },
  'first-primary-taken': {
    says: 'The first host that believes itself the primary takes the writes.',
    edits: remove(
      'src/server/database/primary.ts:findHost',
      "if (wanted !== 'standby') await Promise.race([Promise.all(firsts), delay(GRACE_MS)])",
    ),
    killers: replica,
  },
  'promotion-unseen': {
    says: 'A standby that is promoted is found only once the former primary is given up.',
    edits: remove('src/server/database/primary.ts:look', 'if (!isStandby || isOver())'),
    killers: replica,
  },
  'folder-served-by-two': {
    says: 'Two processes serve one folder.',
    edits: remove('src/server/database/folder-owner.ts:ownFolder', '?.taken'),
    killers: embedded('src/server/database/embedded.test.ts'),
  },
  'young-server-ended': {
    says: 'A start ends the database that another one has just started.',
    edits: replace(
      'src/server/database/folder-owner.ts:waitForOwner',
      'attempt >= 20 && !(await isYoung(client))',
      'attempt >= 0',
    ),
    killers: embedded('src/server/database/embedded.test.ts'),
  },
  'number-of-a-server-removed': {
    says: 'The file that keeps a second server from a folder is removed under the first one.',
    edits: remove(
      'src/server/database/server-process.ts:removeForeignPidFile',
      "&& name.trim() !== 'postgres'",
    ),
    killers: embedded('src/server/database/embedded.test.ts'),
  },
  'limit-forgets-what-follows': {
    says: 'What a connection commits after it counted a limit is lost in a crash.',
    edits: replace(
      'src/server/limits/limits.ts:#takeOf',
      "set_config('synchronous_commit', 'off', true)",
      "set_config('synchronous_commit', 'off', false)",
    ),
    killers: embedded('src/server/limits/limits.test.ts'),
  },
})
