import { createHash } from 'node:crypto'

/**
 * Loads a public page's rest after its first frame, so that it does not delay it. At once in a hidden tab and
 * in another site's frame, which may get no frame. The last button pressed before is pressed again once it
 * works; links, menus and forms need no script.
 */
export const AFTER_FIRST_FRAME = [
  'const{content}=document.getElementById("later"),add=()=>document.head.append(content)',
  'let early;document.onclick=({target})=>{early=target.closest("button[type=button]")||early}',
  'content.lastChild.onload=()=>{document.onclick=null;early?.click()}',
  'document.hidden||parent!==window?add():new PerformanceObserver(add).observe({type:"paint",buffered:true})',
].join('\n')

/** For `script-src`: the public pages' one inline script. */
export const afterFirstFrameHash = `sha256-${createHash('sha256').update(AFTER_FIRST_FRAME).digest('base64')}`

/** The islands' entry and the web app manifest. */
export const laterOf = (script: string): string =>
  `<link rel="manifest" href="/manifest.webmanifest"><script type="module" src="${script}" fetchpriority="low"></script>`
