import { expect, test } from 'vitest'
import { can, type Right, rights, roles, rolesThatCan } from './roles.ts'

/** The table of the specification, column by column. */
const spec: Record<string, Right[]> = {
  finance: [
    'users:read',
    'orders:read',
    'ledger:read',
    'notes:write',
    'orders:decide',
    'grants:write',
    'refunds:write',
    'delivery:write',
    'currencies:write',
    'events:read',
    'audit:read',
  ],
  content: ['content:write', 'analytics:write'],
  support: ['users:read', 'orders:read', 'ledger:read', 'notes:write'],
  owner: [...rights],
}

test.each(roles)('%s may what the table says and nothing else [RIGHT-1]', (role) => {
  expect(rights.filter((right) => can(role, right)).toSorted()).toEqual(spec[role]?.toSorted())
})

test('who could do it instead is known', () => {
  expect(rolesThatCan('orders:decide')).toEqual(['owner', 'finance'])
})
