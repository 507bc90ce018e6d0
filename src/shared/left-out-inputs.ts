import { z } from 'zod'

// Rules: STAGE-11
/**
 * The schema for a change of what exists, where a default would change a field that nobody named: a field with a default may be left out
 * and stays unnamed. Lists are given whole, so what is in them keeps its defaults. Checks of whole objects are left to who has the whole.
 */
export const mayLeaveOut = <S extends z.ZodType>(schema: S) =>
  withoutDefaults(schema, (field) => field.optional()) as z.ZodType<z.input<S>, z.input<S>>

/** The schema for a change of what exists: a field with a default has to be named. */
export const leavesNothingOut = <S extends z.ZodObject>(schema: S) =>
  withoutDefaults(schema, (field) => field) as z.ZodType<z.output<S>, z.output<S>>

function withoutDefaults(schema: z.core.$ZodType, named: (field: z.ZodType) => z.ZodType): z.ZodType {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return named(withoutDefaults(schema.unwrap(), named))
  if (schema instanceof z.ZodNullable) return withoutDefaults(schema.unwrap(), named).nullable()
  if (!(schema instanceof z.ZodObject)) return schema as z.ZodType
  const fields = Object.entries(schema.shape).map(([name, field]) => [name, withoutDefaults(field, named)])
  return z.object(Object.fromEntries(fields))
}

/** What the fields of an object have by default, those of objects in it, too; undefined where none has a default. */
export function defaultsOf(schema: z.core.$ZodType): unknown {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) return schema.parse(undefined)
  if (!(schema instanceof z.ZodObject)) return undefined
  const fields = Object.entries(schema.shape)
    .map(([name, field]) => [name, defaultsOf(field)] as const)
    .filter(([, value]) => value !== undefined)
  return fields.length > 0 ? Object.fromEntries(fields) : undefined
}

/** A whole of what was named and, where nothing was, of what stands. */
export function filledFrom(standing: unknown, named: unknown): unknown {
  if (named === undefined) return standing
  if (!isRecord(standing) || !isRecord(named)) return named
  const names = new Set([...Object.keys(standing), ...Object.keys(named)])
  return Object.fromEntries([...names].map((name) => [name, filledFrom(standing[name], named[name])]))
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
