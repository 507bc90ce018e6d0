import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { parseCatalogue } from '../src/server/texts.ts'
import { approvableActions } from '../src/shared/actions.ts'
import { auditFilter } from '../src/shared/api/audit-schemas.ts'
import { mailKinds } from '../src/shared/api/mail-templates.ts'
import { operatorOrderFilter } from '../src/shared/api/orders-schemas.ts'
import { auditActions, auditSubjects } from '../src/shared/audit-actions.ts'
import { auditFields } from '../src/shared/audit-fields.ts'
import { campaignSettings } from '../src/shared/campaign-settings-inputs.ts'
import { isPublicLocale, languages, publicLocales } from '../src/shared/languages.ts'
import { settingIds } from '../src/shared/setting-ids.ts'
import { settingRows } from '../src/shared/settings.ts'

const catalogues = new Map(
  publicLocales.map((locale) => [
    locale,
    parseCatalogue(readFileSync(new URL(`../locales/${locale}/server.po`, import.meta.url), 'utf8')),
  ]),
)
const ids = [...(catalogues.get('en')?.keys() ?? [])]
const namesIn = (family: string) =>
  ids.filter((id) => id.startsWith(`${family}.`)).map((id) => id.slice(family.length + 1))

/** The catalogues that lack a text for one of the ids, each as `locale id`. */
const lacking = (locales: readonly (typeof publicLocales)[number][], wanted: readonly string[]) =>
  locales.flatMap((locale) =>
    wanted.filter((id) => !catalogues.get(locale)?.get(id)).map((id) => `${locale} ${id}`),
  )

test.each([
  ['action', [...new Set([...auditActions, ...approvableActions])]],
  ['field', auditFields.filter((name) => !isPublicLocale(name))],
  ['occasion', mailKinds],
  ['filter', [...new Set([...Object.keys(auditFilter.shape), ...Object.keys(operatorOrderFilter.shape)])]],
])('each %s has a name in every language of the operators, and nothing else has one', (family, all) => {
  expect(
    lacking(
      languages,
      all.map((name) => `${family}.${name}`),
    ),
  ).toEqual([])
  expect(namesIn(family).toSorted()).toEqual([...all].toSorted())
})

test('each subject of the audit log has a name, and so have only parts of them', () => {
  expect(
    lacking(
      languages,
      auditSubjects.map((name) => `subject.${name}`),
    ),
  ).toEqual([])
  const known: readonly string[] = auditSubjects
  expect(namesIn('subject').filter((name) => !known.includes(name.split('.')[0] ?? ''))).toEqual([])
})

/** Every path of an object's parts, without items of lists. */
function pathsIn(schema: z.core.$ZodType, path: string): string[] {
  const { def } = schema as z.ZodType & { def: Readonly<Record<string, unknown>> }
  const inner = def['innerType'] ?? def['element'] ?? def['in']
  if (inner) return pathsIn(inner as z.core.$ZodType, path)
  const shape = Object.entries((def['shape'] ?? {}) as Record<string, z.core.$ZodType>)
  return [path, ...shape.flatMap(([name, part]) => pathsIn(part, path ? `${path}.${name}` : name))]
}
const paths = [...new Set(pathsIn(campaignSettings, '').flatMap((path) => settingIds(path)[0] ?? []))].map(
  (id) => id.replace('setting.', ''),
)

test('each setting has a name in every language of the public history of changes', () => {
  expect(paths).toContain('levels.perks.promisedFor')
  expect(
    lacking(
      publicLocales,
      Object.keys(settingRows).map((name) => `setting.${name}`),
    ),
  ).toEqual([])
  expect(
    lacking(
      publicLocales,
      namesIn('setting').map((name) => `setting.${name}`),
    ),
  ).toEqual([])
})

test('each part of a setting has a name of its own, or that of a field', () => {
  const fieldOf = (path: string) => `field.${path.split('.').at(-1)}`
  const hasName = (path: string) => [...settingIds(path), fieldOf(path)].some((id) => ids.includes(id))
  // The key of an item is its identity, and no field of a form.
  const shown = paths.filter((path) => path && !path.endsWith('.key'))
  expect(shown.filter((path) => !hasName(path))).toEqual([])
})

test('names of settings are of those that there are', () => {
  const beside = /^(?:priceUsd|currencies|paused|stages(?:\.\w+)?|legal\.\w+)$/
  expect(namesIn('setting').filter((name) => !paths.includes(name) && !beside.test(name))).toEqual([])
})
