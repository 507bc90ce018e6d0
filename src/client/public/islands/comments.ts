import { call, fill, locale, part, Refused, type Words, wordsOf } from './page.ts'

export function mountComments(root: HTMLElement): void {
  const words = wordsOf(root)
  const note = part(root, '[data-note]')
  const attempt = async (button: HTMLButtonElement, change: () => Promise<unknown>) => {
    note.textContent = ''
    // Show the message beside the pressed button.
    button.after(note)
    button.disabled = true
    try {
      await change()
      return true
    } catch (error) {
      button.disabled = false
      button.focus()
      note.textContent =
        (error instanceof Refused && error.isSaid && error.message) || (words['failed'] ?? '')
      return false
    }
  }
  const send = root.querySelector<HTMLButtonElement>('[data-send]')
  if (send) countTyped(root, words)
  send?.addEventListener('click', async () => {
    const field = part<HTMLTextAreaElement>(root, '[data-body]')
    if (field.value.trim() === '' || isTooLong(field)) return field.focus()
    const body = JSON.stringify({
      body: field.value,
      showsName: root.querySelector<HTMLInputElement>('[data-name]')?.checked ?? false,
    })
    const path = `/announcements/${root.dataset['id']}/comments`
    if (await attempt(send, () => call(path, { method: 'POST', body })))
      location.assign(`${location.pathname}?#comments`)
  })
  for (const button of root.querySelectorAll<HTMLButtonElement>('[data-remove],[data-report]'))
    button.addEventListener('click', async () => {
      const { remove, report, reason } = button.dataset
      if (remove && !confirm(words['sure'])) return
      const path = `/comments/${remove ?? `${report}/reports`}`
      const ask = { method: remove ? 'DELETE' : 'POST', body: JSON.stringify({ reason }) }
      if (!(await attempt(button, () => call(path, ask)))) return
      // The message replaces the removed button and keeps its place.
      button.closest(remove ? 'ul' : 'details')?.before(note)
      button.closest('li,details')?.remove()
      note.textContent = words[remove ? 'removed' : 'reported'] ?? ''
      note.focus()
    })
}

const lengthOf = (field: HTMLTextAreaElement) => field.value.trim().length
const mostOf = (field: HTMLTextAreaElement) => Number(field.dataset['most'])
const isTooLong = (field: HTMLTextAreaElement) => lengthOf(field) > mostOf(field)

/** Counts the characters, never cuts them. */
function countTyped(root: HTMLElement, words: Words): void {
  const field = part<HTMLTextAreaElement>(root, '[data-body]')
  const note = part(root, '[data-count]')
  const write = (count: number) => count.toLocaleString(`${locale}-u-nu-latn`)
  const say = () => {
    const tooLong = isTooLong(field)
    field.ariaInvalid = tooLong ? 'true' : null
    note.classList.toggle('text-danger', tooLong)
    note.role = tooLong ? 'status' : null
    note.textContent = fill(tooLong ? words['tooLong'] : words['count'], {
      count: write(lengthOf(field)),
      most: write(mostOf(field)),
    })
  }
  field.addEventListener('input', say)
  // The text may precede this script.
  if (field.value) say()
}
