// node test/rules/print.ts [ID …]: prints for each rule of docs/rules.md, or for some, the code that enforces it and the tests that prove it.
import { readRules } from './read.ts'

const chosen = process.argv.slice(2)
for (const { id, says, code, tests } of readRules().rules) {
  if (chosen.length > 0 && !chosen.includes(id)) continue
  console.log(`${id}  ${says}`)
  for (const file of code) console.log(`    code  ${file}`)
  for (const { file, title } of tests) console.log(`    test  ${file}${title && `: ${title}`}`)
}
