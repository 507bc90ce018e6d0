// Puts every message of the code into the catalogues of each language that covers it.
import { lingui, scopes } from './lingui.mjs'

const failed = scopes.filter(
  ({ locales, args }) => !lingui('extract', '--clean', '--locale', locales.join(','), ...args),
)
process.exit(failed.length > 0 ? 1 : 0)
