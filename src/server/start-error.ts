/** The operator must fix it before the start: one line without a stack, exit code 1. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
