import { createContext } from '../context.ts'
import { createLog } from '../log.ts'
import { runCommand, say } from './command.ts'

const marks = { fine: 'fine', look: 'LOOK', bad: 'BAD ' } as const

await runCommand('doctor', async ({ config, connected }) => {
  const context = await createContext(config, connected.db, createLog('silent'))
  try {
    const findings = await context.doctor.examine('en')
    for (const { state, title, detail, fix } of findings) {
      say(`${marks[state]}  ${title}: ${detail}`)
      if (fix) say(`      ${fix}`)
    }
    const faults = findings.filter(({ state }) => state === 'bad').length
    say(faults === 0 ? 'Nothing is broken.' : `To fix before the sale opens: ${faults}.`)
    return faults === 0 ? 0 : 1
  } finally {
    await context.close()
  }
})
