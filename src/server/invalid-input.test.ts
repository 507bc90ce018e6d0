import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '../shared/api/route.ts'
import { campaignSettings } from '../shared/campaign-settings-inputs.ts'
import { issueCodes } from '../shared/issue-codes.ts'
import { languages } from '../shared/languages.ts'
import { mayLookLikeKeys } from '../shared/private-keys.ts'
import { demoSettings } from './demo/demo-campaign.ts'
import { InvalidInput, issueText, parseInput } from './invalid-input.ts'
import { Refusal } from './refusal.ts'

const api = new URL('../shared/api/', import.meta.url)
const files = (await readdir(api)).filter((name) => name.endsWith('-schemas.ts'))
const modules: object[] = await Promise.all(files.map((name) => import(new URL(name, api).href)))
const isRoute = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value
const routes = modules
  .flatMap((module) => Object.values(module) as unknown[])
  .flatMap((group): unknown[] => (typeof group === 'object' && group ? Object.values(group) : []))
  .filter(isRoute)

const isCode = new RegExp(`^(?:${issueCodes.join('|')})(?: -?[\\d.]+)?$`)

/** The messages that stand in a schema and in all that it is made of. */
function sentencesOf(schema: unknown, seen = new Set<unknown>()): string[] {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return []
  seen.add(schema)
  const { _zod } = schema as { _zod?: { def: object } }
  const def = (_zod?.def ?? schema) as { error?: unknown }
  const own = typeof def.error === 'function' ? [String(def.error({ code: 'custom', path: [] }))] : []
  return [...own, ...Object.values(def).flatMap((part) => sentencesOf(part, seen))]
}

test('each message of a schema is a code [OPEN-4, FORM-1]', () => {
  const sentences = new Set(
    routes.flatMap(({ body, query }) => [...sentencesOf(body), ...sentencesOf(query)]),
  )
  expect(sentences.size).toBeGreaterThan(30)
  expect(
    [...sentences].filter((message) => !isCode.test(message)),
    'Fix: give it a code in src/shared/issue-codes.ts and its sentences in locales/',
  ).toEqual([])
})

test('every code has a sentence in each language, and names its value where the English one does [FORM-1]', () => {
  for (const code of issueCodes) {
    const sentences = languages.map((language) => issueText({ code, value: '12.5' }, language))
    expect(new Set(sentences).size).toBe(languages.length)
    const named = sentences.map((sentence) => sentence.includes('12.5'))
    expect(new Set(named).size, code).toBe(1)
  }
})

const issuesOf = (schema: z.ZodType, input: unknown) => {
  try {
    parseInput(schema, input)
  } catch (error) {
    if (error instanceof InvalidInput) return error.issues
    throw error
  }
  return []
}

test.each([
  [z.object({ a: z.string() }), {}, 'required', undefined],
  [z.object({ a: z.enum(['x']) }), {}, 'required', undefined],
  [z.object({ a: z.string().trim().min(1) }), { a: ' ' }, 'required', undefined],
  [z.object({ a: z.string() }), { a: 1 }, 'wrong_type', undefined],
  [z.object({ a: z.string().min(5) }), { a: 'abc' }, 'too_short', '5'],
  [z.object({ a: z.string().max(2) }), { a: 'abc' }, 'too_long', '2'],
  [z.object({ a: z.number().min(-7) }), { a: -8 }, 'too_small', '-7'],
  [z.object({ a: z.number().max(99) }), { a: 100 }, 'too_large', '99'],
  [z.object({ a: z.array(z.string()).min(1) }), { a: [] }, 'too_few', '1'],
  [z.object({ a: z.array(z.string()).max(1) }), { a: ['', ''] }, 'too_many', '1'],
  [z.object({ a: z.enum(['x', 'y']) }), { a: 'z' }, 'not_an_option', undefined],
  [z.object({ a: z.uuid() }), { a: 'z' }, 'wrong_format', undefined],
  [z.object({ a: z.union([z.string(), z.number()]) }), { a: {} }, 'invalid', undefined],
])('what the schema library finds by itself has a code of ours: %#', (schema, input, code, value) => {
  const [issue] = issuesOf(schema, input)
  expect(issue).toEqual({ path: 'a', code, value })
})

test.each([
  [{ shares: demoSettings.shares.slice(1) }, 'shares_total'],
  [{ soldShare: 'nothing' }, 'share_unknown'],
  [{ bonusShare: demoSettings.soldShare }, 'share_taken'],
  [{ softCapUsd: '3000000000' }, 'soft_cap_above'],
  [{ orderMinimumTokens: '100001' }, 'minimum_above'],
  [{ orderDefaultTokens: '39' }, 'default_outside'],
  [{ levels: demoSettings.levels.toReversed() }, 'level_order'],
  [{ levels: demoSettings.levels.map((level) => ({ ...level, threshold: '0' })) }, 'not_positive'],
  [{ exchangeVideoUrl: 'http://example.org' }, 'https_format'],
  [{ frameOrigins: ['https://*.example.org'] }, 'origin_format'],
  [{ videoOrigins: ['https://video.example/embed'] }, 'origin_format'],
  [{ videoOrigins: ['https://video.example; script-src *'] }, 'origin_format'],
])('the rules between the campaign’s settings have codes: %#', (change, code) => {
  const issues = issuesOf(campaignSettings, { ...demoSettings, ...change })
  expect(issues.map((issue) => issue.code)).toContain(code)
  expect(issues.map((issue) => issue.code)).not.toContain('invalid')
})

/** The ways to the texts of a body, or to those that are asked for: names, and `[]` for the items of a list. */
function pathsOf(
  schema: z.core.JSONSchema.BaseSchema,
  path: string[] = [],
  isAsked: (text: z.core.JSONSchema.BaseSchema) => boolean = () => true,
): string[][] {
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  const named = Object.entries(schema.properties ?? {})
  return [
    ...(schema.type === 'string' && !schema.enum && isAsked(schema) ? [path] : []),
    ...parts.flatMap((part) => pathsOf(part as never, path, isAsked)),
    ...named.flatMap(([name, part]) => pathsOf(part as never, [...path, name], isAsked)),
    ...(schema.items ? pathsOf(schema.items as never, [...path, '[]'], isAsked) : []),
  ]
}

const holding = (path: readonly string[], text: string): unknown =>
  path.reduceRight<unknown>((value, name) => (name === '[]' ? [value] : { [name]: value }), text)

test('no text of any body may be a private key, but where a field is known to look like one [WALLET-2]', () => {
  const master =
    'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi'
  const keys = {
    extended_key: master,
    hex_key: 'ab'.repeat(32),
    seed_phrase: `${'abandon '.repeat(11)}about`,
  }
  const missed: string[] = []
  let guarded = 0
  for (const { path: route, body } of routes) {
    if (!body) continue
    const texts = pathsOf(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any', reused: 'inline' }))
    for (const path of texts)
      for (const [kind, key] of Object.entries(keys)) {
        const field = path.findLast((name) => name !== '[]') ?? ''
        if (mayLookLikeKeys[field]?.includes(kind as never)) continue
        const refusal = codeOf(() => parseInput(body, holding(path, key)))
        if (refusal === 'private_key_refused') guarded += 1
        else missed.push(`${route}: ${path.join('.')} takes a ${kind}`)
      }
  }
  expect(missed).toEqual([])
  expect(guarded).toBeGreaterThan(150)
})

test('what a schema asks for is never taken for a private key', () => {
  const hash = '0123456789abcdef'.repeat(4)
  const refused = routes.flatMap(({ path: route, body }) => {
    if (!body) return []
    const schema = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any', reused: 'inline' })
    const takes = (pattern: string | undefined, text: string) => pattern && new RegExp(pattern).test(text)
    return pathsOf(schema, [], ({ pattern }) => !!takes(pattern, hash) && !takes(pattern, hash.slice(1)))
      .map((path) => path.findLast((name) => name !== '[]') ?? '')
      .filter((field) => !mayLookLikeKeys[field]?.includes('hex_key'))
      .map((field) => `${route}: ${field}`)
  })
  expect(refused, 'Fix: name the field in mayLookLikeKeys').toEqual([])
})

test('a body that is nested deeper than a stack is looked through all the same', () => {
  const deep = JSON.parse(`${'['.repeat(30_000)}"${'ab'.repeat(32)}"${']'.repeat(30_000)}`)
  expect(codeOf(() => parseInput(z.unknown(), { note: deep }))).toBe('private_key_refused')
})

function codeOf(work: () => unknown): string {
  try {
    work()
    return 'taken'
  } catch (error) {
    return error instanceof Refusal ? error.code : 'invalid_input'
  }
}
