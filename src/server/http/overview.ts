import { overviewEndpoints } from '../../shared/api/overview-schemas.ts'
import type { Doctor } from '../doctor/doctor.ts'
import type { OperatorOverview } from '../overview/overview.ts'
import { languageOf } from './errors.ts'
import { type Server, serve } from './serve.ts'

export function mountOverview(server: Server, overview: OperatorOverview, doctor?: Doctor): void {
  if (doctor)
    serve(server, overviewEndpoints.doctor, async ({ request }) => ({
      items: await doctor.examine(languageOf(request)),
    }))
  serve(server, overviewEndpoints.show, ({ caller }) => overview.show(caller.role))
  serve(server, overviewEndpoints.range, ({ query }) => overview.range(query.from, query.to))
}
