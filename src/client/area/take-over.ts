/** Puts the page in the place of what the server drew, once nobody is in the middle of something there, and goes on where they were. */
export async function takeOver(drawn: HTMLElement, page: HTMLElement): Promise<void> {
  await atRest(drawn)
  const left = leftIn(drawn)
  page.id = drawn.id
  drawn.replaceWith(page)
  goOn(page, left)
  // The page could not go to what its address names before it stood here.
  const named = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null
  named?.scrollIntoView({ block: 'start' })
  named?.querySelector<HTMLElement>('input, button')?.focus({ preventScroll: true })
  for (const place of left.pressed) {
    elementAt(page, place)?.click()
    // What one press changes is there before the next one.
    await new Promise((resolve) => setTimeout(resolve))
  }
}

/** Longer than anybody holds a button down, and shorter than a state that got stuck may keep the page from working. */
const longestPress = 3_000

/**
 * Until no button is held down, no form is on its way and no word is being composed. A press that begins on one element and ends on
 * another is none, and what is half composed would stand in the new field as if it were meant. The document's inline script marks
 * forms and fields (`src/server/pages/until-scripts.ts`).
 */
async function atRest(drawn: HTMLElement): Promise<void> {
  const begun = performance.now()
  const isHeld = () => drawn.querySelector(':active') && performance.now() - begun < longestPress
  while (isHeld() || drawn.querySelector('form[aria-busy], [data-composing]'))
    await new Promise((resolve) => setTimeout(resolve, 30))
}

type Caret = readonly [start: number, end: number, direction: SelectionDirection | undefined]

/** What somebody has done to what the server drew. */
interface Left {
  readonly filledIn: readonly { readonly place: Place; readonly value: string; readonly checked: boolean }[]
  /** What was unfolded, by what it is unfolded with. */
  readonly unfolded: readonly Place[]
  readonly focused: Place | undefined
  readonly caret: Caret | undefined
  /** Buttons that could not answer yet, in the order in which they were pressed. */
  readonly pressed: readonly Place[]
}

/** The fields whose text or tick is not what the server drew. */
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

/** Types the same into the fields that took their place, so that their forms know of it, and puts the focus and the caret where they were. */
function goOn(root: HTMLElement, { filledIn, unfolded, focused, caret }: Left): void {
  for (const place of unfolded) elementAt(root, place)?.parentElement?.setAttribute('open', '')
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
  const fieldAt = (place: Place) => elementAt(root, place) as HTMLInputElement | undefined
  // A press beside a list of what fits empties its field, so boxes are ticked first.
  for (const { place, checked } of filledIn) {
    const field = fieldAt(place)
    if (field?.checked !== checked) field?.click()
  }
  const element = focused && elementAt(root, focused)
  for (const { place, value } of filledIn) {
    const field = fieldAt(place)
    if (!field || field.value === value) continue
    // React hears of a value only where it has not been set through React's own property.
    setValue?.call(field, value)
    // Where somebody types, the list of what fits opens, as it does for keys; a value that comes without any would be the browser's own.
    const inputType = field === element ? 'insertText' : ''
    field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType }))
  }
  if (caret && element instanceof HTMLInputElement) setCaret(element, caret)
  element?.focus({ preventScroll: true })
}

/** Where an element stands: what it is called, and how many of the same name stand before it. */
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

/** A letter of nobody's. */
const mark = '\uE000'

/** Where the caret stands in the field that has the focus and is about to leave, and what is selected there. */
function caretOf(field: HTMLInputElement): Caret | undefined {
  const { selectionStart, selectionEnd, selectionDirection, value } = field
  if (selectionStart !== null && selectionEnd !== null)
    return [selectionStart, selectionEnd, selectionDirection ?? undefined]
  // A field for an e-mail address does not tell. What is typed there does.
  document.execCommand('insertText', false, mark)
  const start = field.value.indexOf(mark)
  return start < 0 ? undefined : [start, start + value.length - (field.value.length - 1), undefined]
}

function setCaret(field: HTMLInputElement, caret: Caret): void {
  const { type } = field
  // Nor is it told: as a field for a text it listens.
  if (field.selectionStart === null) field.type = 'text'
  field.setSelectionRange(...caret)
  field.type = type
}
