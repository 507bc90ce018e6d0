import { expect, test } from 'vitest'
import { fieldsOf, itemsOf, partOf } from './form-fields.ts'

const settings = {
  name: 'Ito',
  seller: { name: 'Ann', contact: '' },
  levels: [
    { key: 'bronze', bonus: '1' },
    { key: 'silver', bonus: '2' },
  ],
}

/** A form with an error at every path, and the values it was set to. */
function formOf() {
  const sets: object[] = []
  return {
    sets,
    form: fieldsOf(
      settings,
      (next) => sets.push(next),
      (path) => `wrong: ${path}`,
    ),
  }
}

test('a field sets its value alone', () => {
  const { form, sets } = formOf()
  form.text('name').onChange({ target: { value: 'Other' } })
  form.value('name').onValueChange('Third')
  expect(sets).toEqual([{ name: 'Other' }, { name: 'Third' }])
})

test('a part keeps what stands beside its field, and has paths below its name', () => {
  const { form, sets } = formOf()
  const seller = partOf(form, 'seller')
  seller.text('contact').onChange({ target: { value: 'ann@example.org' } })
  expect(sets).toEqual([{ seller: { name: 'Ann', contact: 'ann@example.org' } }])
  expect(seller.text('contact').name).toBe('seller.contact')
  expect(seller.error('contact')).toBe('wrong: seller.contact')
})

test('an item of a list is changed and removed in its place', () => {
  const { form, sets } = formOf()
  const [, silver] = itemsOf(form, 'levels')
  silver?.set({ bonus: '3' })
  silver?.remove()
  expect(sets).toEqual([
    { levels: [settings.levels[0], { key: 'silver', bonus: '3' }] },
    { levels: [settings.levels[0]] },
  ])
  expect(silver?.error('bonus')).toBe('wrong: levels.1.bonus')
  expect(silver?.text('bonus').name).toBe('levels.1.bonus')
})
