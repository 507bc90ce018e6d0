import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type ActionName, actions } from '../actions.ts'
import { type Endpoint, type RouteSchemas, routes } from './route.ts'
import { endpoints } from './route-schemas.ts'

const modules: object[] = await Promise.all(
  (await readdir(new URL('./', import.meta.url)))
    .filter((name) => name.endsWith('-schemas.ts'))
    .map((name) => import(new URL(name, import.meta.url).href)),
)
const all = modules
  .flatMap((module) => Object.entries(module) as [string, Record<string, Endpoint>][])
  .flatMap(([name, group]) => (name.endsWith('Endpoints') ? Object.values(group) : []))

test('a path names the parameters of its schema', () => {
  expect(all.length).toBeGreaterThan(100)
  for (const { method, path, params } of all) {
    const given = params instanceof z.ZodObject ? Object.keys(params.shape) : []
    const named = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name)
    expect(given.toSorted(), `${method} ${path}`).toEqual(named.toSorted())
  }
})

test('no two routes are called alike, and none takes a body by GET', () => {
  const calls = all.map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, ':')}`)
  expect(new Set(calls).size).toBe(calls.length)
  expect(all.filter(({ method, body }) => method === 'GET' && body)).toEqual([])
})

/** Operators' reads about things other than buyers and orders. */
const ABOUT_NO_PERSON = [
  '/operator/announcements/:id',
  '/operator/delivery-rounds/:number/distributor',
  '/operator/escrows/:number/contract',
  '/operator/legal/:kind',
  '/operator/legal/:kind/draft',
  '/operator/mail-templates/:kind/:language',
  '/operator/refund-files/:id',
  '/operator/webhooks/:id/deliveries',
]

test('what shows operators one buyer or one order says so, because that is audited [RIGHT-24]', () => {
  const single = all.filter(({ method, path }) => method === 'GET' && /^\/operator\/.*:/.test(path))
  const named = single.filter(({ path }) => !ABOUT_NO_PERSON.includes(path))
  for (const { path, showsPerson } of named)
    expect(showsPerson ?? 'unsaid', path).toBe(/^\/operator\/(user|order)s\/:id(\/|$)/.exec(path)?.[1])
  expect(named.length).toBeGreaterThan(3)
  const saying = all.filter(({ showsPerson }) => showsPerson)
  expect(saying.map(({ path }) => path)).toEqual(named.map(({ path }) => path))
})

test('what shows operators a list of people says so, because its rows are counted [RIGHT-24]', () => {
  const lists = all.filter(
    ({ method, path, audience, showsPerson, reply }) =>
      method === 'GET' &&
      typeof audience === 'object' &&
      path !== '/operator/operators' &&
      !showsPerson &&
      /"(email|phone|userReference)":/.test(
        JSON.stringify(z.toJSONSchema(reply, { unrepresentable: 'any' })),
      ),
  )
  const unsaid = lists.filter(({ path, showsPeople }) => !showsPeople && !SHOWS_NOBODY.includes(path))
  expect(unsaid.map(({ path }) => path)).toEqual([])
  expect(lists.length).toBeGreaterThan(2)
})

/** Takes texts and publishes none of them, and why. */
const NOTHING_PUBLIC: Readonly<Partial<Record<ActionName, string>>> = {
  'giveaway.add': 'a draft; publishing it waits',
  'giveaway.update': 'a draft; publishing it waits',
  'campaign.preview': 'nothing is kept',
  'mail.preview': 'nothing is kept',
  'mail.test': 'goes to who asks',
  'order.hide': 'why is for operators',
  'comment.hide': 'one reason of a list',
}

test('an action that takes texts, names, files or reasons can wait, or says why not [TWO-21]', () => {
  const texts = /"(en|reason|evidence|fullName|fileName|uploadName|subject)":/
  const taking = all.filter(
    ({ action, body }) =>
      action !== undefined &&
      body !== undefined &&
      texts.test(JSON.stringify(z.toJSONSchema(body, { unrepresentable: 'any', io: 'input' }))),
  )
  const silent = taking.flatMap(({ action }) =>
    action && !actions[action].canNeedApproval && !(action in NOTHING_PUBLIC) ? [action] : [],
  )
  expect(silent).toEqual([])
  expect(taking.length).toBeGreaterThan(15)
})

/** A setting named after buyers' data, and payments by reference only. */
const SHOWS_NOBODY = ['/operator/campaign', '/operator/payments']

/** How a change says what its operator saw of the thing, so that a newer one is not replaced in silence. */
const SEEN = ['revision', 'replaces', 'basedOn', 'from', 'previousPausedAt', 'previousUsd']

/** Actions whose routes take nothing of it, by the reason why no other operator's change is lost by that. */
const REPLACES_NOTHING: Record<string, readonly ActionName[]> = {
  'adds what is a thing of its own; one that is there already is refused or answered': [
    'currency.add',
    'wallet.add',
    'grant.add',
    'round.announce',
    'escrow.announce',
    'announcement.add',
    'document.add',
    'upload.add',
    'giveaway.add',
    'channel.add',
    'analytics.add',
    'api-key.add',
    'webhook.add',
    'operator.invite',
    'user.note',
    'session.step-up',
    'passkey.begin',
    'passkey.add',
    'second-factor.begin',
  ],
  'goes one step on from a state that is checked under a lock, and is refused from any other': [
    'approval.confirm',
    'approval.reject',
    'order.approve',
    'order.reject',
    'payment.attach',
    'payment.refund',
    'payment.write-off',
    'refund.prepare',
    'refund.sent',
    'refund.paid',
    'grant.reverse',
    'chain.resume',
    'wallet.check',
    'round.cancel',
    'round.freeze',
    'round.go-live',
    'escrow.withdraw',
    'escrow.enter',
    'escrow.key',
    'giveaway.hand-over',
    'channel.prove',
    'second-factor.confirm',
  ],
  'sets one of two states and writes over nothing that somebody typed': [
    'order.hide',
    'order.unhide',
    'currency.switch-on',
    'currency.escrow',
    'rate-source.leave-out',
    'comment.hide',
    'comment.unhide',
    'comment.keep',
  ],
  'takes one thing away that it names': [
    'rate-source.remove',
    'announcement.remove',
    'document.remove',
    'giveaway.remove',
    'analytics.remove',
    'api-key.revoke',
    'webhook.remove',
    'channel.remove',
    'session.log-out',
    'session.end',
    'session.end-others',
    'second-factor.remove',
    'passkey.remove',
  ],
  'makes a value that nobody chose': [
    'currency.refresh-rates',
    'api-key.renew',
    'webhook.rotate-secret',
    'operator.renew-link',
    'second-factor.recovery-codes',
  ],
  'belongs to whoever asks': [
    'operator.password',
    'operator.language',
    'channel.update',
    'channel.send-code',
  ],
  'changes nothing that is stored, or sends it once more': [
    'rate-source.ask',
    'chain.ask-node',
    'campaign.preview',
    'mail.preview',
    'mail.test',
    'mail.resend',
    'mail.send-waiting',
    'mail-server.test',
    'webhook.test',
    'webhook.redeliver',
  ],
}

test('a route by which operators change what others change says what was seen of it, or why it need not [RIGHT-36]', () => {
  const allowed = new Set(Object.values(REPLACES_NOTHING).flat())
  const blind = new Set<ActionName>()
  const seeing = new Set<ActionName>()
  for (const { action, body, query } of all) {
    if (!action) continue
    const names = [body, query].flatMap((schema) => namesIn(schema))
    if (SEEN.some((name) => names.includes(name))) seeing.add(action)
    else blind.add(action)
  }
  const unsaid = [...blind].filter((action) => !allowed.has(action))
  expect(unsaid, 'Fix: take `revision` and refuse `conflict`, or give the reason above.').toEqual([])
  expect([...allowed].filter((action) => !blind.has(action))).toEqual([])
  expect(seeing.size).toBeGreaterThan(15)
})

/** The fields that a schema takes at its top, those of its parts included, and of each item of a list. */
function namesIn(schema: z.ZodType | undefined): string[] {
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, field]) => [
      name,
      ...(field instanceof z.ZodArray ? namesIn(field.element as z.ZodType) : []),
    ])
  if (schema instanceof z.ZodIntersection)
    return [schema.def.left, schema.def.right].flatMap((part) => namesIn(part as z.ZodType))
  return []
}

test('routes and schemas that disagree do not compile', () => {
  const schemas = {
    show: { summary: 'Shows it.', reply: z.object({ id: z.string() }) },
  } as const satisfies Record<string, RouteSchemas>
  const show = { method: 'GET', path: '/things', audience: 'visitor' } as const
  const things = routes<typeof schemas>()({ show })
  expect(endpoints(things, schemas).show).toEqual({ ...show, ...schemas.show })
  // @ts-expect-error: a schema without its route
  routes<typeof schemas>()({})
  // @ts-expect-error: a route without its schema
  routes<typeof schemas>()({ show, hide: show })
  // @ts-expect-error: schemas other than those that typed the routes
  endpoints(things, { show: { summary: 'Shows it.', reply: z.void() } })
})
