import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { auditActions, auditSubjects } from './audit-actions.ts'

// Code passes through a change, whose types know the lists; SQL that writes the log itself is read here.
const root = new URL('../../', import.meta.url)
const sources = ['functions/**/*.sql', 'src/server/**/*.ts']
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => ({ path, text: readFileSync(new URL(path, root), 'utf8') }))
const writes = sources.flatMap(({ path, text }) =>
  [...text.matchAll(/(?:perform write_audit\(|insert into audit_log)[^;`]*/g)].map(([sql]) => ({
    path,
    sql,
  })),
)

test('SQL writes only actions and subjects of the lists', () => {
  const homes = ['functions/audit/write_audit.sql']
  const own = writes.filter(({ path }) => !homes.includes(path))
  expect(own.length).toBeGreaterThan(2)
  for (const { path, sql } of own) {
    const written = [...sql.matchAll(/'([a-z-]+\.[a-z-]+)'/g)].map(([, action]) => action)
    expect(written, `${path} writes an action that is not said in its SQL`).not.toEqual([])
    for (const action of written) expect(auditActions, path).toContain(action)
    const subject = /'[a-z-]+\.[a-z-]+'(?: end)?, '([a-z-]+)'/.exec(sql)?.[1]
    expect(auditSubjects, path).toContain(subject)
  }
})

test('everything in the lists is written somewhere', () => {
  const all = sources.map(({ text }) => text).join('\n')
  expect([...auditActions, ...auditSubjects].filter((name) => !all.includes(`'${name}'`))).toEqual([])
})
