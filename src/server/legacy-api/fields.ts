import { z } from 'zod'
import { parseInput } from '../invalid-input.ts'

/** Old clients send both. Users of this reject exponents and signs. */
export const numeric = z.union([z.string(), z.number()]).transform((value) => String(value).trim())

export const id = numeric.pipe(z.string().regex(/^[1-9]\d{0,17}$/))

export const text = (max: number) => z.string().max(max)

export function fieldsOf<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  return parseInput(schema, body ?? {})
}
