import { useEffect, useState } from 'react'
import { documentFacts, forgetRefused, type RefusedForm } from '../document-facts.ts'

/** What became of this form where it was sent before the scripts were there; undefined where it was not, or went well. */
export function useRefusedForm(form: RefusedForm['form']): RefusedForm | undefined {
  const [refused] = useState(() => {
    const found = documentFacts().refused
    return found?.form === form ? found : undefined
  })
  useEffect(forgetRefused, [])
  return refused
}
