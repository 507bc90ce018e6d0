import { Secrets } from '../../src/server/secrets/secrets.ts'

/** What tests seal with that start no server. */
export const testKey = 'a key of thirty-two characters!!'
export const testSecrets = new Secrets({ keys: [testKey] })
