import { useState } from 'react'
import { currentOf } from './call.ts'
import { type FormOptions, useForm } from './use-form.ts'

export interface EditOptions<Thing, Values extends object, Input, Result, Current = Thing>
  extends Omit<FormOptions<Values, Input, Result>, 'initial' | 'send'> {
  thing: Thing
  valuesOf: (thing: Thing) => Values
  /** Sends the checked values as a change of `base`, whose revision detects conflicts. */
  send: (input: Input, base: Thing) => Promise<Result>
  /** Picks the thing out of a conflict's larger `current`; undefined if it no longer exists. */
  thingOf?: (current: Current) => Thing
  /** For a form that stays open: the version that the next change is based on. */
  stays?: (result: Result) => Thing
}

/**
 * For a record that others may change meanwhile. After a conflict `theirs` is the saved version;
 * `takeTheirs` discards the typed values, `keepMine` keeps them to overwrite it.
 */
export function useEdit<Thing, Values extends object, Input, Result, Current = Thing>({
  thing,
  valuesOf,
  send,
  thingOf = (current) => current as unknown as Thing,
  stays,
  ...options
}: EditOptions<Thing, Values, Input, Result, Current>) {
  const [base, setBase] = useState(thing)
  const [theirs, setTheirs] = useState<Thing>()
  const [kept, setKept] = useState<Values>()
  const form = useForm<Values, Input, Result>({
    ...options,
    initial: valuesOf(thing),
    send: (input) => send(input, base),
    done: (result, input) => {
      if (stays) startOver(stays(result))
      return options.done?.(result, input)
    },
    onFail: (error) => {
      const current = currentOf<Current>(error)
      setTheirs(current === undefined ? undefined : thingOf(current))
      options.onFail?.(error)
    },
  })
  const startOver = (next: Thing) => {
    setBase(next)
    setTheirs(undefined)
    setKept(valuesOf(next))
    form.reset(valuesOf(next))
  }
  const settle = (keeps: boolean) => {
    if (theirs === undefined) return
    if (!keeps) return startOver(theirs)
    setBase(theirs)
    setTheirs(undefined)
  }
  return {
    ...form,
    base,
    /** The values of the last version taken over; undefined before that. */
    kept,
    startOver,
    theirs,
    theirValues: theirs === undefined ? undefined : valuesOf(theirs),
    takeTheirs: () => settle(false),
    keepMine: () => settle(true),
  }
}
