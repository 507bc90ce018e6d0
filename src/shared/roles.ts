/** `owner` may do everything (docs/rules.md, “Who may do what”). */
export const roles = ['owner', 'finance', 'content', 'support'] as const
export type Role = (typeof roles)[number]

// Rules: RIGHT-1
/** The server's guard and the interface use this table. */
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
  /** Webhook events, without names or addresses. */
  'events:read': ['owner', 'finance'],
  /** Finance sees its own entries and those about money. */
  'audit:read': ['owner', 'finance'],
  'audit:read-all': ['owner'],
} as const satisfies Record<string, readonly Role[]>

export type Right = keyof typeof rolesByRight
export const rights = Object.keys(rolesByRight) as [Right, ...Right[]]

export function can(role: Role, right: Right): boolean {
  return (rolesByRight[right] as readonly Role[]).includes(role)
}

/** Roles to name in “Not for your role”. */
export function rolesThatCan(right: Right): readonly Role[] {
  return rolesByRight[right]
}
