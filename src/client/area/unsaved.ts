import { useEffect } from 'react'

interface Place {
  readonly pathname: string
  readonly search: string
}

/** The forms in which something stands that is saved nowhere, and whether each stays while only the search of its address changes. */
const forms = new Map<symbol, boolean>()

/** What asks before something typed is saved: fetched with the first sign, because an update of the server may have taken it away by the time. */
const fetchQuestions = () =>
  Promise.all([import('../ui/DialogWindow.tsx'), import('./StepUpDialog.tsx')]).catch(() => undefined)

/** Says, while a form is shown, whether something was typed into it that is not saved. */
export function useUnsaved(isUnsaved: boolean, { spansSearch = false } = {}): void {
  useEffect(() => {
    if (!isUnsaved) return
    void fetchQuestions()
    const form = Symbol('form')
    forms.set(form, spansSearch)
    return () => void forms.delete(form)
  }, [isUnsaved, spansSearch])
}

/** Whether leaving these pages would lose what was typed. */
export const hasUnsaved = (): boolean => forms.size > 0

/** Whether going from one place to another would. */
export function losesUnsaved(from: Place, to: Place): boolean {
  if (from.pathname !== to.pathname) return hasUnsaved()
  return from.search !== to.search && [...forms.values()].some((spansSearch) => !spansSearch)
}
