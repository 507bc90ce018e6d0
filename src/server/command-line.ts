/** The program that an installed release names for its commands; a checkout has `npm run`. */
const PROGRAM = process.env['PRESALE_COMMAND']

/** How an operator calls a command here: `npm run backup:drill -- FILE` in a checkout, `presale backup-drill FILE` in a release. */
export function commandLine(name: string, args = ''): string {
  const words = PROGRAM
    ? [PROGRAM, name.replace(':', '-')]
    : ['npm run', name, ...(args === '' ? [] : ['--'])]
  return [...words, args].join(' ').trim()
}
