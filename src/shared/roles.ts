/** An operator's roles. `owner` may do everything (docs/rules.md, “Who may do what”). */
export const roles = ['owner', 'finance', 'content', 'support'] as const
export type Role = (typeof roles)[number]

// Rules: RIGHT-1
/** The roles that have each right, for the server's guard and the interface's disabled buttons. */
export const rolesByRight = {
  'users:read': ['owner', 'finance', 'support'],
  'orders:read': ['owner', 'finance', 'support'],
  'ledger:read': ['owner', 'finance', 'support'],
  'notes:write': ['owner', 'finance', 'support'],
  'orders:decide': ['owner', 'finance'],
  'grants:write': ['owner', 'finance'],
  'refunds:write': ['owner', 'finance'],
  'delivery:write': ['owner', 'finance'],
  'currencies:write': ['owner', 'finance'],
  'campaign:write': ['owner'],
  'content:write': ['owner', 'content'],
  'analytics:write': ['owner', 'content'],
  'webhooks:write': ['owner'],
  'api-keys:write': ['owner'],
  'operators:write': ['owner'],
  'settings:write': ['owner'],
  /** Events of webhooks: orders, grants, payments and refunds, without names or addresses. */
  'events:read': ['owner', 'finance'],
  /** Finance sees its own entries and those about money; the whole log needs `audit:read-all`. */
  'audit:read': ['owner', 'finance'],
  'audit:read-all': ['owner'],
} as const satisfies Record<string, readonly Role[]>

export type Right = keyof typeof rolesByRight
export const rights = Object.keys(rolesByRight) as [Right, ...Right[]]

export function can(role: Role, right: Right): boolean {
  return (rolesByRight[right] as readonly Role[]).includes(role)
}

/** The roles to name in “Not for your role”. */
export function rolesThatCan(right: Right): readonly Role[] {
  return rolesByRight[right]
}
