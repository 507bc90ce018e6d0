import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const folder = new URL('./', import.meta.url).pathname
const physical =
  /(?<![\w.-])-?(?:m[lr]|p[lr]|left|right|border-[lr]|rounded-[lr]|rounded-[tb][lr]|scroll-[mp][lr]|text-(?:left|right)|float-(?:left|right))(?:-[\d[a-z]|(?=[\s'"`]))/

const sources = globSync('**/*.{ts,tsx}', { cwd: folder }).filter((name) => !name.includes('.test.'))
const styled = (line: string) => /class(?:Name)?=|'[^']*\b(?:mt|px|py|text|flex|border)-[^']*'/.test(line)

// Some of these pages are read from right to left.
test('no style of a public page names left or right', () => {
  expect(sources.length).toBeGreaterThan(30)
  const found = sources.flatMap((name) =>
    readFileSync(folder + name, 'utf8')
      .split('\n')
      .flatMap((line, index) => (styled(line) && physical.test(line) ? [`${name}:${index + 1}`] : [])),
  )
  expect(
    found,
    'Write ms-, me-, ps-, pe-, start-, end-, border-s, border-e, text-start or text-end.',
  ).toEqual([])
})

test('and a style that does is found', () => {
  for (const line of [
    'className="mt-3 ml-4"',
    "element('td', 'py-1 text-right')",
    'className="border-l-4 px-2"',
  ])
    expect(styled(line) && physical.test(line)).toBe(true)
  expect(physical.test('className="ms-4 text-start leading-4 border-line"')).toBe(false)
})
