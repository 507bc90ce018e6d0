import type { ShouldRevalidateFunction } from 'react-router'

/** Check the session again only on a new path; filters and searches change the query alone. */
export const onAnotherPage: ShouldRevalidateFunction = ({ currentUrl, nextUrl, defaultShouldRevalidate }) =>
  currentUrl.pathname !== nextUrl.pathname ||
  (currentUrl.search === nextUrl.search && defaultShouldRevalidate)
