import { Secrets } from '../../src/server/secrets/secrets.ts'

/** The secrets of tests and their in-process servers. */
export const testKey = 'a key of thirty-two characters!!'
export const testSecrets = new Secrets({ keys: [testKey] })
