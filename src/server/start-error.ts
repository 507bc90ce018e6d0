/** Something that whoever runs the program must fix first: printed as its one line, without a stack, exit code 1. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
