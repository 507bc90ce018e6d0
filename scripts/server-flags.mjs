/**
 * What Node is told for the server. Young objects get at most 24 MB instead of 48, which halves the memory under load. With 12 MB what
 * requests under way had was taken for old so often that collecting it was a third of an order's processor time (docs/performance.md).
 * Old ones are collected when they have grown by half, not when they have doubled.
 * The server may ask for a collection, which it does once: when it has started.
 */
export const SERVER_FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=50', '--expose-gc']

/** What the C library is told: its threads share one pool of memory, where each kept some megabytes of its own. */
export const SERVER_MEMORY = { MALLOC_ARENA_MAX: '1' }
