import { accountEndpoints as routes } from '../../shared/api/account-schemas.ts'
import type { Accounts, Caller, SignedIn } from '../accounts/accounts.ts'
import type { PasskeyAnswer } from '../credentials/credentials.ts'
import {
  BUYER_COOKIE,
  bearerOf,
  clientOf,
  cookieOf,
  refuseCrossSite,
  setSessionCookie,
} from './authentication.ts'
import { type BuyerActor, type Call, type Server, serve } from './serve.ts'
import { passkeyReply, secondFactorReply, sessionReply } from './sign-in-replies.ts'

export interface AccountRoutesNeeds {
  accounts: Accounts
  publicUrl: string
  /** The name that an authenticator app shows for this site. */
  siteName(): Promise<string>
}

export function mountAccount(server: Server, needs: AccountRoutesNeeds): void {
  mountSignIn(server, needs)
  mountProfile(server, needs)
  mountSessions(server, needs)
  mountSecondFactor(server, needs)
  mountOwnData(server, needs)
}

type Greeted = Pick<Call<typeof routes.logIn>, 'request' | 'reply'>

function mountSignIn(server: Server, { accounts, publicUrl }: AccountRoutesNeeds): void {
  /** A cookie is only ever set for the site's own pages, so that another site can't sign a visitor in. */
  const guardCookie = (call: Greeted, as: 'cookie' | 'token') => {
    if (as === 'cookie') refuseCrossSite(call.request, publicUrl)
  }
  const greet = async (call: Greeted, as: 'cookie' | 'token', { userId, session }: SignedIn) => {
    if (as === 'cookie') {
      await endOld(call)
      setSessionCookie(call.reply, BUYER_COOKIE, publicUrl, session)
    }
    return {
      user: await accounts.readProfile(userId),
      token: as === 'token' ? session.token : undefined,
      expiresAt: session.expiresAt.toISOString(),
    }
  }
  const endOld = async ({ request }: Greeted) => {
    const old = cookieOf(request, BUYER_COOKIE)
    if (old) await accounts.logOut(old)
  }

  serve(server, routes.register, async (call) => {
    const { as, phone, ...input } = call.body
    guardCookie(call, as)
    const signedIn = await accounts.register(
      { ...input, phone: phone ?? undefined },
      clientOf(call.request),
      kindOf(as),
    )
    return greet(call, as, signedIn)
  })
  serve(server, routes.logIn, async (call) => {
    const { as, ...input } = call.body
    guardCookie(call, as)
    return greet(call, as, await accounts.logIn(input, clientOf(call.request), kindOf(as)))
  })
  serve(server, routes.passkeyLoginOptions, ({ request }) => accounts.passkeyLoginOptions(clientOf(request)))
  serve(server, routes.logInByPasskey, async (call) => {
    const { as, answer } = call.body
    guardCookie(call, as)
    return greet(call, as, await accounts.logInByPasskey(answer, clientOf(call.request), kindOf(as)))
  })
  serve(server, routes.session, async ({ actor }) => ({
    user: actor.kind === 'buyer' ? await accounts.readProfile(actor.userId) : null,
  }))
  serve(server, routes.logOut, async ({ request, reply }) => {
    const token = bearerOf(request) ?? cookieOf(request, BUYER_COOKIE)
    if (token) await accounts.logOut(token)
    setSessionCookie(reply, BUYER_COOKIE, publicUrl, null)
  })
  serve(server, routes.stepUp, async ({ actor, body }) => {
    const { password, code, passkey } = body
    if (password !== undefined) return accounts.stepUp(callerOf(actor), { password })
    if (code !== undefined) return accounts.stepUp(callerOf(actor), { code })
    return accounts.stepUp(callerOf(actor), { passkey: passkey as unknown as PasskeyAnswer })
  })
}

function mountProfile(server: Server, { accounts }: AccountRoutesNeeds): void {
  serve(server, routes.show, ({ actor }) => accounts.readProfile(actor.userId))
  serve(server, routes.update, async ({ actor, body }) => {
    const { currentPassword, ...changes } = body
    await accounts.updateProfile(callerOf(actor), changes, { currentPassword })
    return accounts.readProfile(actor.userId)
  })
  serve(server, routes.changePassword, ({ actor, body }) => accounts.changePassword(callerOf(actor), body))
  serve(server, routes.requestReset, ({ body, request }) =>
    accounts.requestReset(body.email, clientOf(request)),
  )
  serve(server, routes.resetPassword, ({ body, request }) => accounts.resetPassword(body, clientOf(request)))
  serve(server, routes.resendConfirmation, ({ actor }) => accounts.resendConfirmation(actor.userId))
  serve(server, routes.confirmEmail, ({ body, request }) =>
    accounts.useConfirmation(body.token, clientOf(request)),
  )
}

function mountSessions(server: Server, { accounts }: AccountRoutesNeeds): void {
  serve(server, routes.sessions, async ({ actor }) => ({
    items: (await accounts.listSessions(actor.userId, actor.sessionId)).map(sessionReply),
  }))
  serve(server, routes.endSession, ({ actor, params }) => accounts.endSession(actor.userId, params.id))
  serve(server, routes.endOtherSessions, async ({ actor }) => ({
    ended: await accounts.endOtherSessions(callerOf(actor)),
  }))
}

function mountSecondFactor(server: Server, { accounts, siteName }: AccountRoutesNeeds): void {
  const { factors } = accounts
  const recent = async (actor: BuyerActor) => {
    await accounts.requireRecent(callerOf(actor))
    return holderOf(actor)
  }
  const labels = async (actor: BuyerActor) => ({ issuer: await siteName(), label: actor.email })

  serve(server, routes.secondFactor, ({ actor }) => secondFactorReply(factors, holderOf(actor)))
  serve(server, routes.beginTotp, async ({ actor }) =>
    factors.beginTotp(await recent(actor), await labels(actor)),
  )
  serve(server, routes.confirmTotp, async ({ actor, body }) => ({
    recoveryCodes: await factors.confirmTotp(await recent(actor), body.code),
  }))
  serve(server, routes.removeTotp, async ({ actor }) => factors.removeTotp(await recent(actor)))
  serve(server, routes.newRecoveryCodes, async ({ actor }) => ({
    recoveryCodes: await factors.newRecoveryCodes(await recent(actor)),
  }))
  serve(server, routes.passkeyOptions, async ({ actor }) =>
    factors.passkeyOptions(await recent(actor), await labels(actor)),
  )
  serve(server, routes.addPasskey, async ({ actor, body }) => {
    const { passkey, recoveryCodes } = await factors.addPasskey(await recent(actor), body.answer, body.name)
    return { passkey: passkeyReply(passkey), recoveryCodes }
  })
  serve(server, routes.removePasskey, async ({ actor, params }) =>
    factors.removePasskey(await recent(actor), params.id),
  )
}

function mountOwnData(server: Server, { accounts, publicUrl }: AccountRoutesNeeds): void {
  serve(server, routes.exportData, async ({ actor, reply }) => {
    reply
      .header('content-disposition', 'attachment; filename="my-data.json"')
      .header('cache-control', 'no-store')
    return Buffer.from(await accounts.exportOwnData(actor.userId))
  })
  serve(server, routes.remove, async ({ actor, body, reply }) => {
    await accounts.deleteAccount(callerOf(actor), body)
    setSessionCookie(reply, BUYER_COOKIE, publicUrl, null)
  })
}

function kindOf(as: 'cookie' | 'token'): 'browser' | 'token' {
  return as === 'cookie' ? 'browser' : 'token'
}

function callerOf(actor: BuyerActor): Caller {
  return { userId: actor.userId, sessionId: actor.sessionId }
}

function holderOf(actor: BuyerActor): { kind: 'user'; id: string } {
  return { kind: 'user', id: actor.userId }
}
