// Keeps one page, which says that there is no network. Everything else comes from the server or not at all: an old price,
// balance or order that looks like one of now would be untrue.
const kept = 'offline-2'
// The build puts the page of each language here.
const pages = JSON.parse('{}')

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(kept).then((cache) => cache.addAll(Object.values(pages))))
})

self.addEventListener('activate', (event) => {
  const others = (names) => names.filter((name) => name !== kept)
  event.waitUntil(
    caches.keys().then((names) => Promise.all(others(names).map((name) => caches.delete(name)))),
  )
})

self.addEventListener('fetch', (event) => {
  const { mode, method, url } = event.request
  if (mode !== 'navigate' || method !== 'GET') return
  const [, ofPath] = new URL(url).pathname.split('/')
  const page = pages[ofPath] ?? pages[self.navigator.language.split('-')[0]] ?? pages.en
  event.respondWith(fetch(event.request).catch(() => caches.match(page)))
})

// A notice that the server sent to this browser alone (src/server/push).
self.addEventListener('push', (event) => {
  const { title, body, lang, tag, path, order, confirms } = event.data.json()
  const shown = self.registration.showNotification(title, {
    body,
    lang,
    tag,
    icon: '/app-icon/192.png',
    data: { path, order },
  })
  event.waitUntil(Promise.all([shown, confirms && confirm(confirms)]))
})

// The server sends further notices once it knows that this browser got the first one.
async function confirm(confirms) {
  await fetch('/api/v1/push-confirmations', {
    method: 'POST',
    credentials: 'omit',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(confirms),
  })
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openPage(event.notification.data))
})

async function openPage({ path, order }) {
  const page = new URL((order && (await pathOfOrder(order))) || path, self.location.origin)
  if (page.origin !== self.location.origin) return
  const shown = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const same = shown.find(({ url }) => url === page.href)
  await (same ? same.focus() : self.clients.openWindow(page.href))
}

// A notice holds an order's number; what opens its page is known only to whoever is signed in.
async function pathOfOrder(order) {
  try {
    const { items } = await (await fetch('/api/v1/orders?limit=100')).json()
    const { token } = items.find(({ number }) => String(number) === order)
    return `/dashboard/transaction?order=${encodeURIComponent(token)}`
  } catch {
    return undefined
  }
}
