export class UnknownKeyError extends Error {
  constructor() {
    super('a value is sealed under a SECRET_KEY that is not known')
  }
}
