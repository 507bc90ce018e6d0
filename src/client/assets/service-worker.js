// Keeps one page, which says that there is no network. Everything else comes from the server or not at all: an old price,
// balance or order that looks like one of now would be untrue.
const kept = 'offline-1'
const pages = { en: '/offline', ru: '/ru/offline' }

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
  const isRussian = new URL(url).pathname.startsWith('/ru') || self.navigator.language.startsWith('ru')
  event.respondWith(fetch(event.request).catch(() => caches.match(isRussian ? pages.ru : pages.en)))
})
