import { accountEndpoints as routes } from '../../shared/api/account-schemas.ts'
import { DEVICE_COOKIE, REFERRAL_COOKIE } from '../../shared/referral.ts'
import type { Accounts, Client, SignedIn } from '../accounts/accounts.ts'
import { judgePassword } from '../credentials/credentials.ts'
import type { Push } from '../push/push.ts'
import type { Referral } from '../referral/referral.ts'
import {
  addCookie,
  askerOf,
  BUYER_COOKIE,
  bearerOf,
  clientOf,
  cookieOf,
  fromBrowser,
  refuseCrossSite,
  sessionCookieOf,
  setSessionCookie,
} from './authentication.ts'
import { mountOwnAccess } from './own-access.ts'
import { deviceCookie, referralCookie } from './referral.ts'
import { noteSignedIn } from './security-log.ts'
import { buyerActor, type Call, type Server, serve } from './serve.ts'

export interface AccountRoutesNeeds {
  accounts: Accounts
  referral: Pick<Referral, 'noteDevice'>
  push: Pick<Push, 'follow'>
  publicUrl: string
  /** For authenticator apps. */
  siteName(): Promise<string>
}

export function mountAccount(server: Server, needs: AccountRoutesNeeds): void {
  mountSignIn(server, needs)
  mountProfile(server, needs)
  mountOwnAccess(server, routes, needs.accounts, needs.siteName)
  mountOwnData(server, needs)
}

type Greeted = Pick<Call<typeof routes.logIn>, 'request' | 'reply'>

function mountSignIn(server: Server, { accounts, referral, push, publicUrl }: AccountRoutesNeeds): void {
  /** Another site could otherwise sign a visitor in. */
  const guardCookie = (call: Greeted, as: 'cookie' | 'token') => {
    if (as === 'cookie') refuseCrossSite(call.request, publicUrl)
  }
  /** A cookie session also gets a browser id. */
  const signIn = (call: Greeted, as: 'cookie' | 'token', enter: (client: Client) => Promise<SignedIn>) =>
    fromBrowser(call, as, publicUrl, async (client) => greet(call, as, await enter(client)))
  const greet = async (call: Greeted, as: 'cookie' | 'token', { userId, session }: SignedIn) => {
    noteSignedIn(call.request, `user:${userId}`)
    if (as === 'cookie') {
      await endOld(call, userId, session.id)
      setSessionCookie(call.reply, BUYER_COOKIE, publicUrl, session)
      const device = await referral.noteDevice(userId, cookieOf(call.request, DEVICE_COOKIE))
      if (device) addCookie(call.reply, deviceCookie(device, publicUrl))
    }
    return {
      user: await accounts.readProfile(userId),
      token: as === 'token' ? session.token : undefined,
      expiresAt: session.expiresAt.toISOString(),
    }
  }
  const endOld = async ({ request }: Greeted, userId: string, sessionId: string) => {
    const old = sessionCookieOf(request, BUYER_COOKIE, publicUrl)
    if (!old) return
    await push.follow(userId, old, sessionId)
    await accounts.logOut(old)
  }

  const register = async (call: Call<typeof routes.register>) => {
    const { as, phone, ...input } = call.body
    guardCookie(call, as)
    const referralCode = cookieOf(call.request, REFERRAL_COOKIE)
    const asked = { ...input, phone: phone ?? undefined, referralCode }
    const reply = await signIn(call, as, (client) => accounts.register(asked, client, kindOf(as)))
    // The referral code is used up.
    if (referralCode) addCookie(call.reply, referralCookie(null, publicUrl))
    return reply
  }
  const logIn = async (call: Call<typeof routes.logIn>) => {
    const { as, ...input } = call.body
    guardCookie(call, as)
    return signIn(call, as, (client) => accounts.logIn(input, client, kindOf(as)))
  }
  serve(server, routes.register, register)
  serve(server, routes.logIn, logIn)
  serve(server, routes.passkeyLoginOptions, ({ request }) => accounts.passkeyLoginOptions(clientOf(request)))
  serve(server, routes.logInByPasskey, async (call) => {
    const { as, answer } = call.body
    guardCookie(call, as)
    return signIn(call, as, (client) => accounts.logInByPasskey(answer, client, kindOf(as)))
  })
  serve(server, routes.session, async ({ caller }) => ({
    user: caller.kind === 'buyer' ? await accounts.readProfile(caller.userId) : null,
  }))
  serve(server, routes.logOut, async ({ request, reply }) => {
    const token = bearerOf(request) ?? sessionCookieOf(request, BUYER_COOKIE, publicUrl)
    if (token) await accounts.logOut(token)
    setSessionCookie(reply, BUYER_COOKIE, publicUrl, null)
  })
}

function mountProfile(server: Server, { accounts }: AccountRoutesNeeds): void {
  serve(server, routes.show, ({ caller }) => accounts.readProfile(caller.userId))
  serve(server, routes.update, async (call) => {
    const { proof, ...changes } = call.body
    await accounts.updateProfile(buyerActor(call.caller, call.request), changes, proof, askerOf(call))
    return accounts.readProfile(call.caller.userId)
  })
  serve(server, routes.changePassword, (call) => {
    const { currentPassword, newPassword, proof } = call.body
    const given = { newPassword, proof: { ...proof, password: currentPassword } }
    return accounts.changePassword(buyerActor(call.caller, call.request), given, askerOf(call))
  })
  serve(server, routes.judgePassword, ({ caller, body }) =>
    judgePassword(body.password, caller.kind === 'buyer' ? [caller.email, ...body.hints] : body.hints),
  )
  serve(server, routes.requestReset, ({ body, request }) =>
    accounts.requestReset(body.email, clientOf(request)),
  )
  serve(server, routes.resetPassword, ({ body, request }) => accounts.resetPassword(body, clientOf(request)))
  serve(server, routes.resendConfirmation, ({ caller }) => accounts.resendConfirmation(caller.userId))
  serve(server, routes.confirmEmail, ({ caller, body }) =>
    accounts.useConfirmation(body.token, caller.kind === 'buyer' ? caller.userId : null),
  )
}

function mountOwnData(server: Server, { accounts, publicUrl }: AccountRoutesNeeds): void {
  serve(server, routes.exportData, async ({ caller, reply }) => {
    reply
      .header('content-disposition', 'attachment; filename="my-data.json"')
      .header('cache-control', 'no-store')
    return Buffer.from(await accounts.exportOwnData(caller.userId))
  })
  serve(server, routes.remove, async (call) => {
    const { caller, body, request, reply } = call
    const proof = await accounts.proveWholly(caller.userId, body.proof, askerOf(call))
    const deleted = await accounts.deleteAccount(buyerActor(caller, request), { ...body, proof })
    if (deleted.dueAt === null) {
      delete caller.cookie?.next
      setSessionCookie(reply, BUYER_COOKIE, publicUrl, null)
    }
    return deleted
  })
  serve(server, routes.keep, ({ caller, request }) => accounts.keepAccount(buyerActor(caller, request)))
}

function kindOf(as: 'cookie' | 'token'): 'browser' | 'token' {
  return as === 'cookie' ? 'browser' : 'token'
}
