import { globSync, readFileSync } from 'node:fs'
import { expect, expectTypeOf, test } from 'vitest'
import { auditActions, auditSubjects } from './audit-actions.ts'
import { auditFields, type SettingValues, type Unnamed } from './audit-fields.ts'

// Code passes through a change, whose types know the lists; SQL that writes the log itself is read here.
const root = new URL('../../', import.meta.url)
const sources = ['functions/**/*.sql', 'src/server/**/*.ts']
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(new URL(path, root), 'utf8') }))
const writes = sources.flatMap(({ path, text }) =>
  [...text.matchAll(/(?:perform write_audits?\(|insert into audit_log)[^;`]*/g)].map(([sql]) => ({
    path,
    sql,
  })),
)

const homes = ['functions/audit/write_audit.sql', 'functions/audit/write_audits.sql']
const own = writes.filter(({ path }) => !homes.includes(path))

test('SQL writes only actions and subjects of the lists', () => {
  expect(own.length).toBeGreaterThan(2)
  for (const { path, sql } of own) {
    const written = [...sql.matchAll(/'([a-z-]+\.[a-z-]+)'/g)].map(([, action]) => action)
    expect(written, `${path} writes an action that is not said in its SQL`).not.toEqual([])
    for (const action of written) expect(auditActions, path).toContain(action)
    const subject = /'[a-z-]+\.[a-z-]+'(?: end)?, '([a-z-]+)'/.exec(sql)?.[1]
    expect(auditSubjects, path).toContain(subject)
  }
})

test('SQL writes only fields that the page has a name for [RIGHT-23]', () => {
  // Names of JSON come before a comma, as subjects do; actions have a dot.
  const named = own.flatMap(({ sql }) => [...sql.matchAll(/'(\w+)'\s*,/g)].map(([, name]) => name))
  expect(named).toContain('status')
  const known: readonly string[] = [...auditFields, ...auditSubjects, 'before', 'after']
  expect(named.filter((name) => !known.includes(name ?? ''))).toEqual([])
})

test('a field or a word that the page has no name for does not compile [RIGHT-23]', () => {
  expectTypeOf<
    Unnamed<{ full_name: string; status: 'approved'; senders: { address: string }[] }>
  >().toBeNever()
  expectTypeOf<Unnamed<{ nameless: string }>>().toEqualTypeOf<'nameless'>()
  expectTypeOf<Unnamed<{ seller: { nameless: string } }>>().toEqualTypeOf<'nameless'>()
  expectTypeOf<Unnamed<{ status: 'wordless' }>>().toEqualTypeOf<'wordless'>()
  expectTypeOf<Unnamed<Record<string, string>>>().not.toBeNever()
  expectTypeOf<Unnamed<{ value: unknown }>>().not.toBeNever()
  expectTypeOf<Unnamed<SettingValues<{ nameless: string }>>>().toBeNever()
  expectTypeOf<Unnamed<SettingValues<{ nameless: 'wordless' }>>>().toEqualTypeOf<'wordless'>()
})

test('everything in the lists is written somewhere [RIGHT-23]', () => {
  // The definition of an action, and where it is mounted, write nothing.
  const all = sources
    .map(({ text }) => text.replaceAll(/\bname: '[^']+'|'[^']+':|actions\['[^']+'\]/g, ''))
    .join('\n')
  expect([...auditActions, ...auditSubjects].filter((name) => !all.includes(`'${name}'`))).toEqual([])
})
