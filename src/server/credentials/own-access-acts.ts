import { z } from 'zod'
import { act } from '../acts/acts.ts'
import type { Change } from '../changes/changes.ts'
import { refuse } from '../refusal.ts'
import type { FactorChange, Factors } from './factors.ts'
import type { Holder } from './holder.ts'
import { type Proofs, proofInput } from './proofs.ts'
import type { Sessions } from './sessions.ts'

export interface OwnAccessActsNeeds {
  /** Whose acts these are: a buyer and an operator never perform each other's. */
  readonly kind: Holder['kind']
  readonly sessions: Sessions<unknown>
  readonly factors: Factors
  readonly proofs: Proofs
  /** Tells whom it concerns that a second factor has changed, in the transaction of the change. */
  readonly tellOfFactor: (change: Change, holder: Holder, what: FactorChange) => Promise<void>
}

const nothing = z.object({})
const byId = z.object({ id: z.string() })
const labels = z.object({ issuer: z.string(), label: z.string() })

export type OwnAccessActs = ReturnType<typeof ownAccessActs>

/** What people change of their own sessions and second factors, the same for buyers and operators. */
export const ownAccessActs = (needs: OwnAccessActsNeeds) => ({ ...sessionActs(needs), ...factorActs(needs) })

const sessionActs = ({ kind, sessions, proofs }: OwnAccessActsNeeds) => ({
  /** Ends the session that asks. */
  'session.log-out': act({
    name: 'session.log-out',
    input: nothing,
    perform: async (change) => {
      const { holder, sessionId } = askerOf(change, kind)
      await sessions.endById(change, holder.id, sessionId)
    },
  }),
  /** Takes a proof of who asks; good for 15 minutes. Refuses second_factor_wrong, passkey_refused. */
  'session.step-up': act({
    name: 'session.step-up',
    input: proofInput,
    perform: async (change, proof) => {
      const { holder, sessionId } = askerOf(change, kind)
      await proofs.take(change, holder, proof)
      await sessions.confirm(change, sessionId)
    },
  }),
  /** Refuses not_found. */
  'session.end': act({
    name: 'session.end',
    input: byId,
    perform: async (change, { id }) => {
      const { holder } = askerOf(change, kind)
      if (!(await sessions.endById(change, holder.id, id))) refuse('not_found')
    },
  }),
  /** Ends all sessions but the one that asks; answers how many. */
  'session.end-others': act({
    name: 'session.end-others',
    input: nothing,
    perform: async (change) => {
      const { holder, sessionId } = askerOf(change, kind)
      return { ended: await sessions.endOthers(change, holder.id, sessionId) }
    },
  }),
})

const factorActs = ({ kind, factors, tellOfFactor }: OwnAccessActsNeeds) => ({
  /** Refuses conflict. */
  'second-factor.begin': act({
    name: 'second-factor.begin',
    input: labels,
    perform: (change, shown) => factors.beginTotp(change, askerOf(change, kind).holder, shown),
  }),
  /** Refuses second_factor_wrong. */
  'second-factor.confirm': act({
    name: 'second-factor.confirm',
    input: z.object({ code: z.string() }),
    perform: async (change, { code }) => {
      const { holder } = askerOf(change, kind)
      const recoveryCodes = await factors.confirmTotp(change, holder, code)
      await tellOfFactor(change, holder, 'totp_on')
      return { recoveryCodes }
    },
  }),
  'second-factor.remove': act({
    name: 'second-factor.remove',
    input: nothing,
    perform: async (change) => {
      const { holder } = askerOf(change, kind)
      await factors.removeTotp(change, holder)
      await tellOfFactor(change, holder, 'totp_off')
    },
  }),
  /** Refuses conflict. */
  'second-factor.recovery-codes': act({
    name: 'second-factor.recovery-codes',
    input: nothing,
    perform: async (change) => {
      const { holder } = askerOf(change, kind)
      const recoveryCodes = await factors.newRecoveryCodes(change, holder)
      await tellOfFactor(change, holder, 'recovery_codes_new')
      return { recoveryCodes }
    },
  }),
  'passkey.begin': act({
    name: 'passkey.begin',
    input: labels,
    perform: (change, shown) => factors.passkeyOptions(change, askerOf(change, kind).holder, shown),
  }),
  /** Refuses passkey_refused, conflict. */
  'passkey.add': act({
    name: 'passkey.add',
    input: z.object({ name: z.string(), answer: z.record(z.string(), z.unknown()) }),
    perform: async (change, { name, answer }) => {
      const { holder } = askerOf(change, kind)
      const added = await factors.addPasskey(change, holder, answer, name)
      await tellOfFactor(change, holder, 'passkey_added')
      return added
    },
  }),
  /** Refuses not_found. */
  'passkey.remove': act({
    name: 'passkey.remove',
    input: byId,
    perform: async (change, { id }) => {
      const { holder } = askerOf(change, kind)
      await factors.removePasskey(change, holder, id)
      await tellOfFactor(change, holder, 'passkey_removed')
    },
  }),
})

/** Who asks, with the session that asks. Refuses not_for_your_role for anybody of another kind, and without a session. */
function askerOf({ by }: Change, kind: Holder['kind']): { holder: Holder; sessionId: string } {
  if (by.kind === 'operator' && kind === 'operator' && by.sessionId)
    return { holder: { kind, id: by.operatorId }, sessionId: by.sessionId }
  if (by.kind === 'buyer' && kind === 'user' && by.sessionId)
    return { holder: { kind, id: by.userId }, sessionId: by.sessionId }
  return refuse('not_for_your_role')
}
