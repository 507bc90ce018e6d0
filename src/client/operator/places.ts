/** First segment of the operator area's address; the server writes the setting into the page. */
const segment = document.querySelector<HTMLMetaElement>('meta[name="operator-path"]')?.content || 'operator'

const root = `/${segment}`
const area = `${root}/dashboard`

/** Every address of the operator area, said once. */
export const places = {
  login: root,
  /** Where a missing or ended session goes; shows the login form instead of the joke. */
  refused: '/admin?operator=1',
  area,
  crypto: area,
  overview: `${area}/overview`,
  users: `${area}/users`,
  user: (id: number | string) => `${area}/users/${id}`,
  orders: `${area}/transactions`,
  order: (id: number | string) => `${area}/transactions/${id}`,
  approved: `${area}/approved-transactions`,
  payments: `${area}/payments`,
  approvals: `${area}/approvals`,
  price: `${area}/change-main-currency`,
  password: `${area}/change-password`,
  pixels: `${area}/pixels`,
  campaign: `${area}/campaign`,
  content: `${area}/content`,
  operators: `${area}/operators`,
  audit: `${area}/audit`,
  integrations: `${area}/integrations`,
  account: `${area}/account`,
} as const

/** A path inside the operator area to come back to after a login, or the area's first page. */
export function ownPlace(candidate: string | null): string {
  return candidate && /^\/[\w./?=&%~+-]*$/.test(candidate) && candidate.startsWith(`${area}`)
    ? candidate
    : area
}
