import type { ReactNode } from 'react'

export interface Fields<Values extends object> {
  values: Values
  set: (next: Partial<Values>) => void
  error: (path: string) => string | undefined
  text: (name: keyof Values & string) => {
    name: string
    value: string
    onChange: (event: { target: { value: string } }) => void
  }
  /** Props for controls such as `Select` or `DecimalInput`. */
  value: <Name extends keyof Values & string>(
    name: Name,
  ) => { value: Values[Name]; onValueChange: (next: Values[Name]) => void }
}

export interface LineFieldProps<Values extends object> {
  form: Pick<Fields<Values>, 'text' | 'value' | 'error'>
  name: keyof Values & string
  label: ReactNode
  hint?: ReactNode
  optional?: ReactNode
  labelHidden?: boolean
  fieldClassName?: string | undefined
}

/** Builds `Fields` for values that are stored elsewhere. */
export function fieldsOf<Values extends object>(
  values: Values,
  set: (next: Partial<Values>) => void,
  error: (path: string) => string | undefined,
  /** The path prefix of these values in the form. */
  below = '',
): Fields<Values> {
  return {
    values,
    set,
    error,
    text: (name) => ({
      name: below + name,
      value: String(values[name] ?? ''),
      onChange: (event) => set({ [name]: event.target.value } as Partial<Values>),
    }),
    value: (name) => ({
      value: values[name],
      onValueChange: (next) => set({ [name]: next } as unknown as Partial<Values>),
    }),
  }
}

/** Fields of a nested object such as `seller`. */
export function partOf<Values extends object, Name extends keyof Values & string>(
  form: Fields<Values>,
  name: Name,
): Fields<Values[Name] & object> {
  const part = form.values[name] as Values[Name] & object
  return fieldsOf(
    part,
    (next) => form.set({ [name]: { ...part, ...next } } as unknown as Partial<Values>),
    (path) => form.error(`${name}.${path}`),
    `${name}.`,
  )
}

export interface ItemFields<Item extends object> extends Fields<Item> {
  remove: () => void
}

type ItemOf<List> = List extends readonly (infer Item extends object)[] ? Item : never

/** The items of a list such as `levels`, each as fields. */
export function itemsOf<Values extends object, Name extends keyof Values & string>(
  form: Fields<Values>,
  name: Name,
): ItemFields<ItemOf<Values[Name]>>[] {
  const items = form.values[name] as readonly ItemOf<Values[Name]>[]
  const replace = (next: readonly object[]) => form.set({ [name]: next } as unknown as Partial<Values>)
  return items.map((item, at) => ({
    ...fieldsOf(
      item,
      (next) => replace(items.map((other, index) => (index === at ? { ...other, ...next } : other))),
      (path) => form.error(`${name}.${at}.${path}`),
      `${name}.${at}.`,
    ),
    remove: () => replace(items.filter((_, index) => index !== at)),
  }))
}
