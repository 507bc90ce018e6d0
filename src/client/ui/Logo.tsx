import { documentFacts } from '../document-facts.ts'
import { Ito } from '../ito/Ito.tsx'

/** The mascot if there is none. Without alternative text, because the name is beside it. */
export function Logo() {
  const { logo } = documentFacts()
  return logo ? (
    <img
      src={`/uploads/${encodeURIComponent(logo)}`}
      alt=""
      className="h-9 w-auto max-w-36 shrink-0 object-contain"
    />
  ) : (
    <Ito decorative className="h-9 w-auto shrink-0" />
  )
}
