import { documentFacts } from '../document-facts.ts'
import { Ito } from '../ito/Ito.tsx'

/** The campaign's logo, named in the head of the area's document; the mascot where it has none. The picture has no name of its own, because the campaign's name stands beside it. */
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
