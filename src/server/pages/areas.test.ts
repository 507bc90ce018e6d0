import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { password } from '../../../test/support/api.ts'
import { makeOrder, operatorApi, registerBuyer } from '../../../test/support/every-state.ts'
import { startServer } from '../../../test/support/server.ts'
import { sql } from '../database/database.ts'

const server = await startServer({ OPERATOR_LOGIN: 'owner', OPERATOR_PASSWORD: password }, { jobs: false })
afterAll(() => server.close())
const ann = await registerBuyer(server, 'ann@example.org', '<b>Ann</b>')

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { headers, redirect: 'manual' })

/** Sends a form as a browser does before it has a script. */
const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(server.url + path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { origin: server.url, ...headers },
    redirect: 'manual',
  })

const cookieOf = (answer: Response) => (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
const logIn = async () => cookieOf(await post('/login', { email: 'ann@example.org', password }))

test.each([
  ['/login', 'Welcome back', 'name="email"'],
  ['/ru/login', 'С возвращением', 'name="email"'],
  ['/register', 'Create an account', 'name="phone"'],
  ['/operator', 'Operator login', 'name="login"'],
  ['/admin?operator=1', 'Operator login', 'name="login"'],
])('%s stands there before any script, with a form that works', async (path, heading, field) => {
  const body = await (await get(path)).text()
  const drawn = body.slice(body.indexOf('<div id="root"'), body.indexOf('<script type="application/json"'))
  expect(drawn).toContain(heading)
  expect(drawn).toContain(field)
  expect(drawn).toContain('method="post"')
  // Elements that need a script are inert before it runs.
  expect(drawn).not.toMatch(/<button (?!inert)[^>]*type="button"/)
  const scripts = [...body.matchAll(/<script([^>]*)>/g)].map(([, attributes = '']) => attributes)
  // The one that asks for the others.
  expect(scripts.filter((attributes) => attributes === '')).toHaveLength(1)
  for (const attributes of scripts.filter(Boolean))
    expect(attributes).toMatch(/src="\/assets\/|type="application\/json"/)
})

test('a link to login or registration shows the sale where it is shared, a page of somebody’s own shows nothing', async () => {
  for (const [path, locale] of [
    ['/login', 'en'],
    ['/ru/register', 'ru'],
  ]) {
    const body = await (await get(path ?? '')).text()
    expect(body).toContain(`<meta property="og:image" content="${server.url}/og/${locale}.png">`)
    expect(body).toContain(`<meta property="og:url" content="${server.url}${path}">`)
  }
  expect(await (await get('/dashboard', { cookie: await logIn() })).text()).not.toContain('og:')
})

test('a password that is right signs in and leads on, to addresses of this site alone', async () => {
  const answer = await post('/login?next=%2Fdashboard%2Fstatus', { email: 'ann@example.org', password })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/dashboard/status'])
  const elsewhere = await post('/login?next=%2F%2Fevil.example', { email: 'ann@example.org', password })
  expect(elsewhere.headers.get('location')).toBe('/dashboard/buy-token')
  const cookie = cookieOf(answer)
  expect((await get('/dashboard/status', { cookie })).status).toBe(200)
  // A signed-in buyer is forwarded from the login.
  const again = await get('/login?next=%2Fdashboard%2Fdocs', { cookie })
  expect([again.status, again.headers.get('location')]).toEqual([302, '/dashboard/docs'])
})

test('a wrong one is refused on the same page, which keeps the address and no password', async () => {
  const answer = await post('/login', { email: 'ann@example.org', password: 'wrong horse battery' })
  const body = await answer.text()
  expect(answer.status).toBe(401)
  expect(answer.headers.get('set-cookie')).toBeNull()
  expect(body).toContain('Login failed.')
  expect(body).toContain('value="ann@example.org"')
  expect(body).not.toContain('wrong horse')
})

test('a new account is made by its form, in the language of the page', async () => {
  const typed = { name: 'Боб', email: 'bob@example.org', phone: '+37255550000' }
  const refused = await post('/ru/register', { ...typed, password, confirmPassword: `${password}x` })
  expect(refused.status).toBe(422)
  expect(await refused.text()).toContain('Пароли не совпадают')
  const made = await post('/ru/register', { ...typed, password, confirmPassword: password })
  expect([made.status, made.headers.get('location')]).toEqual([303, '/dashboard/buy-token'])
  const page = await (await get('/dashboard/buy-token', { cookie: cookieOf(made) })).text()
  expect(page).toContain('<html lang="ru"')
})

test('an operator signs in by the form', async () => {
  const answer = await post('/operator?next=%2Foperator%2Fdashboard%2Faudit', { login: 'owner', password })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/operator/dashboard/audit'])
  const wrong = await post('/operator', { login: 'owner', password: 'wrong horse battery' })
  expect(wrong.status).toBe(401)
  expect(await wrong.text()).toContain('value="owner"')
})

test('an operator’s page is drawn with its frame, title and language; nobody is led to the login and back', async () => {
  const cookie = cookieOf(await post('/operator', { login: 'owner', password }))
  const answer = await get('/operator/dashboard/transactions', { cookie })
  const body = await answer.text()
  expect(body).toContain('<title>Transactions · iToken</title>')
  expect(body).toContain('Back office')
  expect(body).toContain('{"path":"/operator/session","reply":{')
  expect(body).toMatch(/<link rel="modulepreload" href="\/assets\/OrdersPage-/)
  expect(body).not.toMatch(/<link rel="modulepreload" href="\/assets\/CampaignPage-/)
  const nobody = await get('/operator/dashboard/users/12?tab=a')
  expect([nobody.status, nobody.headers.get('location')]).toEqual([
    302,
    '/admin?operator=1&next=%2Foperator%2Fdashboard%2Fusers%2F12%3Ftab%3Da',
  ])
  expect((await get('/operator/dashboard/no-such-page', { cookie })).status).toBe(404)
  expect((await get('/operator/dashboard/no-such-page')).status).toBe(404)
})

test('a drawn page asks for its scripts after its first frame, by the one inline script that its policy allows', async () => {
  const drawn = await get('/login')
  const body = await drawn.text()
  const [, started = ''] = /<script>([^<]+)<\/script>/.exec(body) ?? []
  const policy = drawn.headers.get('content-security-policy') ?? ''
  expect(policy).toContain(
    `script-src 'self' 'sha256-${createHash('sha256').update(started).digest('base64')}';`,
  )
  const [outside = ''] = body.split('<template id="scripts">')
  expect(outside).not.toContain('/assets/area')
  // This page is empty before the scripts render it.
  expect(await (await get('/forgot-password')).text()).not.toContain('<template')
})

test('where the operators’ area has another address, its login leads there', async () => {
  const elsewhere = await startServer(
    { OPERATOR_LOGIN: 'owner', OPERATOR_PASSWORD: password, OPERATOR_PATH: 'back-office' },
    { jobs: false },
  )
  const send = (path: string, init: RequestInit) =>
    fetch(elsewhere.url + path, { redirect: 'manual', ...init })
  const body = new URLSearchParams({ login: 'owner', password })
  const signedIn = await send('/back-office', { method: 'POST', body, headers: { origin: elsewhere.url } })
  expect(signedIn.headers.get('location')).toBe('/back-office/dashboard/overview')
  const page = await (
    await send('/back-office/dashboard', { headers: { cookie: cookieOf(signedIn) } })
  ).text()
  expect(page).toContain('href="/back-office/dashboard/transactions"')
  expect(page).not.toContain('"/operator/dashboard')
  await elsewhere.close()
})

test.each([
  ['/login', 'iToken | Login'],
  ['/ru/register', 'iToken | Регистрация'],
  ['/operator', 'Operator login · iToken'],
  ['/dashboard/buy-token', 'iToken | Buy Token'],
  ['/dashboard/my-token', 'iToken | iToken Hub'],
])('the title of %s is there before any script', async (path, title) => {
  const cookie = path.startsWith('/dashboard') ? await logIn() : ''
  expect(await (await get(path, { cookie })).text()).toContain(`<title>${title}</title>`)
})

test('the site can be installed by the campaign’s own name', async () => {
  const manifest = await get('/manifest.webmanifest')
  expect(manifest.headers.get('content-type')).toContain('application/manifest+json')
  const { name, start_url: start, icons } = (await manifest.json()) as Record<string, unknown>
  expect([name, start]).toEqual(['iToken', '/dashboard'])
  for (const { src, sizes } of icons as { src: string; sizes: string }[]) {
    const { width, height, format } = await sharp(await (await get(src)).arrayBuffer()).metadata()
    expect([`${width}x${height}`, format]).toEqual([sizes, 'png'])
  }
  // The stored offline page has no campaign and no figure.
  const offline = await (await get('/offline')).text()
  expect(offline).not.toMatch(/iToken|\$/)
})

test('a form of another site is refused, and so is one that does not say where it is from', async () => {
  const typed = { email: 'ann@example.org', password }
  expect((await post('/login', typed, { origin: 'https://evil.example' })).status).toBe(403)
  expect((await post('/login', typed, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  const nameless = await fetch(`${server.url}/login`, { method: 'POST', body: new URLSearchParams(typed) })
  expect(nameless.status).toBe(403)
})

test('a page of the dashboard is drawn with its figures, and nothing in a name is markup', async () => {
  const cookie = await logIn()
  const body = await (await get('/dashboard', { cookie })).text()
  expect(body).toContain('Dashboard Overview')
  expect(body).toContain('&lt;b&gt;Ann')
  expect(body).not.toContain('<b>Ann')
  expect(body).toContain('id="known">{"reads":[{"path":"/session","reply":{')
  const buying = await (await get('/dashboard/buy-token', { cookie })).text()
  expect(buying).toContain('Bitcoin')
  // The browser fetches it without waiting for the scripts.
  expect(buying).toMatch(/<img src="\/crypto\/btc\.svg"[^>]* fetchPriority="low"/i)
})

/** The server's rendering of a buyer's page. */
const drawnOf = async (path: string, cookie: string) => {
  const body = await (await get(path, { cookie })).text()
  return body.slice(body.indexOf('<main'), body.indexOf('</main>'))
}

test.each([
  ['/dashboard', 'Tokensale Progress'],
  ['/dashboard/buy-token', 'Bitcoin'],
  ['/dashboard/status', 'All levels'],
  ['/dashboard/my-token', 'No transactions'],
  ['/dashboard/leaderboard', 'The board is empty so far'],
  ['/dashboard/profile', 'Change the password'],
  ['/dashboard/docs', 'Documents'],
  ['/dashboard/how-to-buy', 'From a wallet app'],
  ['/dashboard/withdrawal/binance', 'BEP20'],
  ['/dashboard/giveaway', 'None is published'],
  ['/dashboard/transaction', 'Order number is missing'],
])('%s stands there before any script, whole', async (path, words) => {
  const drawn = await drawnOf(path, await logIn())
  expect(drawn).toContain(words)
  // Only the browser knows its own notifications.
  expect(drawn.match(/animate-skeleton/g) ?? []).toHaveLength(path.endsWith('/profile') ? 1 : 0)
})

test('a form that needs a script can neither be filled in nor sent before the script is there', async () => {
  const cookie = await logIn()
  const profile = await drawnOf('/dashboard/profile', cookie)
  expect(profile.match(/<form /g)?.length).toBeGreaterThan(2)
  expect(profile).not.toMatch(/<form (?!inert)/)
  // Which only the browser can tell: what most of them show is drawn.
  expect(profile).toContain('A passkey logs in without the password')
  expect(profile).not.toContain('This browser knows no passkeys')
  expect(profile).not.toMatch(/<select (?!inert)/)
  // The amount to buy is meant to stand in the address.
  expect(await drawnOf('/dashboard/buy-token', cookie)).toMatch(/<form (?!inert)[^>]*method="get"/)
})

test('without a session the dashboard leads to the login and back; a page that is none says so', async () => {
  const answer = await get('/dashboard/transaction?order=a%20b')
  expect([answer.status, answer.headers.get('location')]).toEqual([
    302,
    '/login?next=%2Fdashboard%2Ftransaction%3Forder%3Da%2520b',
  ])
  const missing = await get('/dashboard/no-such-page')
  expect(missing.status).toBe(404)
  expect(await missing.text()).toContain('Page not found')
})

test('the source of this copy is linked at the foot of every page of the areas once an operator has named it', async () => {
  const cookie = await logIn()
  const asks = [
    ['/login', 'Source code of this site'],
    ['/ru/register', 'Исходный код этого сайта'],
    ['/es/forgot-password', 'Código fuente de este sitio'],
    ['/dashboard', 'Source code of this site'],
    ['/admin?operator=1', 'Source code of this site'],
  ] as const
  const footOf = async (path: string) => {
    // The login forwards a signed-in buyer.
    const body = await (await get(path, path === '/dashboard' ? { cookie } : {})).text()
    return /<footer[^>]*>(<a href="[^"]*" target.*?)<\/footer>/.exec(body)?.[1]
  }
  for (const [path] of asks) expect(await footOf(path)).toBeUndefined()
  const name = (sourceUrl: string | null) =>
    server.database.db.query(
      sql`update campaign set settings = settings || ${JSON.stringify({ sourceUrl, languages: ['en', 'ru', 'es'] })}::jsonb`,
    )
  await name('https://code.example.org/presale?a="&b=1')
  await server.context.campaign.refresh()
  for (const [path, words] of asks) {
    const foot = await footOf(path)
    expect(foot, path).toContain('href="https://code.example.org/presale?a=&quot;&amp;b=1"')
    expect(foot, path).toContain(words)
  }
  await name(null)
  await server.context.campaign.refresh()
})

test('every page of the dashboard names the seller, and an order’s page the mail that asks about it', async () => {
  const cookie = await logIn()
  const seller = JSON.stringify({
    seller: { name: 'Example Ltd', address: '1 Example Street', contact: 'help@example.org' },
  })
  await server.database.db.query(sql`update campaign set settings = settings || ${seller}::jsonb`)
  await server.context.campaign.refresh()
  const { token, number } = await makeOrder(ann)
  const page = `/dashboard/transaction?order=${token}`
  for (const path of ['/dashboard', '/dashboard/profile', '/dashboard/how-to-buy', page]) {
    const body = await (await get(path, { cookie })).text()
    const foot = /<section lang.*?<\/section>/s.exec(body)?.[0] ?? ''
    for (const said of [
      'Sold by Example Ltd.',
      'href="mailto:help@example.org"',
      'href="/terms"',
      'href="/risks"',
      'href="/updates"',
    ])
      expect(foot, path).toContain(said)
  }
  const asks = `href="mailto:help@example.org?subject=Order%20%23${number}"`
  expect(await drawnOf(page, cookie)).toContain(asks)
  const owner = await operatorApi(server, 'owner')
  await owner('POST', `/operator/orders/${number}/reject`, { reason: 'nothing came' })
  const rejected = await drawnOf(page, cookie)
  expect(rejected).toContain('An operator rejected this order.')
  expect(rejected).toContain(asks)
})

test('an approved order tells its buyer to name a wallet once the network of the delivery is chosen', async () => {
  const cookie = await logIn()
  const { token, number } = await makeOrder(ann)
  const owner = await operatorApi(server, 'owner')
  await owner('POST', `/operator/orders/${number}/approve`, { reason: 'paid' })
  const path = `/dashboard/transaction?order=${token}`
  const drawn = await drawnOf(path, cookie)
  expect(drawn).toContain('An operator confirmed the payment by hand, and the tokens are yours.')
  expect(drawn).toContain('Next: name the wallet that the tokens are delivered to.')
  expect(drawn).not.toContain('Nothing is left to do')
  await server.database.db.query(
    sql`update campaign set settings = jsonb_set(settings, '{delivery,chain}', 'null')`,
  )
  const without = await drawnOf(path, cookie)
  expect(without).toContain('The receipt is below.')
  expect(without).not.toContain('name the wallet')
})
