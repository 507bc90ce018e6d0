import type { z } from 'zod'
import type { failedAttempt, secondFactor, session } from '../../shared/api/own-access-schemas.ts'
import type {
  Factors,
  FailedAttempt,
  Holder,
  SessionList,
  SessionSummary,
  StoredPasskey,
} from '../credentials/credentials.ts'

export function sessionsReply({ items, total }: SessionList) {
  return { items: items.map(sessionReply), total }
}

function sessionReply(summary: SessionSummary): z.input<typeof session> {
  return {
    id: summary.id,
    kind: summary.kind,
    device: summary.userAgent,
    network: summary.network,
    createdAt: summary.createdAt.toISOString(),
    lastSeenAt: summary.lastSeenAt.toISOString(),
    expiresAt: summary.expiresAt.toISOString(),
    isCurrent: summary.isCurrent,
  }
}

export function failedAttemptReply(failed: FailedAttempt): z.input<typeof failedAttempt> {
  return { ...failed, firstAt: failed.firstAt.toISOString(), lastAt: failed.lastAt.toISOString() }
}

export function passkeyReply(passkey: StoredPasskey) {
  return {
    id: passkey.id,
    name: passkey.name,
    createdAt: passkey.createdAt.toISOString(),
    lastUsedAt: passkey.lastUsedAt?.toISOString() ?? null,
  }
}

export async function secondFactorReply(
  factors: Factors,
  holder: Holder,
): Promise<z.input<typeof secondFactor>> {
  const { hasTotp, recoveryCodesLeft, passkeyList } = await factors.state(holder)
  return { hasTotp, recoveryCodesLeft, passkeys: passkeyList.map(passkeyReply) }
}
