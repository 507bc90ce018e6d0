import { expect, test } from 'vitest'
import { ageRecoveryCodes } from '../../../test/support/authenticator-app.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import { createPasskeyDevice } from '../../../test/support/passkey.ts'
import { buyerOfToken, peopleOf } from '../../../test/support/people.ts'
import { statement } from '../../../test/support/statement.ts'
import { actions as rules } from '../../shared/actions.ts'
import { authorise } from '../actions/actions.ts'

const { db } = await createTestDatabase()
const publicUrl = 'https://sale.example.org'
const { accounts, actions } = peopleOf(db, { publicUrl })
const client = { network: '192.0.2.1', userAgent: 'Test/1.0' }
const password = 'gravel and violets'
const refusal = expect.objectContaining({ code: 'passkey_refused' })
const AGE = statement(
  'test_passkeys_age',
  `update user_sessions set authenticated_at = now() - interval '1 hour' where id = $1`,
)
let serial = 0

async function buyerWith(device: ReturnType<typeof createPasskeyDevice>) {
  const email = `passkey${(serial += 1)}@example.org`
  const { userId } = await accounts.register({ name: 'Ann', email, password }, client, 'browser')
  const holder = { kind: 'user', id: userId } as const
  const options = await accounts.factors.passkeyOptions(db, holder, { issuer: 'iToken', label: email })
  const added = await accounts.factors.addPasskey(db, holder, device.register(options), 'Laptop')
  await ageRecoveryCodes(db)
  return { email, userId, holder, ...added }
}

test('a passkey is kept and signs in alone; the password then needs a second factor', async () => {
  const device = createPasskeyDevice(publicUrl)
  const { email, userId, passkey, recoveryCodes } = await buyerWith(device)
  expect(passkey.name).toBe('Laptop')
  expect(recoveryCodes).toHaveLength(10)
  const signedIn = await accounts.logInByPasskey(
    device.login(await accounts.passkeyLoginOptions(client)),
    client,
    'browser',
  )
  expect((await accounts.authenticate(signedIn.session.token))?.user_id).toBe(userId)
  await expect(accounts.logIn({ email, password }, client, 'browser')).rejects.toMatchObject({
    code: 'second_factor_required',
    details: { methods: ['passkey', 'recovery_code'] },
  })
  await accounts.logIn({ email, password, code: recoveryCodes[0] }, client, 'browser')
})

test('of one person so many challenges are open as there are tabs, however many are asked for', async () => {
  const device = createPasskeyDevice(publicUrl)
  const { holder } = await buyerWith(device)
  const begin = () => accounts.factors.passkeyOptions(db, holder, { issuer: 'iToken', label: 'x' })
  for (let n = 0; n < 40; n += 1) await begin()
  const open = statement(
    'test_open_challenges',
    'select count(*)::int as count from passkey_challenges where user_id = $1',
  )
  expect(await db.query(open, [holder.id])).toEqual([{ count: 5 }])
  const other = createPasskeyDevice(publicUrl)
  await accounts.factors.addPasskey(db, holder, other.register(await begin()), 'Telephone')
})

test('an answer serves once, also when sent ten times at once', async () => {
  const device = createPasskeyDevice(publicUrl)
  await buyerWith(device)
  const answer = device.login(await accounts.passkeyLoginOptions(client))
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, () => accounts.logInByPasskey(answer, client, 'browser')),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await expect(accounts.logInByPasskey(answer, client, 'browser')).rejects.toEqual(refusal)
})

test('refused: another site, no verification of the person, a foreign challenge, a forged signature, rubbish', async () => {
  const device = createPasskeyDevice(publicUrl)
  await buyerWith(device)
  const options = () => accounts.passkeyLoginOptions(client)
  const lookalike = createPasskeyDevice('https://sale.example.com')
  await expect(accounts.logInByPasskey(lookalike.login(await options()), client, 'browser')).rejects.toEqual(
    refusal,
  )
  const unverified = device.login(await options(), { isVerified: false })
  await expect(accounts.logInByPasskey(unverified, client, 'browser')).rejects.toEqual(refusal)
  const foreign = device.login({ challenge: 'bm90IG91cnM' })
  await expect(accounts.logInByPasskey(foreign, client, 'browser')).rejects.toEqual(refusal)
  const forged = device.login(await options())
  forged.response['signature'] = Buffer.alloc(70, 1).toString('base64url')
  await expect(accounts.logInByPasskey(forged, client, 'browser')).rejects.toEqual(refusal)
  for (const rubbish of [{}, { response: null }, { id: 7, response: { clientDataJSON: 'x' } }]) {
    await expect(accounts.logInByPasskey(rubbish, client, 'browser')).rejects.toEqual(refusal)
  }
})

test('a registration is bound to who asked for it', async () => {
  const device = createPasskeyDevice(publicUrl)
  const one = await buyerWith(createPasskeyDevice(publicUrl))
  const two = await buyerWith(createPasskeyDevice(publicUrl))
  const options = await accounts.factors.passkeyOptions(db, one.holder, {
    issuer: 'iToken',
    label: one.email,
  })
  await expect(accounts.factors.addPasskey(db, two.holder, device.register(options), 'Mine')).rejects.toEqual(
    refusal,
  )
})

test('a removed passkey signs nobody in', async () => {
  const device = createPasskeyDevice(publicUrl)
  const { email, holder, passkey } = await buyerWith(device)
  await accounts.factors.removePasskey(db, holder, passkey.id)
  const answer = device.login(await accounts.passkeyLoginOptions(client))
  await expect(accounts.logInByPasskey(answer, client, 'browser')).rejects.toEqual(refusal)
  await accounts.logIn({ email, password }, client, 'browser')
})

test('a buyer steps up by the own passkey, not by another one’s', async () => {
  const [own, other] = [createPasskeyDevice(publicUrl), createPasskeyDevice(publicUrl)]
  const { email, userId, recoveryCodes } = await buyerWith(own)
  await buyerWith(other)
  const { session } = await accounts.logIn({ email, password, code: recoveryCodes[0] }, client, 'browser')
  const caller = () => buyerOfToken(accounts, session.token)
  const requireRecent = async () => authorise(rules['passkey.add'], await caller())
  const stepUp = async (device: typeof own) => {
    const passkey = device.login(await accounts.passkeyLoginOptions(client))
    const proof = await accounts.prove(userId, { passkey }, client)
    await actions.execute(accounts.actions['session.step-up'], await caller(), proof)
  }
  await db.query(AGE, [(await caller()).sessionId])
  await expect(requireRecent()).rejects.toMatchObject({ code: 'step_up_required' })
  await expect(stepUp(other)).rejects.toEqual(refusal)
  await expect(requireRecent()).rejects.toMatchObject({ code: 'step_up_required' })
  await stepUp(own)
  await requireRecent()
})
