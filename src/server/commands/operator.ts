import { parseArgs } from 'node:util'
import { operatorLogin } from '../../shared/api/operators-inputs.ts'
import { type Role, roles } from '../../shared/roles.ts'
import { commandLine } from '../command-line.ts'
import { createContext } from '../context.ts'
import { createLog } from '../log.ts'
import { StartError } from '../start-error.ts'
import { system } from '../unit-of-work/unit-of-work.ts'
import { runCommand, say } from './command.ts'

const USAGE = commandLine('operator', `add LOGIN --role ${roles.join('|')} [--email ADDRESS]`)

interface Invitation {
  login: string
  role: Role
  email: string | undefined
}

function readInvitation(args: string[]): Invitation {
  const { positionals, values } = parse(args)
  const [action, login, ...rest] = positionals
  const role = roles.find((known) => known === values.role)
  if (action !== 'add' || !login || !role || rest.length > 0) throw new StartError(`Usage: ${USAGE}`)
  const known = operatorLogin.safeParse(login)
  if (!known.success)
    throw new StartError(`“${login}” is no login: ${known.error.issues[0]?.message ?? 'choose another one'}`)
  return { login: known.data, role, email: values.email }
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { role: { type: 'string' }, email: { type: 'string' } },
    })
  } catch (error) {
    throw new StartError(`${(error as Error).message.split('. ')[0]}. Usage: ${USAGE}`)
  }
}

await runCommand({ name: 'operator', makesDatabase: true }, async ({ config, connected }) => {
  const invitation = readInvitation(process.argv.slice(2))
  const context = await createContext(config, connected.db, createLog('silent'))
  try {
    const { actions, operators } = context
    const { link } = await actions.execute(operators.actions['operator.invite'], system, invitation)
    say(`${invitation.login} (${invitation.role}) sets a password here, once, within 24 hours:`)
    say(link)
    return 0
  } finally {
    await context.close()
  }
})
