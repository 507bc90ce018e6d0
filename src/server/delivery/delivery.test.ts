import { type FastifyInstance, fastify } from 'fastify'
import { concatHex, encodeAbiParameters } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/support/database.ts'
import { refused } from '../../../test/support/outcomes.ts'
import { buyerOfToken, limitsOf, peopleOf, testSecrets } from '../../../test/support/people.ts'
import { statement } from '../../../test/support/statement.ts'
import { evmChecksum } from '../../shared/addresses.ts'
import { Credentials } from '../credentials/credentials.ts'
import { createAuthenticator } from '../http/authentication.ts'
import { mountDelivery } from '../http/delivery.ts'
import { handleErrors } from '../http/errors.ts'
import { LocalLimits } from '../limits/local-limits.ts'
import type { Mail } from '../mail/mail-kinds.ts'
import { EvmLooks } from '../payments/evm/evm-looks.ts'
import { Retention } from '../retention/retention.ts'
import { Delivery } from './delivery.ts'

const { db } = await createTestDatabase({ holds: 'demo' })
const mails: Mail[] = []
const publicUrl = 'https://sale.example'
const { accounts, operators } = peopleOf(db, { mails, publicUrl })
const limits = limitsOf(db, false)
const sendMail = async (_tx: unknown, mail: Mail) => void mails.push(mail)
const { links } = new Credentials({ db, secrets: testSecrets, limits, publicUrl, sendMail })
/** Contracts that this test's nodes know: here and on another network. */
const contracts = { here: new Map<string, string>(), elsewhere: new Set<string>() }
/** What happens while a node is asked. */
let whileAsked: () => Promise<unknown> = async () => undefined
const delivery = new Delivery({
  db,
  links,
  limits,
  secrets: testSecrets,
  publicUrl,
  sendMail,
  looks: new EvmLooks([]),
  evm: {
    chainIdOf: (network) => (network === 'polygon' ? 137 : 31_337),
    isFollowed: () => true,
    async acceptsSignature(_network, address, _message, signature) {
      await whileAsked()
      return contracts.here.get(address) === signature
    },
    hasContract: async (_network, address) => contracts.here.has(address),
    standsOnlyElsewhere: async (_network, address) =>
      contracts.elsewhere.has(address) && !contracts.here.has(address),
  },
})
const client = { network: '192.0.2.1', userAgent: 'Test/1.0' }
const password = 'gravel and violets'
const chosenChain = statement(
  'test_delivery_chain',
  "update campaign set settings = jsonb_set(settings, '{delivery,chain}', $1::jsonb)",
)
const older = statement(
  'test_delivery_older',
  `update delivery_addresses set named_at = named_at - make_interval(hours => $2),
          confirmed_at = confirmed_at - make_interval(hours => $2), counts_from = counts_from - make_interval(hours => $2)
    where user_id = $1`,
)
const named = statement(
  'test_delivery_named',
  'select count(*)::int as count from delivery_addresses where user_id = $1 and withdrawn_at is null',
)

let serial = 0
async function newBuyer() {
  const email = `deliver${(serial += 1)}@example.org`
  const { session, userId } = await accounts.register(
    { name: 'Ann', email, password, phone: '+49 30 901820' },
    client,
    'browser',
  )
  mails.length = 0
  return { actor: await buyerOfToken(accounts, session.token), userId, email }
}

const newAccount = () => privateKeyToAccount(generatePrivateKey())
const newAddress = () => newAccount().address

function mailedToken(): string {
  const mail = mails.findLast(({ kind }) => kind === 'delivery_address_typed')
  return mail && 'link' in mail ? (mail.link.split('#token=')[1] ?? '') : ''
}

type Buyer = Awaited<ReturnType<typeof newBuyer>>
async function sign({ actor }: Buyer, account = newAccount()) {
  const { nonce, message } = await delivery.askForSignature(actor, account.address)
  await delivery.prove(actor, { nonce, signature: await account.signMessage({ message }) })
  return account.address
}

/** An address that counts. */
async function signedYesterday(buyer: Buyer, account = newAccount()) {
  await sign(buyer, account)
  await db.query(older, [buyer.userId, 24])
  return account.address
}

async function typed({ actor }: Buyer, address: string = newAddress()) {
  await delivery.type(actor, address)
  await delivery.confirm(mailedToken())
  return address
}

beforeEach(() => db.query(chosenChain, ['"ethereum"']))
afterEach(() => {
  mails.length = 0
  contracts.here.clear()
  contracts.elsewhere.clear()
  whileAsked = async () => undefined
})

describe('a signed address', () => {
  test('waits a day also where it is the first; the text names site, chain, nonce and expiry [DELIVER-1]', async () => {
    const buyer = await newBuyer()
    const account = newAccount()
    const { nonce, message, expiresAt } = await delivery.askForSignature(
      buyer.actor,
      account.address.toLowerCase(),
    )
    expect(message).toContain(
      `sale.example wants you to sign in with your Ethereum account:\n${account.address}`,
    )
    for (const line of [
      'URI: https://sale.example',
      'Chain ID: 31337',
      `Nonce: ${nonce}`,
      `Expiration Time: ${expiresAt}`,
    ])
      expect(message).toContain(line)
    await delivery.prove(buyer.actor, { nonce, signature: await account.signMessage({ message }) })
    expect(await delivery.address(buyer.userId)).toMatchObject({
      chain: { network: 'ethereum', chainId: 31_337 },
      current: null,
      waiting: { address: account.address, proof: 'signature', lacksCode: false },
      unconfirmed: null,
      changeHours: 24,
    })
    const { waiting } = await delivery.address(buyer.userId)
    expect(new Date(waiting?.countsFrom ?? '').getTime() - Date.now()).toBeGreaterThan(23.9 * 3_600_000)
    expect(mails).toMatchObject([
      {
        kind: 'delivery_address_named',
        to: buyer.email,
        address: account.address,
        countsFrom: waiting?.countsFrom,
      },
    ])
    await db.query(older, [buyer.userId, 24])
    expect(await delivery.address(buyer.userId)).toMatchObject({
      current: { address: account.address },
      waiting: null,
    })
  })

  test('of another key, another text or somebody else’s text proves nothing, and a text serves once [DELIVER-1]', async () => {
    const [ann, bob] = [await newBuyer(), await newBuyer()]
    const [own, other] = [newAccount(), newAccount()]
    const asked = await delivery.askForSignature(ann.actor, own.address)
    const signature = await own.signMessage({ message: asked.message })
    await expect(delivery.prove(bob.actor, { nonce: asked.nonce, signature })).rejects.toEqual(
      refused('delivery_text_expired'),
    )
    const byOther = await other.signMessage({ message: asked.message })
    await expect(delivery.prove(ann.actor, { nonce: asked.nonce, signature: byOther })).rejects.toEqual(
      refused('signature_wrong'),
    )
    await expect(delivery.prove(ann.actor, { nonce: asked.nonce, signature })).rejects.toEqual(
      refused('delivery_text_expired'),
    )
    const again = await delivery.askForSignature(ann.actor, own.address)
    await expect(delivery.prove(ann.actor, { nonce: again.nonce, signature })).rejects.toEqual(
      refused('signature_wrong'),
    )
    const third = await delivery.askForSignature(ann.actor, own.address)
    await expect(delivery.prove(ann.actor, { nonce: third.nonce, signature: '0x' })).rejects.toEqual(
      refused('signature_wrong'),
    )
    expect(await delivery.address(ann.userId)).toMatchObject({ current: null, waiting: null })
  })

  test('of a smart account that is still to be created is refused by name, and taken once it stands (EIP-6492) [DELIVER-6]', async () => {
    const buyer = await newBuyer()
    const address = newAddress()
    const signature = concatHex([
      encodeAbiParameters(
        [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }],
        [newAddress(), '0x1234', '0xabcd'],
      ),
      `0x${'6492'.repeat(16)}`,
    ])
    const prove = async (given: string) => {
      const { nonce } = await delivery.askForSignature(buyer.actor, address)
      await delivery.prove(buyer.actor, { nonce, signature: given })
    }
    await expect(prove(signature)).rejects.toEqual(refused('smart_account_missing'))
    await expect(prove(`0x${'6492'.repeat(16)}`)).rejects.toEqual(refused('signature_wrong'))
    contracts.here.set(address, '0xab')
    await expect(prove(signature)).rejects.toEqual(refused('signature_wrong'))
    contracts.here.set(address, '0xabcd')
    await prove(signature)
    expect((await delivery.address(buyer.userId)).waiting).toMatchObject({ address, proof: 'contract' })
  })

  test('is not taken once its text has expired [DELIVER-1]', async () => {
    const buyer = await newBuyer()
    const account = newAccount()
    const { nonce, message } = await delivery.askForSignature(buyer.actor, account.address)
    await db.query(
      statement(
        'test_delivery_expire',
        "update delivery_challenges set expires_at = now() - interval '1 second' where nonce = $1",
      ),
      [nonce],
    )
    await expect(
      delivery.prove(buyer.actor, { nonce, signature: await account.signMessage({ message }) }),
    ).rejects.toEqual(refused('delivery_text_expired'))
    expect(await new Retention({ db }).sweep('delivery_challenges')).toBe(1)
  })

  test('of a smart account is what its contract accepts', async () => {
    const buyer = await newBuyer()
    const address = newAddress()
    const asked = await delivery.askForSignature(buyer.actor, address)
    contracts.here.set(address, '0x1234')
    await delivery.prove(buyer.actor, { nonce: asked.nonce, signature: '0x1234' })
    expect((await delivery.address(buyer.userId)).waiting).toMatchObject({ address, proof: 'contract' })
  })

  test('of a session that ends while its contract takes its time is not taken [RIGHT-9]', async () => {
    const buyer = await newBuyer()
    const address = newAddress()
    const asked = await delivery.askForSignature(buyer.actor, address)
    contracts.here.set(address, '0x1234')
    // The buyer takes the account back, which withdraws what does not count yet.
    whileAsked = async () => {
      await accounts.requestReset(buyer.email, client)
      const mail = mails.find(({ kind }) => kind === 'reset_password')
      const token = mail && 'link' in mail ? (mail.link.split('#')[1]?.split('=')[1] ?? '') : ''
      await accounts.resetPassword({ token, password: 'gravel and violets 8' }, client)
    }
    await expect(delivery.prove(buyer.actor, { nonce: asked.nonce, signature: '0x1234' })).rejects.toEqual(
      refused('session_ended'),
    )
    expect((await delivery.address(buyer.userId)).waiting).toBeNull()
  })
})

describe('a typed address', () => {
  test('counts once the link mailed for it is used, once [DELIVER-2]', async () => {
    const buyer = await newBuyer()
    const address = newAddress()
    await delivery.type(buyer.actor, address.toLowerCase())
    expect(await delivery.address(buyer.userId)).toMatchObject({ current: null, unconfirmed: { address } })
    expect(mails).toMatchObject([{ kind: 'delivery_address_typed', to: buyer.email, address }])
    const token = mailedToken()
    await delivery.confirm(token)
    expect(await delivery.address(buyer.userId)).toMatchObject({
      waiting: { address, proof: 'typed' },
      unconfirmed: null,
    })
    await expect(delivery.confirm(token)).rejects.toEqual(refused('link_expired'))
  })

  test('replaces the one typed before it, whose link ends [DELIVER-2]', async () => {
    const buyer = await newBuyer()
    await delivery.type(buyer.actor, newAddress())
    const first = mailedToken()
    const address = newAddress()
    await delivery.type(buyer.actor, address)
    await expect(delivery.confirm(first)).rejects.toEqual(refused('link_expired'))
    await delivery.confirm(mailedToken())
    expect((await delivery.address(buyer.userId)).waiting).toMatchObject({ address })
  })

  test.each([
    ['nothing like an address', 'hello', 'address_invalid'],
    ['another network', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'address_invalid'],
    ['a typing mistake', '0x52908400098527886E0F7030069857D2E4169Ee7', 'address_invalid'],
    ['the zero address', `0x${'0'.repeat(40)}`, 'delivery_address_ours'],
  ] as const)('is refused: %s', async (_name, address, code) => {
    const { actor } = await newBuyer()
    await expect(delivery.type(actor, address)).rejects.toMatchObject({ code })
  })

  test('is refused where it is the sale’s own: a currency’s address, its token, the delivery’s token [DELIVER-3]', async () => {
    const { actor } = await newBuyer()
    const [wallet, token, sold] = [newAddress(), newAddress(), newAddress()]
    await db.query(
      statement(
        'test_delivery_own',
        "update currencies set address = $1, token_contract = lower($2) where code = 'USDT'",
      ),
      [wallet, token],
    )
    await db.query(
      statement(
        'test_delivery_sold',
        "update campaign set settings = jsonb_set(settings, '{delivery,tokenContract}', to_jsonb($1::text))",
      ),
      [sold],
    )
    for (const address of [wallet, token, sold])
      await expect(delivery.type(actor, address)).rejects.toEqual(refused('delivery_address_ours'))
  })

  test('says where a smart account stands on another network only [DELIVER-7]', async () => {
    const buyer = await newBuyer()
    const address = newAddress()
    contracts.elsewhere.add(address)
    await typed(buyer, address)
    expect((await delivery.address(buyer.userId)).waiting).toMatchObject({ lacksCode: true })
  })
})

describe('a change', () => {
  test('waits a day, is mailed, and the address before it counts until then [DELIVER-4]', async () => {
    const buyer = await newBuyer()
    const first = await signedYesterday(buyer)
    const second = await sign(buyer)
    const shown = await delivery.address(buyer.userId)
    expect(shown).toMatchObject({ current: { address: first }, waiting: { address: second } })
    const wait = new Date(shown.waiting?.countsFrom ?? '').getTime() - Date.now()
    expect(wait / 3_600_000).toBeGreaterThan(23.9)
    expect(mails.map(({ kind }) => kind)).toEqual(['delivery_address_named', 'delivery_address_named'])
    await db.query(older, [buyer.userId, 24])
    expect(await delivery.address(buyer.userId)).toMatchObject({
      current: { address: second },
      waiting: null,
    })
  })

  test('is taken back by its buyer, by naming the address that counts, and by a new password [DELIVER-4]', async () => {
    const buyer = await newBuyer()
    const account = newAccount()
    await signedYesterday(buyer, account)
    await sign(buyer)
    mails.length = 0
    await delivery.withdraw(buyer.actor)
    await delivery.withdraw(buyer.actor)
    expect((await delivery.address(buyer.userId)).waiting).toBeNull()
    expect(mails).toMatchObject([
      { kind: 'delivery_change_withdrawn', to: buyer.email, address: account.address },
    ])

    await sign(buyer)
    await sign(buyer, account)
    expect((await delivery.address(buyer.userId)).waiting).toBeNull()
    await expect(delivery.type(buyer.actor, account.address)).rejects.toEqual(
      refused('delivery_address_same'),
    )

    await sign(buyer)
    await delivery.type(buyer.actor, newAddress())
    const token = mailedToken()
    await accounts.changePassword(
      buyer.actor,
      { proof: { password }, newPassword: 'violets and sand' },
      client,
    )
    expect(await delivery.address(buyer.userId)).toMatchObject({
      current: null,
      waiting: null,
      unconfirmed: null,
    })
    await expect(delivery.confirm(token)).rejects.toEqual(refused('link_expired'))
  })

  test('is taken back by a new password where it is the first [DELIVER-4]', async () => {
    const buyer = await newBuyer()
    await sign(buyer)
    await accounts.changePassword(
      buyer.actor,
      { proof: { password }, newPassword: 'violets and sand' },
      client,
    )
    await db.query(older, [buyer.userId, 24])
    expect(await delivery.address(buyer.userId)).toMatchObject({ current: null, waiting: null })
  })

  test('of ten at once leaves one that waits [DELIVER-4]', async () => {
    const buyer = await newBuyer()
    const first = await signedYesterday(buyer)
    await Promise.all(Array.from({ length: 10 }, () => sign(buyer)))
    const shown = await delivery.address(buyer.userId)
    expect(shown).toMatchObject({ current: { address: first }, waiting: { proof: 'signature' } })
    expect(await db.one(named, [buyer.userId])).toEqual({ count: 2 })
  })
})

describe('once the network of the delivery is another', () => {
  const move = () => db.query(chosenChain, ['"polygon"'])

  test('no address counts there that was named before; the same one is named again [DELIVER-5]', async () => {
    const [signer, typist, smart] = [await newBuyer(), await newBuyer(), await newBuyer()]
    const account = newAccount()
    await signedYesterday(signer, account)
    const other = await typed(typist)
    await db.query(older, [typist.userId, 24])
    const contract = newAddress()
    contracts.here.set(contract, '0x1234')
    const asked = await delivery.askForSignature(smart.actor, contract)
    await delivery.prove(smart.actor, { nonce: asked.nonce, signature: '0x1234' })
    await move()
    for (const [{ userId }, address] of [
      [signer, account.address],
      [typist, other],
      [smart, contract],
    ] as const)
      expect(await delivery.address(userId)).toMatchObject({
        current: null,
        waiting: null,
        elsewhere: { address, network: 'ethereum' },
      })
    await sign(signer, account)
    expect(await delivery.address(signer.userId)).toMatchObject({
      waiting: { address: account.address },
      elsewhere: null,
    })
  })

  test('neither a text nor a link of before serves any more [DELIVER-5]', async () => {
    const buyer = await newBuyer()
    const account = newAccount()
    const { nonce, message } = await delivery.askForSignature(buyer.actor, account.address)
    await delivery.type(buyer.actor, newAddress())
    await move()
    await expect(delivery.confirm(mailedToken())).rejects.toEqual(refused('delivery_network_other'))
    await expect(
      delivery.prove(buyer.actor, { nonce, signature: await account.signMessage({ message }) }),
    ).rejects.toEqual(refused('delivery_network_other'))
    expect(await delivery.address(buyer.userId)).toMatchObject({ current: null, waiting: null })
  })

  test('a change between the look at a contract and its address names nothing [DELIVER-5]', async () => {
    const buyer = await newBuyer()
    const address = newAddress()
    const { nonce } = await delivery.askForSignature(buyer.actor, address)
    whileAsked = move
    contracts.here.set(address, '0x1234')
    await expect(delivery.prove(buyer.actor, { nonce, signature: '0x1234' })).rejects.toEqual(
      refused('delivery_network_other'),
    )
    expect(await db.one(named, [buyer.userId])).toEqual({ count: 0 })
  })
})

test('without a chosen network nothing can be named', async () => {
  await db.query(chosenChain, ['null'])
  const { actor, userId } = await newBuyer()
  expect((await delivery.address(userId)).chain).toBeNull()
  await expect(delivery.type(actor, newAddress())).rejects.toEqual(refused('delivery_chain_missing'))
  await expect(delivery.askForSignature(actor, newAddress())).rejects.toEqual(
    refused('delivery_chain_missing'),
  )
})

test('an account’s export has its addresses, and deleting it deletes them', async () => {
  const buyer = await newBuyer()
  const address = await sign(buyer)
  const exported = JSON.parse(await accounts.exportOwnData(buyer.userId)) as {
    deliveryAddresses: { address: string }[]
  }
  expect(exported.deliveryAddresses).toMatchObject([{ address: evmChecksum(address), proof: 'signature' }])
  await accounts.deleteAccount(buyer.actor, { proof: { isPasswordRight: true } })
  expect(await db.one(named, [buyer.userId])).toEqual({ count: 0 })
})

describe('over HTTP', () => {
  const app = fastify() as unknown as FastifyInstance
  handleErrors(app)
  const authenticator = createAuthenticator({ accounts, operators, publicUrl })
  mountDelivery(
    { app, db, authenticator, limits: new LocalLimits({ isOn: false }), checkReplies: true, routes: [] },
    delivery,
  )
  afterAll(() => app.close())
  const send = (token: string, path: string, payload: object) =>
    app.inject({
      method: 'POST',
      url: `/api/v1/delivery-address${path}`,
      headers: { authorization: `Bearer ${token}` },
      payload,
    })

  test('naming needs a fresh login, and a private key in the place of an address is refused unread [DELIVER-2, DELIVER-4]', async () => {
    const { session, userId } = await accounts.register(
      { name: 'Ann', email: `deliver${(serial += 1)}@example.org`, password, phone: '+49 30 901820' },
      client,
      'token',
    )
    const key = await send(session.token, '', { address: generatePrivateKey() })
    expect([key.statusCode, key.json().error.code]).toEqual([422, 'private_key_refused'])
    const address = newAddress()
    const typedOnce = await send(session.token, '', { address })
    expect(typedOnce.json()).toMatchObject({ unconfirmed: { address } })
    await db.query(
      statement(
        'test_delivery_stale',
        "update user_sessions set authenticated_at = now() - interval '1 hour' where user_id = $1",
      ),
      [userId],
    )
    for (const [path, body] of [
      ['', { address }],
      ['/texts', { address }],
      ['/signatures', { nonce: 'a'.repeat(96), signature: '0x12' }],
    ] as const) {
      const reply = await send(session.token, path, body)
      expect([reply.statusCode, reply.json().error.code]).toEqual([401, 'step_up_required'])
    }
    // Nor does a session that somebody left open keep the address that was to be replaced.
    const taken = await app.inject({
      method: 'DELETE',
      url: '/api/v1/delivery-address/change',
      headers: { authorization: `Bearer ${session.token}` },
    })
    expect([taken.statusCode, taken.json().error.code]).toEqual([401, 'step_up_required'])
  })
})
