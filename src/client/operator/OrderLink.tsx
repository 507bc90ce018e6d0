import { Link } from 'react-router'
import { paths } from './paths.ts'

/** `strong` marks the current order. */
export function OrderLink({ id, strong = false }: { id: number | null | undefined; strong?: boolean }) {
  return id ? (
    <Link
      className={`figures underline ${strong ? 'font-semibold underline-offset-2' : ''}`}
      to={paths.order(id)}
    >
      {id}
    </Link>
  ) : (
    '—'
  )
}
