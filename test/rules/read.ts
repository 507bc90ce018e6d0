import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A rule of docs/rules.md, with the files that name its id. */
export interface Rule {
  readonly id: string
  readonly says: string
  readonly code: readonly string[]
  /** The title is empty if the whole file is about the rule. */
  readonly tests: readonly { readonly file: string; readonly title: string }[]
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const ID = '[A-Z]+-\\d+'
const IDS = `${ID}(?:, ${ID})*`
const isTest = (file: string) => /\.test\.tsx?$/.test(file)

/** `unknown` holds ids without a rule. */
export function readRules(): { rules: Rule[]; unknown: string[] } {
  const text = readFileSync(join(root, 'docs/rules.md'), 'utf8')
  const heads = [...text.matchAll(new RegExp(`^(?:- )?\`(${ID})\` (.+)$`, 'gm'))]
  const mentions = sources().flatMap(mentionsIn)
  const known = new Set(heads.map(([, id]) => id))
  return {
    rules: heads.map(([, id = '', says = '']) => {
      const own = mentions.filter((mention) => mention.ids.includes(id))
      return {
        id,
        says: says.replaceAll('**', ''),
        code: [...new Set(own.filter(({ file }) => !isTest(file)).map(({ file }) => file))],
        tests: own.filter(({ file }) => isTest(file)),
      }
    }),
    unknown: mentions.flatMap(({ file, ids }) =>
      ids.filter((id) => !known.has(id)).map((id) => `${file}: ${id}`),
    ),
  }
}

function sources(): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 50_000_000,
  })
  return listed.split('\n').filter((file) => /\.(tsx?|sql|mjs)$/.test(file) && existsSync(join(root, file)))
}

/** Ids in comments (`// Rules: NUM-1`) and at the end of test titles (`rounds half up [NUM-1]`). */
function mentionsIn(file: string) {
  const text = readFileSync(join(root, file), 'utf8')
  const comments = [...text.matchAll(new RegExp(`^ *(?://|--) Rules: (${IDS})$`, 'gm'))]
  const titles = isTest(file) ? [...text.matchAll(new RegExp(`(['"\`])(.*) \\[(${IDS})\\]\\1`, 'g'))] : []
  return [
    ...comments.map(([, ids = '']) => ({ file, title: '', ids: ids.split(', ') })),
    ...titles.map(([, , title = '', ids = '']) => ({ file, title, ids: ids.split(', ') })),
  ]
}
