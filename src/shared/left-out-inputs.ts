import { z } from 'zod'

// Rules: STAGE-11
/**
 * For changes: a default would overwrite an unnamed field, so fields with a default become optional and stay
 * absent. Lists are complete, so their items keep defaults. The caller checks the whole object.
 */
export const mayLeaveOut = <S extends z.ZodType>(schema: S) =>
  withoutDefaults(schema, (field) => field.optional()) as z.ZodType<z.input<S>, z.input<S>>

/** Fields with a default are required. */
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

/** Nested ones included; undefined if none has one. */
export function defaultsOf(schema: z.core.$ZodType): unknown {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) return schema.parse(undefined)
  if (!(schema instanceof z.ZodObject)) return undefined
  const fields = Object.entries(schema.shape)
    .map(([name, field]) => [name, defaultsOf(field)] as const)
    .filter(([, value]) => value !== undefined)
  return fields.length > 0 ? Object.fromEntries(fields) : undefined
}

export function filledFrom(standing: unknown, named: unknown): unknown {
  if (named === undefined) return standing
  if (!isRecord(standing) || !isRecord(named)) return named
  const names = new Set([...Object.keys(standing), ...Object.keys(named)])
  return Object.fromEntries([...names].map((name) => [name, filledFrom(standing[name], named[name])]))
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
