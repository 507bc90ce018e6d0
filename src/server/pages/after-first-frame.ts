import { createHash } from 'node:crypto'

/**
 * What a public page asks for once its first frame is on the screen, as the browser itself says, so that it takes nothing from what that
 * shows; at once in a tab that nobody sees and in another site's page, below whose end no frame may come. The button that was pressed last
 * before the script came is pressed again once it works; links, menus and forms need no script.
 */
export const AFTER_FIRST_FRAME = [
  'const{content}=document.getElementById("later"),add=()=>document.head.append(content)',
  'let early;document.onclick=({target})=>{early=target.closest("button[type=button]")||early}',
  'content.lastChild.onload=()=>{document.onclick=null;early?.click()}',
  'document.hidden||parent!==window?add():new PerformanceObserver(add).observe({type:"paint",buffered:true})',
].join('\n')

/** For `script-src`: the one inline script of the public pages. */
export const afterFirstFrameHash = `sha256-${createHash('sha256').update(AFTER_FIRST_FRAME).digest('base64')}`

/** The islands' entry and what makes the site one that can be installed. */
export const laterOf = (script: string): string =>
  `<link rel="manifest" href="/manifest.webmanifest"><script type="module" src="${script}" fetchpriority="low"></script>`
