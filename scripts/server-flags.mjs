/**
 * Up to 24 MB for young objects instead of 48 halves the memory under load; 12 MB made garbage collection a
 * third of an order's processor time (docs/performance.md). Old objects are collected after a growth of 50 %
 * instead of 100 %. `--expose-gc` is for the one collection after the start.
 */
export const SERVER_FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=50', '--expose-gc']

/** By default each thread of the C library keeps some megabytes. */
export const SERVER_MEMORY = { MALLOC_ARENA_MAX: '1' }
