import { expect, test } from 'vitest'
import { fragment, sql } from './sql.ts'

test('a template makes one statement for each choice of its fragments', () => {
  const columns = fragment`id, name`
  const of = (what: unknown, id: number) => sql`select ${what} from users where id = ${id}`
  const first = of(columns, 1)
  expect(first).toMatchObject({ text: 'select id, name from users where id = $1', values: [1] })
  expect(of(columns, 2)).toEqual({ ...first, values: [2] })
  expect(of(fragment`email`, 1)).toMatchObject({ text: 'select email from users where id = $1' })
  expect(of('a value', 1)).toMatchObject({
    text: 'select $1 from users where id = $2',
    values: ['a value', 1],
  })
  expect(of(columns, 1)).toEqual(first)
  expect(of(fragment`email`, 1).name).not.toBe(first.name)
})
