import { useEffect, useState } from 'react'
import { documentFacts, forgetRefused, type RefusedForm } from '../document-facts.ts'

export function useRefusedForm(form: RefusedForm['form']): RefusedForm | undefined {
  const [refused] = useState(() => {
    const found = documentFacts().refused
    return found?.form === form ? found : undefined
  })
  useEffect(forgetRefused, [])
  return refused
}
