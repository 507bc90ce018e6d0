/** An error that the operator must fix before the start: printed as one line without a stack, exit code 1. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
