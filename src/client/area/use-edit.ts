import { useState } from 'react'
import { currentOf } from './call.ts'
import { type FormOptions, useForm } from './use-form.ts'

export interface EditOptions<Thing, Values extends object, Input, Result, Current = Thing>
  extends Omit<FormOptions<Values, Input, Result>, 'initial' | 'send'> {
  /** What stood when the form was opened. */
  thing: Thing
  valuesOf: (thing: Thing) => Values
  /** Sends what was checked, as a change of `base`: its revision says what the change is based on. */
  send: (input: Input, base: Thing) => Promise<Result>
  /** What stands now, where the server's conflict names something larger; undefined where the thing is gone. */
  thingOf?: (current: Current) => Thing
  /** For a form that stays open after a success: the thing that its next change is based on. */
  stays?: (result: Result) => Thing
}

/**
 * A form that changes a thing which somebody else may change meanwhile. After a conflict `theirs` is what stands now:
 * `takeTheirs` drops what was typed, `keepMine` keeps what was typed, to be saved over what stands now.
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
    /** The values of the version that was taken up last; undefined while that is the first one. */
    kept,
    /** Takes up another version of the thing; what was typed is dropped. */
    startOver,
    theirs,
    theirValues: theirs === undefined ? undefined : valuesOf(theirs),
    takeTheirs: () => settle(false),
    keepMine: () => settle(true),
  }
}
