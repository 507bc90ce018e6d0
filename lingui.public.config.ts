import config from './lingui.config.ts'

/** What the public pages say: all that a language has which covers no more. */
export default {
  ...config,
  catalogs: config.catalogs?.filter(({ path }) => path.endsWith('/public')),
}
