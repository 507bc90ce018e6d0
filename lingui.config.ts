import { defineConfig } from '@lingui/cli'
import { formatter } from '@lingui/format-po'
import { publicLocales } from './src/shared/languages.ts'

const client = 'src/client'

/**
 * The catalogues whose messages stand in the code, the English text first. What a page loads of them is the build's matter
 * (scripts/messages/plugin.ts); the texts of `server.po` beside them belong to rows of tables, not to places in the code.
 */
export default defineConfig({
  sourceLocale: 'en',
  locales: publicLocales,
  orderBy: 'origin',
  format: formatter({ lineNumbers: false, origins: true }),
  catalogs: [
    {
      path: 'locales/{locale}/public',
      include: [
        `${client}/public`,
        `${client}/ui`,
        `${client}/ito`,
        `${client}/charts`,
        `${client}/errors.ts`,
      ],
    },
    {
      path: 'locales/{locale}/buyer',
      include: [`${client}/buyer`, `${client}/area`, `${client}/claim`],
    },
    { path: 'locales/{locale}/operator', include: [`${client}/operator`] },
  ],
})
