/**
 * What Node is told for the server. Young objects get at most 12 MB instead of 48: the server's memory halves under load and no
 * request is slower for it (docs/performance.md). Old ones are collected when they have grown by a quarter, not when they have doubled.
 * The server may ask for a collection, which it does once: when it has started.
 */
export const SERVER_FLAGS = ['--max-semi-space-size=4', '--heap-growing-percent=25', '--expose-gc']

/** What the C library is told: its threads share one pool of memory, where each kept some megabytes of its own. */
export const SERVER_MEMORY = { MALLOC_ARENA_MAX: '1' }
