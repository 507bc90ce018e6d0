import { Secrets } from '../../src/server/secrets/secrets.ts'

/** What tests seal with, and the servers that they start in their own process. */
export const testKey = 'a key of thirty-two characters!!'
export const testSecrets = new Secrets({ keys: [testKey] })
