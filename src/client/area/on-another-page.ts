import type { ShouldRevalidateFunction } from 'react-router'

/** Checks the session only on a new path, not for filters and searches. */
export const onAnotherPage: ShouldRevalidateFunction = ({ currentUrl, nextUrl, defaultShouldRevalidate }) =>
  currentUrl.pathname !== nextUrl.pathname ||
  (currentUrl.search === nextUrl.search && defaultShouldRevalidate)
