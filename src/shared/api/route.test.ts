import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { z } from 'zod'
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

/** What operators read of one thing that is no buyer and no order. */
const ABOUT_NO_PERSON = [
  '/operator/announcements/:id',
  '/operator/delivery-rounds/:number/distributor',
  '/operator/escrows/:number/contract',
  '/operator/legal/:kind',
  '/operator/mails/:kind/:language',
  '/operator/refund-files/:id',
  '/operator/webhooks/:id/deliveries',
]

test('what shows operators one buyer or one order says so, because that is audited', () => {
  const single = all.filter(({ method, path }) => method === 'GET' && /^\/operator\/.*:/.test(path))
  const named = single.filter(({ path }) => !ABOUT_NO_PERSON.includes(path))
  for (const { path, showsPerson } of named)
    expect(showsPerson ?? 'unsaid', path).toBe(/^\/operator\/(user|order)s\/:id(\/|$)/.exec(path)?.[1])
  expect(named.length).toBeGreaterThan(3)
  const saying = all.filter(({ showsPerson }) => showsPerson)
  expect(saying.map(({ path }) => path)).toEqual(named.map(({ path }) => path))
})

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
