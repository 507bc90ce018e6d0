// Adds all messages of the code to the catalogues of each language that covers them.
import { lingui, scopes } from './lingui.mjs'
import { fillServerTexts } from './server-texts.mjs'

const failed = scopes.filter(
  ({ locales, args }) => !lingui('extract', '--clean', '--locale', locales.join(','), ...args),
)
fillServerTexts()
process.exit(failed.length > 0 ? 1 : 0)
