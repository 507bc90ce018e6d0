// Writes dist/openapi.json, also served as `/api/openapi.json`, and sdk/routes.ts with its types.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { routesOf } from '../sdk/write-routes.ts'
import { openApiOf } from '../src/server/http/openapi.ts'
import type { Endpoint } from '../src/shared/api/route.ts'

const at = (path: string) => new URL(`../${path}`, import.meta.url)

/** Each schema file in `src/shared/api` exports its routes as `…Endpoints`. */
async function endpoints(): Promise<Endpoint[]> {
  const files = readdirSync(at('src/shared/api')).filter((name) => name.endsWith('-schemas.ts'))
  const modules: Record<string, unknown>[] = await Promise.all(
    files.map((name) => import(at(`src/shared/api/${name}`).href)),
  )
  return modules.flatMap((exported) =>
    Object.entries(exported)
      .filter(([name]) => name.endsWith('Endpoints'))
      .flatMap(([, list]) => Object.values(list as Record<string, Endpoint>)),
  )
}

const text = JSON.stringify(openApiOf(await endpoints()), null, 2)
mkdirSync(at('dist'), { recursive: true })
writeFileSync(at('dist/openapi.json'), `${text}\n`)
writeFileSync(at('sdk/routes.ts'), routesOf(JSON.parse(text)))
