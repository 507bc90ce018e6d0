import { Skeleton } from '../ui/Spinner.tsx'

/** Placeholder of a page whose frame alone the server draws. */
export function PageToCome() {
  return (
    <>
      <Skeleton className="h-12 w-72 max-w-full" />
      <Skeleton className="mt-8 h-40 w-full" />
    </>
  )
}
