import { auditEndpoints } from '../../shared/api/audit-schemas.ts'
import type { Audit } from '../audit/audit.ts'
import { type Server, serve } from './serve.ts'

export function mountAudit(server: Server, audit: Audit): void {
  serve(server, auditEndpoints.list, ({ caller, query: { after, limit, ...filter } }) =>
    audit.list(caller, filter, { after, limit }),
  )
  serve(server, auditEndpoints.choices, ({ caller }) => audit.choices(caller))
}
