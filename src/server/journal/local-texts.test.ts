import { expect, test } from 'vitest'
import { withSale } from '../../../test/support/campaign.ts'
import { sha256 } from '../../../verify/node-hash.ts'
import { hashOfTexts } from '../../../verify/shown.ts'
import { type Database, sql } from '../database/database.ts'

/** The journal's hash of texts, and a stranger's. */
async function ofBoth(db: Database, texts: readonly Record<string, string>[]) {
  const { said } = await db.one<{ said: string }>(
    sql`select hash_of_local_texts(variadic ${texts.map((text) => JSON.stringify(text))}::jsonb[]) as said`,
  )
  const { before } = await db.one<{ before: string }>(
    sql`select hash_of_texts(variadic ${texts.flatMap(({ en = '', ru = '' }) => [en, ru])}::text[]) as before`,
  )
  return { said, before, computed: hashOfTexts(sha256, texts) }
}

test('texts in English and Russian keep the hash that they always had, whatever is empty', () =>
  withSale(async ({ db }) => {
    for (const texts of [
      [{ en: 'Terms', ru: 'Условия' }],
      [{ en: 'Title', ru: '' }, { ru: 'Текст' }],
      [
        { en: 'Title', ru: 'Имя', es: '' },
        { en: 'Text', ru: 'Текст', es: '' },
      ],
    ]) {
      const { said, before, computed } = await ofBoth(db, texts as Record<string, string>[])
      expect(said).toBe(before)
      expect(computed).toBe(before)
    }
  }))

test('each further language counts under its code, and nobody can move words to another', () =>
  withSale(async ({ db }) => {
    const all = [
      [
        { en: 'Title', ru: '', es: 'Título' },
        { en: 'Text', ru: '' },
      ],
      [
        { en: 'Title', ru: '' },
        { en: 'Text', ru: '', es: 'Título' },
      ],
      [
        { en: 'Title', ru: '', pt: 'Título' },
        { en: 'Text', ru: '' },
      ],
      [
        { es: 'Título', ar: 'عنوان', en: 'Title', 'pt-BR': 'x' },
        { en: 'Text', ru: '', ar: 'نص' },
      ],
      [
        { en: 'Title', ru: '' },
        { en: 'Text', ru: '' },
      ],
    ] as Record<string, string>[][]
    const hashes = await Promise.all(all.map((texts) => ofBoth(db, texts)))
    for (const { said, computed } of hashes) expect(computed).toBe(said)
    expect(new Set(hashes.map(({ said }) => said)).size).toBe(all.length)
  }))
