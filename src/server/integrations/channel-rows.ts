import type { z } from 'zod'
import type { Channel, ChannelKind, NoticeKind } from '../../shared/api/channels.ts'
import type { channelTarget } from '../../shared/api/channels-inputs.ts'
import { fragment, type Queryable, sql } from '../database/database.ts'
import type { Push } from '../push/push.ts'
import { refuse } from '../refusal.ts'
import type { Secrets } from '../secrets/secrets.ts'

export type Target = z.output<typeof channelTarget>

export interface SealedTarget {
  readonly target: Target
  readonly code: string
  /** For a mail: the address that the code is for. */
  readonly to?: string | null
}

export type Browsers = Pick<Push['sender'], 'reasonAgainst' | 'send'>

/** Sealed with the channel's id. */
const PURPOSE = 'channel'

export const sealTarget = (secrets: Secrets, id: string, sealed: SealedTarget): Buffer =>
  secrets.encrypt(PURPOSE, JSON.stringify(sealed), id)
export const openTarget = (secrets: Secrets, id: string, sealed: Buffer): SealedTarget =>
  JSON.parse(secrets.decrypt(PURPOSE, sealed, id)) as SealedTarget

interface ChannelRow {
  readonly id: string
  readonly kind: ChannelKind
  readonly label: string
  readonly notices: NoticeKind[]
  readonly proven_at: Date | null
  readonly last_sent_at: Date | null
  readonly last_error: string | null
  readonly stopped_at: Date | null
}

const columns = fragment`id, kind, label, notices, proven_at, last_sent_at, last_error, stopped_at`

export async function readChannels(db: Queryable, operatorId: string): Promise<Channel[]> {
  const rows = await db.query<ChannelRow>(
    sql`select ${columns} from operator_channels where operator_id = ${operatorId} order by id`,
  )
  return rows.map(shown)
}

export async function readChannel(db: Queryable, operatorId: string | null, id: string): Promise<Channel> {
  const row = await db.maybeOne<ChannelRow>(
    sql`select ${columns} from operator_channels where id = ${id} and operator_id = ${operatorId}`,
  )
  return shown(row ?? refuse('not_found'))
}

function shown(row: ChannelRow): Channel {
  return {
    id: Number(row.id),
    kind: row.kind,
    label: row.label,
    notices: row.notices,
    provenAt: row.proven_at?.toISOString() ?? null,
    lastSentAt: row.last_sent_at?.toISOString() ?? null,
    lastError: row.last_error,
    stoppedAt: row.stopped_at?.toISOString() ?? null,
  }
}
