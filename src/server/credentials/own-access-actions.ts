import { z } from 'zod'
import { defineAction, isFresh } from '../actions/actions.ts'
import { refuse } from '../refusal.ts'
import type { BuyerActor, OperatorActor, UnitOfWork } from '../unit-of-work/unit-of-work.ts'
import type { FactorChange, Factors } from './factors.ts'
import { type Holder, holdHolder } from './holder.ts'
import { type Proof, type Proofs, proofInput, takeProof } from './proofs.ts'
import type { Sessions } from './sessions.ts'

export interface OwnAccessActionsNeeds {
  /** A buyer and an operator never execute each other's actions. */
  readonly kind: Holder['kind']
  readonly sessions: Sessions<unknown>
  readonly factors: Factors
  readonly proofs: Proofs
  /** Other sessions were opened without the present second factors. */
  readonly endOthers: (unit: UnitOfWork, holderId: string, sessionId: string) => Promise<unknown>
  /** API keys go on without a session. */
  readonly countKeys: (unit: UnitOfWork, holderId: string) => Promise<number>
  /** In the transaction of the change. */
  readonly tellOfFactor: (unit: UnitOfWork, holder: Holder, what: FactorChange) => Promise<void>
}

const nothing = z.object({})
const byId = z.object({ id: z.string() })
const labels = z.object({ issuer: z.string(), label: z.string(), proof: proofInput })
const proved = z.object({ proof: proofInput })

export type OwnAccessActions = ReturnType<typeof ownAccessActions>

export const ownAccessActions = (needs: OwnAccessActionsNeeds) => ({
  ...sessionActions(needs),
  ...factorActions(needs),
})

const sessionActions = ({ kind, sessions, factors, proofs, countKeys }: OwnAccessActionsNeeds) => ({
  'session.log-out': defineAction({
    name: 'session.log-out',
    input: nothing,
    execute: async (unit) => {
      const { holder, sessionId } = askerOf(unit, kind)
      await sessions.endById(unit, holder.id, sessionId)
    },
  }),
  /** Valid for 15 minutes. */
  'session.step-up': defineAction({
    name: 'session.step-up',
    input: proofInput,
    execute: async (unit, proof) => {
      await takeProof({ proofs, sessions }, unit, askerOf(unit, kind).actor, proof)
    },
  }),
  'session.end': defineAction({
    name: 'session.end',
    input: byId,
    execute: async (unit, { id }) => {
      const { holder } = askerOf(unit, kind)
      await requireProofFor(sessions, unit, id)
      if (!(await sessions.endById(unit, holder.id, id))) refuse('not_found')
    },
  }),
  /** Also removes factors that are not on yet. Returns the number of sessions, and of API keys that go on. */
  'session.end-others': defineAction({
    name: 'session.end-others',
    input: nothing,
    execute: async (unit) => {
      const { holder, sessionId } = askerOf(unit, kind)
      await factors.removeBegun(unit, holder)
      const ended = await sessions.endOthers(unit, holder.id, sessionId)
      return { ended, apiKeys: await countKeys(unit, holder.id) }
    },
  }),
})

// Rules: RIGHT-8
/**
 * Ending a session that began after this session's last proof needs a proof of the last 15 minutes: a stolen
 * session could otherwise lock out its owner.
 */
async function requireProofFor(sessions: Sessions<unknown>, unit: UnitOfWork, id: string): Promise<void> {
  const { actor } = unit
  if (actor.kind !== 'operator' && actor.kind !== 'buyer') return
  if (!actor.sessionId || isFresh(actor.authenticatedAt)) return
  if (await sessions.isYounger(unit, actor.sessionId, id)) refuse('step_up_required')
}

const factorActions = (needs: OwnAccessActionsNeeds) => ({
  /** Only after a whole proof. */
  'second-factor.begin': defineAction({
    name: 'second-factor.begin',
    input: labels,
    execute: async (unit, { proof, ...shown }) =>
      needs.factors.beginTotp(unit, await prove(needs, unit, proof), shown),
  }),
  'second-factor.confirm': defineAction({
    name: 'second-factor.confirm',
    input: z.object({ code: z.string() }),
    execute: (unit, { code }) =>
      changeFactor(needs, unit, 'totp_on', async (holder) => ({
        recoveryCodes: await needs.factors.confirmTotp(unit, holder, code),
      })),
  }),
  'second-factor.remove': defineAction({
    name: 'second-factor.remove',
    input: proved,
    execute: async (unit, { proof }) => {
      await prove(needs, unit, proof)
      return changeFactor(needs, unit, 'totp_off', (holder) => needs.factors.removeTotp(unit, holder))
    },
  }),
  'second-factor.recovery-codes': defineAction({
    name: 'second-factor.recovery-codes',
    input: proved,
    execute: async (unit, { proof }) => {
      await prove(needs, unit, proof)
      return changeFactor(needs, unit, 'recovery_codes_new', async (holder) => ({
        recoveryCodes: await needs.factors.newRecoveryCodes(unit, holder),
      }))
    },
  }),
  /** Only after a whole proof. */
  'passkey.begin': defineAction({
    name: 'passkey.begin',
    input: labels,
    execute: async (unit, { proof, ...shown }) =>
      needs.factors.passkeyOptions(unit, await prove(needs, unit, proof), shown),
  }),
  'passkey.add': defineAction({
    name: 'passkey.add',
    input: z.object({ name: z.string(), answer: z.record(z.string(), z.unknown()) }),
    execute: (unit, { name, answer }) =>
      changeFactor(needs, unit, 'passkey_added', (holder) =>
        needs.factors.addPasskey(unit, holder, answer, name),
      ),
  }),
  'passkey.remove': defineAction({
    name: 'passkey.remove',
    input: proved.extend({ id: z.string() }),
    execute: async (unit, { id, proof }) => {
      await prove(needs, unit, proof)
      return changeFactor(needs, unit, 'passkey_removed', (holder) =>
        needs.factors.removePasskey(unit, holder, id),
      )
    },
  }),
})

async function prove(needs: OwnAccessActionsNeeds, unit: UnitOfWork, proof: Proof): Promise<Holder> {
  const { holder, actor } = askerOf(unit, needs.kind)
  await takeProof(needs, unit, actor, proof)
  return holder
}

// Rules: RIGHT-4, RIGHT-8
/** Ends the actor's other sessions. A login in progress waits, then needs the new factors. */
async function changeFactor<Result>(
  { kind, sessions, factors, endOthers, tellOfFactor }: OwnAccessActionsNeeds,
  unit: UnitOfWork,
  what: FactorChange,
  change: (holder: Holder) => Promise<Result>,
): Promise<Result> {
  const { holder, sessionId, actor } = askerOf(unit, kind)
  await sessions.renew(unit, actor.cookie)
  await holdHolder(unit, holder)
  const result = await change(holder)
  await sessions.noteSecondFactor(unit, sessionId, await factors.isOn(unit, holder))
  await endOthers(unit, holder.id, sessionId)
  await tellOfFactor(unit, holder, what)
  return result
}

/** Throws not_for_your_role for another kind of actor or without a session. */
function askerOf(
  { actor }: UnitOfWork,
  kind: Holder['kind'],
): { holder: Holder; sessionId: string; actor: OperatorActor | BuyerActor } {
  if (actor.kind === 'operator' && kind === 'operator' && actor.sessionId)
    return { holder: { kind, id: actor.operatorId }, sessionId: actor.sessionId, actor }
  if (actor.kind === 'buyer' && kind === 'user' && actor.sessionId)
    return { holder: { kind, id: actor.userId }, sessionId: actor.sessionId, actor }
  return refuse('not_for_your_role')
}
