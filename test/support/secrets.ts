import { Secrets } from '../../src/server/secrets/secrets.ts'

export const testKey = 'a key of thirty-two characters!!'
export const testSecrets = new Secrets({ keys: [testKey] })
