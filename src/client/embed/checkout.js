/*
 * The checkout of a sale in a page of the seller's own site:
 *   <script src="https://sale.example/checkout.js" data-amount="200" data-currency="BTC" data-language="en" data-theme="light" async></script>
 * Every attribute may be left out; data-inline puts it where the script stands instead of a button that opens it in a dialog.
 * It keeps nothing: no cookie, no storage. The page hears of orders that their buyers let it know of:
 *   addEventListener('presale-order', ({ detail }) => console.log(detail.number, detail.status, detail.tokens))
 */
;(() => {
  // The build puts the texts of `locales/` that this file names here, by language.
  const textsIn = JSON.parse('{}')

  /** Spaces between thousands and small letters are understood; what is not is said to whoever wrote the page. */
  const wishesOf = ({ amount, currency, language = document.documentElement.lang }) => {
    const tokens = amount?.replaceAll(/\s/g, '')
    const isAmount = /^\d{1,18}(\.\d{1,6})?$/.test(tokens ?? '')
    if (tokens && !isAmount)
      console.warn(`checkout.js: data-amount="${amount}" is no number like 1200.5 and is left out.`)
    const asked = language.trim().toLowerCase()
    const lang = Object.keys(textsIn).find((code) => asked.startsWith(code)) ?? 'en'
    return { amount: isAmount ? tokens : undefined, currency: currency?.trim().toUpperCase(), lang }
  }

  const make = (tag, properties, style) => {
    const element = Object.assign(document.createElement(tag), properties)
    // Set one by one, which a page of any policy allows.
    Object.assign(element.style, style)
    return element
  }

  const mount = (script) => {
    const { amount, currency, lang } = wishesOf(script.dataset)
    const { theme } = script.dataset
    const texts = textsIn[lang]
    const sale = new URL(script.src).origin
    const page = new URL(lang === 'en' ? '/checkout' : `/${lang}/checkout`, sale)
    for (const [name, value] of Object.entries({ amount, currency, theme }))
      if (value) page.searchParams.set(name, value)

    /** Where the same is bought on the site itself. */
    const purchase = new URL(amount || currency ? '/dashboard/buy-token' : '/', sale)
    for (const [name, value] of Object.entries({ currency, unit: amount && 'token', amount }))
      if (value) purchase.searchParams.set(name, value)

    // Each checkout of a page keeps a key of its own.
    const before = [...document.scripts].filter(({ src }) => src === script.src).indexOf(script)

    /** What stands in a head is not seen: then it comes last in the body. */
    const put = (...elements) => {
      if (!script.closest('head')) return script.after(...elements)
      if (document.readyState !== 'loading') return document.body.append(...elements)
      addEventListener('DOMContentLoaded', () => document.body.append(...elements))
    }

    /** The frame; where the site does not let this page show it, a link to the site. */
    const show = () => {
      const box = make('div', { className: 'presale-checkout', lang })
      const frame = make(
        'iframe',
        {
          title: texts['embed.checkout'],
          src: page.href,
          referrerPolicy: 'no-referrer',
          name: before > 0 ? `presale-${before}` : '',
        },
        { display: 'block', width: '100%', height: '560px', border: '0' },
      )
      // It may open a tab and never lead this page elsewhere.
      frame.sandbox.add(
        'allow-scripts',
        'allow-same-origin',
        'allow-popups',
        'allow-popups-to-escape-sandbox',
      )
      let isThere = false
      addEventListener('message', ({ source, origin, data }) => {
        if (origin !== sale || source !== frame.contentWindow) return
        if (data?.presale === 'ready') {
          isThere = true
          frame.contentWindow.postMessage({ presale: 'hello' }, sale)
        }
        if (data?.presale === 'height' && data.height > 0) frame.style.height = `${Math.ceil(data.height)}px`
        if (data?.presale === 'order')
          script.dispatchEvent(new CustomEvent('presale-order', { detail: data.order, bubbles: true }))
      })
      frame.addEventListener('load', () => {
        setTimeout(() => {
          if (isThere) return
          const link = { href: purchase.href, target: '_blank', rel: 'noopener' }
          box.replaceChildren(
            make('a', { ...link, textContent: texts['embed.open'].replace('{host}', new URL(sale).host) }),
          )
        }, 10_000)
      })
      box.append(frame)
      return box
    }

    if ('inline' in script.dataset) {
      put(show())
      return
    }
    const dialog = make(
      'dialog',
      { className: 'presale-dialog', ariaLabel: texts['embed.checkout'] },
      {
        width: '480px',
        maxWidth: '96vw',
        maxHeight: '96vh',
        padding: '0',
        border: '0',
        borderRadius: '10px',
      },
    )
    const close = make(
      'button',
      { type: 'button', textContent: '×', ariaLabel: texts['embed.close'] },
      {
        display: 'block',
        width: '44px',
        height: '44px',
        marginLeft: 'auto',
        border: '0',
        background: 'none',
        font: '24px/1 sans-serif',
      },
    )
    close.addEventListener('click', () => dialog.close())
    dialog.append(close)
    const button = make(
      'button',
      { type: 'button', className: 'presale-checkout-button', textContent: texts['embed.buy'] },
      {
        padding: '12px 20px',
        border: '0',
        borderRadius: '6px',
        background: '#0c271e',
        color: '#f8f6ec',
        font: '600 16px/1.25 system-ui, sans-serif',
        cursor: 'pointer',
      },
    )
    button.addEventListener('click', () => {
      if (dialog.childElementCount < 2) dialog.append(show())
      dialog.showModal()
    })
    put(button, dialog)
  }

  // A module is run once and not told for which of the page's scripts: for each that names it.
  const scripts = document.currentScript
    ? [document.currentScript]
    : [...document.scripts].filter(
        ({ type, src }) => type === 'module' && src && new URL(src).pathname === '/checkout.js',
      )
  for (const script of scripts) mount(script)
})()
