// node test/rules/print.ts [ID …]: Prints the code and the tests of rules of docs/rules.md.
import { readRules } from './read.ts'

const chosen = process.argv.slice(2)
for (const { id, says, code, tests } of readRules().rules) {
  if (chosen.length > 0 && !chosen.includes(id)) continue
  console.log(`${id}  ${says}`)
  for (const file of code) console.log(`    code  ${file}`)
  for (const { file, title } of tests) console.log(`    test  ${file}${title && `: ${title}`}`)
}
