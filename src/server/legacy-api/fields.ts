import { z } from 'zod'
import { parseInput } from '../invalid-input.ts'

/** A number or its digits as text, because old clients send both. Its users reject exponents and signs. */
export const numeric = z.union([z.string(), z.number()]).transform((value) => String(value).trim())

/** A whole number as text. */
export const id = numeric.pipe(z.string().regex(/^[1-9]\d{0,17}$/))

export const text = (max: number) => z.string().max(max)

export function fieldsOf<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  return parseInput(schema, body ?? {})
}
