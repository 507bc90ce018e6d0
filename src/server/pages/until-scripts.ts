import { createHash } from 'node:crypto'
import { say } from '../texts.ts'
import type { Language } from './area-build.ts'

/** After this time a page says that its scripts are late. */
const LATE_MS = 8_000
/** After this time a form may be sent again: the reader may have stopped it. */
const UNANSWERED_MS = 15_000
/** Maximum age of a press to repeat. */
const PRESSED_MS = 10_000

/**
 * An area document's behaviour until its scripts run.
 * - Loads a rendered page's scripts after the first frame; at once in a hidden tab, which gets no frames.
 * - Blocks a second submission of an unchanged form, which would discard the first answer. The takeover waits
 * for it and for text composition (`src/client/area/take-over.ts`).
 * - Marks pressed inert buttons in order, for the scripts to repeat. Inert elements get no events, so it
 * finds them by coordinates.
 * - Sends no form offline: the browser's error page would discard the input.
 * - Says that the scripts are late or missing.
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
  // A keyboard press has no coordinates.
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

/** For `script-src`. */
export const untilScriptsHash = `sha256-${createHash('sha256').update(UNTIL_SCRIPTS).digest('base64')}`

export const needsScripts = (language: Language): string => say(language, 'area.needs-scripts')

export function untilScripts(language: Language): string {
  const late = `${say(language, 'area.late')} <a href="">${say(language, 'area.reload')}</a>`
  return `<div id="late" role="status"><p hidden>${late}</p><p hidden>${say(language, 'area.offline')}</p></div><script>${UNTIL_SCRIPTS}</script>`
}
