import { createHash } from 'node:crypto'
import { say } from '../texts.ts'
import type { Language } from './area-build.ts'

/** After so long a page says that its scripts are late. */
const LATE_MS = 8_000
/** After so long without an answer a form may be sent again: the reader may have stopped it. */
const UNANSWERED_MS = 15_000
/** So long ago a button may have been pressed, for the press to be made up for. */
const PRESSED_MS = 10_000

/**
 * What a document of an area does until its scripts are there.
 * - It asks for the scripts of a drawn page once its first frame is made, so that they take nothing from what that shows; at once in a
 *   tab that nobody sees, which makes no frames.
 * - A form that the browser is sending is not sent again by a second press, which would take the answer of the first one away, unless
 *   something else was typed. Nor do the scripts take the page over meanwhile, or while a word is being composed
 *   (`src/client/area/take-over.ts`).
 * - It marks which inert buttons were pressed, and in which order: the scripts make up for it. An inert button hears of no press,
 *   so it is asked which one lies there.
 * - It sends no form without a network: the browser's own page about that would take what was typed away.
 * - It says that the scripts are late, or did not come at all.
 */
const UNTIL_SCRIPTS = [
  "const root=document.getElementById('root'),scripts=document.getElementById('scripts'),[late,offline]=document.getElementById('late').children",
  'const add=()=>document.head.append(scripts.content)',
  'if(scripts)document.hidden?add():requestAnimationFrame(()=>setTimeout(add))',
  'const say=()=>{late.hidden=false}',
  `setTimeout(say,${LATE_MS})`,
  "addEventListener('error',({target})=>{if(target===window||target.localName==='script')say()},true)",
  "addEventListener('unhandledrejection',say)",
  "addEventListener('submit',(event)=>{",
  'const form=event.target',
  'if(event.defaultPrevented||!root.contains(form))return',
  'if(!navigator.onLine)offline.hidden=false',
  "if(!navigator.onLine||form.hasAttribute('aria-busy'))return event.preventDefault()",
  "form.setAttribute('aria-busy','true')",
  "const free=()=>form.removeAttribute('aria-busy')",
  `setTimeout(free,${UNANSWERED_MS})`,
  "form.addEventListener('input',free,{once:true})",
  "addEventListener('pageshow',({persisted})=>{if(persisted)free()})",
  '})',
  "addEventListener('online',()=>{offline.hidden=true})",
  'let presses=0',
  "root.addEventListener('click',({clientX,clientY,detail})=>{",
  // A key's has no place.
  'if(detail===0)return',
  "const inert=[...root.querySelectorAll('button[inert]')]",
  'const lift=(lifted)=>{for(const button of inert)button.inert=!lifted}',
  'lift(true)',
  "const button=document.elementFromPoint(clientX,clientY)?.closest('button')",
  'lift(false)',
  "if(!inert.includes(button)||'pressed' in button.dataset)return",
  'button.dataset.pressed=++presses',
  `setTimeout(()=>{delete button.dataset.pressed},${PRESSED_MS})`,
  '})',
  "for(const end of [false,true])root.addEventListener(end?'compositionend':'compositionstart',({target})=>target.toggleAttribute('data-composing',!end))",
].join('\n')

/** For `script-src`: the one inline script. */
export const untilScriptsHash = `sha256-${createHash('sha256').update(UNTIL_SCRIPTS).digest('base64')}`

/** Said where scripts are switched off. */
export const needsScripts = (language: Language): string => say(language, 'area.needs-scripts')

/** Stands at the end of a document of an area. */
export function untilScripts(language: Language): string {
  const late = `${say(language, 'area.late')} <a href="">${say(language, 'area.reload')}</a>`
  return `<div id="late" role="status"><p hidden>${late}</p><p hidden>${say(language, 'area.offline')}</p></div><script>${UNTIL_SCRIPTS}</script>`
}
