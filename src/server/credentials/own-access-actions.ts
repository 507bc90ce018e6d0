import { z } from 'zod'
import { defineAction } from '../actions/actions.ts'
import { refuse } from '../refusal.ts'
import type { UnitOfWork } from '../unit-of-work/unit-of-work.ts'
import type { FactorChange, Factors } from './factors.ts'
import type { Holder } from './holder.ts'
import { type Proofs, proofInput } from './proofs.ts'
import type { Sessions } from './sessions.ts'

export interface OwnAccessActionsNeeds {
  /** Whose actions these are: a buyer and an operator never execute each other's. */
  readonly kind: Holder['kind']
  readonly sessions: Sessions<unknown>
  readonly factors: Factors
  readonly proofs: Proofs
  /** Tells whom it concerns that a second factor has changed, in the transaction of the change. */
  readonly tellOfFactor: (unit: UnitOfWork, holder: Holder, what: FactorChange) => Promise<void>
}

const nothing = z.object({})
const byId = z.object({ id: z.string() })
const labels = z.object({ issuer: z.string(), label: z.string() })

export type OwnAccessActions = ReturnType<typeof ownAccessActions>

/** What people change of their own sessions and second factors, the same for buyers and operators. */
export const ownAccessActions = (needs: OwnAccessActionsNeeds) => ({
  ...sessionActions(needs),
  ...factorActions(needs),
})

const sessionActions = ({ kind, sessions, proofs }: OwnAccessActionsNeeds) => ({
  /** Ends the session that asks. */
  'session.log-out': defineAction({
    name: 'session.log-out',
    input: nothing,
    execute: async (unit) => {
      const { holder, sessionId } = askerOf(unit, kind)
      await sessions.endById(unit, holder.id, sessionId)
    },
  }),
  /** Takes a proof of who asks; good for 15 minutes. Refuses second_factor_wrong, passkey_refused. */
  'session.step-up': defineAction({
    name: 'session.step-up',
    input: proofInput,
    execute: async (unit, proof) => {
      const { holder, sessionId } = askerOf(unit, kind)
      await proofs.take(unit, holder, proof)
      await sessions.confirm(unit, sessionId)
    },
  }),
  /** Refuses not_found. */
  'session.end': defineAction({
    name: 'session.end',
    input: byId,
    execute: async (unit, { id }) => {
      const { holder } = askerOf(unit, kind)
      if (!(await sessions.endById(unit, holder.id, id))) refuse('not_found')
    },
  }),
  /** Ends all sessions but the one that asks; answers how many. */
  'session.end-others': defineAction({
    name: 'session.end-others',
    input: nothing,
    execute: async (unit) => {
      const { holder, sessionId } = askerOf(unit, kind)
      return { ended: await sessions.endOthers(unit, holder.id, sessionId) }
    },
  }),
})

const factorActions = ({ kind, factors, tellOfFactor }: OwnAccessActionsNeeds) => ({
  /** Refuses conflict. */
  'second-factor.begin': defineAction({
    name: 'second-factor.begin',
    input: labels,
    execute: (unit, shown) => factors.beginTotp(unit, askerOf(unit, kind).holder, shown),
  }),
  /** Refuses second_factor_wrong. */
  'second-factor.confirm': defineAction({
    name: 'second-factor.confirm',
    input: z.object({ code: z.string() }),
    execute: async (unit, { code }) => {
      const { holder } = askerOf(unit, kind)
      const recoveryCodes = await factors.confirmTotp(unit, holder, code)
      await tellOfFactor(unit, holder, 'totp_on')
      return { recoveryCodes }
    },
  }),
  'second-factor.remove': defineAction({
    name: 'second-factor.remove',
    input: nothing,
    execute: async (unit) => {
      const { holder } = askerOf(unit, kind)
      await factors.removeTotp(unit, holder)
      await tellOfFactor(unit, holder, 'totp_off')
    },
  }),
  /** Refuses conflict. */
  'second-factor.recovery-codes': defineAction({
    name: 'second-factor.recovery-codes',
    input: nothing,
    execute: async (unit) => {
      const { holder } = askerOf(unit, kind)
      const recoveryCodes = await factors.newRecoveryCodes(unit, holder)
      await tellOfFactor(unit, holder, 'recovery_codes_new')
      return { recoveryCodes }
    },
  }),
  'passkey.begin': defineAction({
    name: 'passkey.begin',
    input: labels,
    execute: (unit, shown) => factors.passkeyOptions(unit, askerOf(unit, kind).holder, shown),
  }),
  /** Refuses passkey_refused, conflict. */
  'passkey.add': defineAction({
    name: 'passkey.add',
    input: z.object({ name: z.string(), answer: z.record(z.string(), z.unknown()) }),
    execute: async (unit, { name, answer }) => {
      const { holder } = askerOf(unit, kind)
      const added = await factors.addPasskey(unit, holder, answer, name)
      await tellOfFactor(unit, holder, 'passkey_added')
      return added
    },
  }),
  /** Refuses not_found. */
  'passkey.remove': defineAction({
    name: 'passkey.remove',
    input: byId,
    execute: async (unit, { id }) => {
      const { holder } = askerOf(unit, kind)
      await factors.removePasskey(unit, holder, id)
      await tellOfFactor(unit, holder, 'passkey_removed')
    },
  }),
})

/** Who asks, with the session that asks. Refuses not_for_your_role for anybody of another kind, and without a session. */
function askerOf({ actor }: UnitOfWork, kind: Holder['kind']): { holder: Holder; sessionId: string } {
  if (actor.kind === 'operator' && kind === 'operator' && actor.sessionId)
    return { holder: { kind, id: actor.operatorId }, sessionId: actor.sessionId }
  if (actor.kind === 'buyer' && kind === 'user' && actor.sessionId)
    return { holder: { kind, id: actor.userId }, sessionId: actor.sessionId }
  return refuse('not_for_your_role')
}
