import { Skeleton } from '../ui/Spinner.tsx'

/** Where a page will stand, of which the server draws the frame alone. */
export function PageToCome() {
  return (
    <>
      <Skeleton className="h-12 w-72 max-w-full" />
      <Skeleton className="mt-8 h-40 w-full" />
    </>
  )
}
