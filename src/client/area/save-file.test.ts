import { expect, it } from 'vitest'
import { csvLine } from './save-file.ts'

it('quotes what needs it', () => {
  expect(csvLine(['a', 'b,c', 'say "hi"', 'two\nlines'])).toBe('a,"b,c","say ""hi""","two\nlines"')
})

it.each(['=1+1', '+1', '-1', '@cmd', '\tx'])('takes the harm out of %j', (cell) => {
  expect(csvLine([cell])).toBe(`"'${cell}"`)
})
