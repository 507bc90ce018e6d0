/*
 * A buy button for the seller's own site:
 *   <script src="https://sale.example/buy-button.js" data-amount="200" data-currency="BTC" data-language="en" async></script>
 * Every attribute may be left out. The button stands where the script stands, leads to the sale's own page in a tab of its own, and keeps
 * nothing: no cookie, no storage, no frame. What it says is read from the sale: where nothing can be bought, it says that.
 */
;(() => {
  // The build puts the texts of `locales/` that this file names here, by language.
  const textsIn = JSON.parse('{}')

  /** Spaces between thousands and small letters are understood; what is not is said to whoever wrote the page. */
  const wishesOf = ({ amount, currency, language = document.documentElement.lang }) => {
    const tokens = amount?.replaceAll(/\s/g, '')
    const isAmount = /^\d{1,18}(\.\d{1,6})?$/.test(tokens ?? '')
    if (tokens && !isAmount)
      console.warn(`buy-button.js: data-amount="${amount}" is no number like 1200.5 and is left out.`)
    const asked = language.trim().toLowerCase()
    const lang = Object.keys(textsIn).find((code) => asked.startsWith(code)) ?? 'en'
    return { amount: isAmount ? tokens : undefined, currency: currency?.trim().toUpperCase(), lang }
  }

  const mount = (script) => {
    const { amount, currency, lang } = wishesOf(script.dataset)
    const texts = textsIn[lang]
    const sale = new URL(script.src).origin

    const link = document.createElement('a')
    link.className = 'presale-buy-button'
    link.lang = lang
    link.target = '_blank'
    link.rel = 'noopener'
    link.href = `${sale}/`
    // A style that a page of any policy may set; the page's own sheet changes it by the class and !important.
    Object.assign(link.style, {
      display: 'inline-block',
      padding: '12px 20px',
      borderRadius: '6px',
      background: '#0c271e',
      color: '#f8f6ec',
      font: '600 16px/1.25 system-ui, sans-serif',
      textDecoration: 'none',
    })
    link.textContent = new URL(sale).host
    // What stands in a head is not seen: then it comes last in the body.
    const append = () => document.body.append(link)
    if (!script.closest('head')) script.after(link)
    else if (document.readyState === 'loading') addEventListener('DOMContentLoaded', append)
    else append()

    const show = ({ settings, stage, pausedAt, demo }) => {
      // The sale may come in other languages than its seller's own page.
      if (lang !== 'en' && settings.languages.some((code) => code === lang))
        link.href = new URL(`/${lang}`, sale).href
      const mark = demo ? ` (${texts['embed.demo']})` : ''
      if (pausedAt || stage?.state !== 'open') {
        link.textContent = `${settings.name}: ${pausedAt ? texts['embed.paused'] : texts['embed.closed']}${mark}`
        return
      }
      const page = new URL('/dashboard/buy-token', sale)
      if (currency) page.searchParams.set('currency', currency)
      if (amount) {
        page.searchParams.set('amount', amount)
        page.searchParams.set('unit', 'token')
      }
      link.href = page.href
      const number = amount
        ? `${new Intl.NumberFormat(link.lang, { maximumFractionDigits: 6 }).format(amount)} `
        : ''
      link.textContent = `${texts['embed.buy']} ${number}${settings.symbol}${mark}`
    }
    // Without an answer the link leads to the sale, which says the rest.
    fetch(new URL('/api/v1/campaign', sale), { credentials: 'omit' })
      .then((response) =>
        response.ok ? response.json() : Promise.reject(new Error(String(response.status))),
      )
      .then(show)
      .catch(() => undefined)
  }

  // A module is run once and not told for which of the page's scripts: for each that names it.
  const scripts = document.currentScript
    ? [document.currentScript]
    : [...document.scripts].filter(
        ({ type, src }) => type === 'module' && src && new URL(src).pathname === '/buy-button.js',
      )
  for (const script of scripts) mount(script)
})()
