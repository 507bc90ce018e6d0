/** Once the reader pauses; restores their input, opened sections and focus. */
export async function takeOver(drawn: HTMLElement, page: HTMLElement): Promise<void> {
  await atRest(drawn)
  const left = leftIn(drawn)
  page.id = drawn.id
  drawn.replaceWith(page)
  goOn(page, left)
  // The target of the fragment exists only now.
  const named = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null
  named?.scrollIntoView({ block: 'start' })
  named?.querySelector<HTMLElement>('input, button')?.focus({ preventScroll: true })
  for (const place of left.pressed) {
    elementAt(page, place)?.click()
    // Let each press render before the next one.
    await new Promise((resolve) => setTimeout(resolve))
  }
}

/** Longer than a real press, short enough that a stuck `:active` state does not block the page. */
const longestPress = 3_000

/**
 * Waits until no button is held, no form is being sent and no text is being composed: a replaced button would
 * lose its click, half-composed text would become final. `src/server/pages/until-scripts.ts` marks forms and
 * fields.
 */
async function atRest(drawn: HTMLElement): Promise<void> {
  const begun = performance.now()
  const isHeld = () => drawn.querySelector(':active') && performance.now() - begun < longestPress
  while (isHeld() || drawn.querySelector('form[aria-busy], [data-composing]'))
    await new Promise((resolve) => setTimeout(resolve, 30))
}

type Caret = readonly [start: number, end: number, direction: SelectionDirection | undefined]

interface Left {
  readonly filledIn: readonly { readonly place: Place; readonly value: string; readonly checked: boolean }[]
  /** The controls of opened sections. */
  readonly unfolded: readonly Place[]
  readonly focused: Place | undefined
  readonly caret: Caret | undefined
  /** Buttons pressed before the scripts ran, in order. */
  readonly pressed: readonly Place[]
}

/** The inputs whose value or tick the reader changed. */
export const changedFields = (root: HTMLElement): HTMLInputElement[] =>
  [...root.querySelectorAll('input')].filter(
    (field) => field.value !== field.defaultValue || field.checked !== field.defaultChecked,
  )

function leftIn(root: HTMLElement): Left {
  const filledIn = changedFields(root).map((field) => ({
    place: placeOf(root, field),
    value: field.value,
    checked: field.checked,
  }))
  const unfolded = [...root.querySelectorAll('[open] > summary')].map((summary) => placeOf(root, summary))
  const active = document.activeElement
  const focused = active && root.contains(active) ? placeOf(root, active) : undefined
  const pressed = [...root.querySelectorAll<HTMLElement>('[data-pressed]')]
    .toSorted((one, other) => Number(one.dataset['pressed']) - Number(other.dataset['pressed']))
    .map((button) => placeOf(root, button))
  const caret = active instanceof HTMLInputElement ? caretOf(active) : undefined
  return { filledIn, unfolded, focused, caret, pressed }
}

/** Types the values into the new fields and restores focus and caret. */
function goOn(root: HTMLElement, { filledIn, unfolded, focused, caret }: Left): void {
  for (const place of unfolded) elementAt(root, place)?.parentElement?.setAttribute('open', '')
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  const fieldAt = (place: Place) => elementAt(root, place) as HTMLInputElement | undefined
  // Tick boxes first: a press beside a combobox clears its field.
  for (const { place, checked } of filledIn) {
    const field = fieldAt(place)
    if (field?.checked !== checked) field?.click()
  }
  const element = focused && elementAt(root, focused)
  for (const { place, value } of filledIn) {
    const field = fieldAt(place)
    if (!field || field.value === value) continue
    // React notices a value only if it is set by the prototype's setter.
    setValue?.call(field, value)
    // An `insertText` event opens a combobox's list as typing does; other fields get an empty `inputType`, as
    // from autofill.
    const inputType = field === element ? 'insertText' : ''
    field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType }))
  }
  if (caret && element instanceof HTMLInputElement) setCaret(element, caret)
  element?.focus({ preventScroll: true })
}

/** An element by its name and the number of elements of that name before it. */
interface Place {
  readonly name: string
  readonly before: number
}

const canHaveFocus = 'input, a, button, summary, [tabindex]'

const nameOf = (element: Element) =>
  [
    element.tagName,
    ...['name', 'href', 'aria-label', 'placeholder'].map((attribute) => element.getAttribute(attribute)),
    element.matches('button, summary') ? element.textContent : '',
  ].join('\n')

const named = (root: HTMLElement, name: string) =>
  [...root.querySelectorAll<HTMLElement>(canHaveFocus)].filter((element) => nameOf(element) === name)

function placeOf(root: HTMLElement, element: Element): Place {
  const name = nameOf(element)
  return { name, before: named(root, name).indexOf(element as HTMLElement) }
}

const elementAt = (root: HTMLElement, { name, before }: Place) => named(root, name)[before]

/** A private-use character, which nobody types. */
const mark = '\uE000'

function caretOf(field: HTMLInputElement): Caret | undefined {
  const { selectionStart, selectionEnd, selectionDirection, value } = field
  if (selectionStart !== null && selectionEnd !== null)
    return [selectionStart, selectionEnd, selectionDirection ?? undefined]
  // An e-mail input does not report its caret, so insert a mark and look for it.
  document.execCommand('insertText', false, mark)
  const start = field.value.indexOf(mark)
  return start < 0 ? undefined : [start, start + value.length - (field.value.length - 1), undefined]
}

function setCaret(field: HTMLInputElement, caret: Caret): void {
  const { type } = field
  // The selection can only be set on a text field, so the type changes for a moment.
  if (field.selectionStart === null) field.type = 'text'
  field.setSelectionRange(...caret)
  field.type = type
}
