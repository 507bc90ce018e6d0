// Medusa as its guide sets it up, without its dashboard; events, caches and locks in its own memory, which need no Redis.
const { defineConfig } = require('@medusajs/framework/utils')

module.exports = defineConfig({
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    databaseDriverOptions: { connection: { ssl: false } },
    http: {
      storeCors: 'http://127.0.0.1',
      adminCors: 'http://127.0.0.1',
      authCors: 'http://127.0.0.1',
      jwtSecret: process.env.PEER_PASSWORD,
      cookieSecret: process.env.PEER_PASSWORD,
    },
  },
  admin: { disable: true },
})
