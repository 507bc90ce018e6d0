/** In an installed release; a checkout uses `npm run`. */
const PROGRAM = process.env['PRESALE_COMMAND']

/** `npm run backup:drill -- FILE` in a checkout, `presale backup-drill FILE` in a release. */
export function commandLine(name: string, args = ''): string {
  const words = PROGRAM
    ? [PROGRAM, name.replace(':', '-')]
    : ['npm run', name, ...(args === '' ? [] : ['--'])]
  return [...words, args].join(' ').trim()
}
