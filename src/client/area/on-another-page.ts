import type { ShouldRevalidateFunction } from 'react-router'

/** Filters live in the URL, and typing changes only the search: only another page is worth asking again who this is. */
export const onAnotherPage: ShouldRevalidateFunction = ({ currentUrl, nextUrl, defaultShouldRevalidate }) =>
  currentUrl.pathname !== nextUrl.pathname ||
  (currentUrl.search === nextUrl.search && defaultShouldRevalidate)
