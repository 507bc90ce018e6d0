import { createHash } from 'node:crypto'

/**
 * Loads the rest of a public page after its first frame; at once in a hidden tab or another site's frame,
 * which may get no frame. Repeats the last early press of a button once it works; links, menus and forms need
 * no script.
 */
export const AFTER_FIRST_FRAME = [
  'const{content}=document.getElementById("later"),add=()=>document.head.append(content)',
  'let early;document.onclick=({target})=>{early=target.closest("button[type=button]")||early}',
  'content.lastChild.onload=()=>{document.onclick=null;early?.click()}',
  'document.hidden||parent!==window?add():new PerformanceObserver(add).observe({type:"paint",buffered:true})',
].join('\n')

/** For `script-src`. */
export const afterFirstFrameHash = `sha256-${createHash('sha256').update(AFTER_FIRST_FRAME).digest('base64')}`

/** The islands' entry and the manifest. */
export const laterOf = (script: string): string =>
  `<link rel="manifest" href="/manifest.webmanifest"><script type="module" src="${script}" fetchpriority="low"></script>`
