import { z } from 'zod'
import * as accountInputs from '../../shared/api/account-inputs.ts'
import * as account from '../../shared/api/account-schemas.ts'
import * as amountInputs from '../../shared/api/amount-inputs.ts'
import * as analyticsInputs from '../../shared/api/analytics-inputs.ts'
import * as analytics from '../../shared/api/analytics-schemas.ts'
import * as approvals from '../../shared/api/approvals-schemas.ts'
import * as audit from '../../shared/api/audit-schemas.ts'
import * as campaignInputs from '../../shared/api/campaign-inputs.ts'
import * as campaign from '../../shared/api/campaign-schemas.ts'
import * as contentInputs from '../../shared/api/content-inputs.ts'
import * as content from '../../shared/api/content-schemas.ts'
import * as currenciesInputs from '../../shared/api/currencies-inputs.ts'
import * as currencies from '../../shared/api/currencies-schemas.ts'
import * as holdingsInputs from '../../shared/api/holdings-inputs.ts'
import * as holdings from '../../shared/api/holdings-schemas.ts'
import * as integrationsInputs from '../../shared/api/integrations-inputs.ts'
import * as integrations from '../../shared/api/integrations-schemas.ts'
import * as live from '../../shared/api/live-schemas.ts'
import * as operatorSessionInputs from '../../shared/api/operator-session-inputs.ts'
import * as operatorSession from '../../shared/api/operator-session-schemas.ts'
import * as operatorsInputs from '../../shared/api/operators-inputs.ts'
import * as operators from '../../shared/api/operators-schemas.ts'
import * as orders from '../../shared/api/orders-schemas.ts'
import * as overview from '../../shared/api/overview-schemas.ts'
import * as ownAccess from '../../shared/api/own-access-schemas.ts'
import * as payments from '../../shared/api/payments-schemas.ts'
import * as route from '../../shared/api/route-schemas.ts'
import * as settings from '../../shared/campaign-settings-inputs.ts'
import { assert } from '../refusal.ts'

export type Schema = Record<string, unknown>

export interface Fields {
  properties?: Record<string, Schema>
  required?: string[]
}

type Direction = 'input' | 'output'

export interface NamedSchemas {
  /** Schemas exported by `src/shared` are references to components. */
  schemaOf(schema: z.ZodType, io: Direction): Schema
  fieldsOf(schema: z.ZodType | undefined): Fields
  /** Referenced so far, by name. */
  components(): Record<string, Schema>
}

const modules = [
  route,
  settings,
  accountInputs,
  account,
  ownAccess,
  operatorSession,
  operators,
  campaign,
  currencies,
  orders,
  holdings,
  payments,
  content,
  overview,
  approvals,
  audit,
  analytics,
  integrations,
  live,
  amountInputs,
  analyticsInputs,
  campaignInputs,
  contentInputs,
  currenciesInputs,
  holdingsInputs,
  integrationsInputs,
  operatorSessionInputs,
  operatorsInputs,
]

/** `buyerOrder` becomes `BuyerOrder`; the first export wins. */
function nameExports(): z.core.$ZodRegistry<{ id: string }> {
  const names = z.registry<{ id: string }>()
  for (const [name, value] of modules.flatMap((module) => Object.entries<unknown>(module)))
    if (value instanceof z.ZodType && !names.has(value))
      names.add(value, { id: name.replace(/^\w/, (letter) => letter.toUpperCase()) })
  return names
}

const PREFIX = '#/components/schemas/'
const REF = /"#\/components\/schemas\/(\w+)"/g
const refsIn = (text: string) => [...text.matchAll(REF)].map(([, id]) => id as string)

/** Without keys of a standalone document. */
function own(schema: Schema): Schema {
  return Object.fromEntries(
    Object.entries(schema).filter(([key]) => !['$schema', '$id', '$defs'].includes(key)),
  )
}

/**
 * If a schema's input and output differ (defaults, transforms, unknown fields), the input is a component with
 * the suffix `Input`.
 */
export function createNamedSchemas(): NamedSchemas {
  const names = nameExports()
  const converted = (io: Direction) =>
    new Map(
      Object.entries(
        z.toJSONSchema(names, { io, unrepresentable: 'any', uri: (id) => PREFIX + id }).schemas,
      ).map(([id, schema]) => [id, JSON.stringify(own(schema))]),
    )
  const texts = { input: converted('input'), output: converted('output') }
  const differing = new Set(
    [...texts.output].filter(([id, text]) => texts.input.get(id) !== text).map(([id]) => id),
  )
  for (let known = -1; known !== differing.size; ) {
    known = differing.size
    for (const [id, text] of texts.output)
      if (refsIn(text).some((ref) => differing.has(ref))) differing.add(id)
  }

  const used = new Map<string, { id: string; io: Direction; schema: Schema }>()
  const nameOf = (id: string, io: Direction) =>
    io === 'input' && differing.has(id) && !id.endsWith('Input') ? `${id}Input` : id

  /** Uses the names of this direction and registers referenced components. */
  const resolve = (text: string, io: Direction): Schema => {
    for (const id of refsIn(text)) refer(id, io)
    return JSON.parse(text.replace(REF, (_, id: string) => `"${PREFIX}${nameOf(id, io)}"`))
  }
  const refer = (id: string, io: Direction) => {
    const name = nameOf(id, io)
    const known = used.get(name)
    if (known) {
      const isSame = known.id === id && (known.io === io || !differing.has(id))
      return assert(isSame, `two schemas are named ${name}: rename an export`)
    }
    const component = { id, io, schema: {} }
    used.set(name, component)
    component.schema = resolve(texts[io].get(id) as string, io)
  }
  const json = (schema: z.ZodType, io: Direction): string => {
    const schemaAlone = own(z.toJSONSchema(schema, { io, metadata: names, unrepresentable: 'any' }))
    return JSON.stringify(schemaAlone).replaceAll('"#/$defs/', `"${PREFIX}`)
  }
  const schemaOf = (schema: z.ZodType, io: Direction): Schema => resolve(json(schema, io), io)

  return {
    schemaOf,
    fieldsOf(schema) {
      if (!schema) return {}
      const id = names.get(schema)?.id
      return id === undefined ? schemaOf(schema, 'input') : resolve(texts.input.get(id) as string, 'input')
    },
    components: () =>
      Object.fromEntries(
        [...used]
          .toSorted(([a], [b]) => a.localeCompare(b, 'en'))
          .map(([name, { schema }]) => [name, schema]),
      ),
  }
}
