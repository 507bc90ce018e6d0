import { useEffect } from 'react'

interface Place {
  readonly pathname: string
  readonly search: string
}

/** Forms with unsaved values, and whether each survives a change of the query string. */
const forms = new Map<symbol, boolean>()

/** Loads the dialog at the first unsaved value, because a server update may remove its file later. */
const fetchQuestions = () =>
  Promise.all([import('../ui/DialogWindow.tsx'), import('./StepUpDialog.tsx')]).catch(() => undefined)

export function useUnsaved(isUnsaved: boolean, { spansSearch = false } = {}): void {
  useEffect(() => {
    if (!isUnsaved) return
    void fetchQuestions()
    const form = Symbol('form')
    forms.set(form, spansSearch)
    return () => void forms.delete(form)
  }, [isUnsaved, spansSearch])
}

export const hasUnsaved = (): boolean => forms.size > 0

export function losesUnsaved(from: Place, to: Place): boolean {
  if (from.pathname !== to.pathname) return hasUnsaved()
  return from.search !== to.search && [...forms.values()].some((spansSearch) => !spansSearch)
}
