import { readFile } from 'node:fs/promises'
import {
  checkDraw,
  type DrawFault,
  giveawayFilePath,
  parseGiveawayFile,
  winnersOf,
} from '../../shared/giveaway-draw.ts'
import { chiSquareOf } from '../../shared/giveaway-odds.ts'
import { commandLine } from '../command-line.ts'
import { loadEnvFile, readConfig } from '../config.ts'
import { complain, say } from './command.ts'

const usage = `${commandLine('giveaway:draw', 'ID|FILE|URL [--signature HEX]')}   computes the draw of a published file again
${commandLine('giveaway:draw', '--simulate DRAWS')}                 counts who wins in so many draws of eight entries`

const saidOf: Record<DrawFault, string> = {
  rules_other: 'The rules do not match the hash beside them: they were changed.',
  round_other:
    'The round of the random value is not the first one that is due after closing: somebody chose it.',
  not_fixed: 'The list of entries is not fixed yet.',
  time_wrong:
    'When the list was fixed is no time as the file has to say it (2026-01-31T12:00:00.000Z): it proves nothing.',
  entry_wrong: 'An entry of the list is no commitment of 64 hexadecimal digits.',
  order_wrong: 'The entries are not in ascending order, each once.',
  root_other: 'The root is not that of the entries: one was added, removed or changed.',
  fixed_late:
    'The list was fixed before closing, or when its random value could be known: such a draw proves nothing.',
  not_drawn: 'The giveaway is not drawn yet.',
  signature_wrong: 'The random value is not what the network signed of that round.',
  winners_other: 'The winners in the file are not those of the draw.',
}

async function main(args: readonly string[]): Promise<number> {
  const [what, option, value] = args
  if (what === '--simulate' && /^[1-9]\d{0,7}$/.test(option ?? '')) return simulate(Number(option))
  const isAsked = what !== undefined && !what.startsWith('--')
  if (!isAsked || (option !== undefined && (option !== '--signature' || value === undefined))) {
    complain(usage)
    return 2
  }
  const file = parseGiveawayFile(await textOf(what))
  if (!file) {
    complain('This is no file of a giveaway.')
    return 1
  }
  const { faults, drawn, isKnownBeacon } = checkDraw(file, value)
  say(`Giveaway ${file.giveaway}: ${file.fixed?.commitments?.length ?? 0} entries, round ${file.rules.round}`)
  if (file.fixed) say(`Root ${file.fixed.root}`)
  if (!isKnownBeacon)
    complain(
      `The random values are not those of drand's quicknet, but of the key ${file.rules.beacon.publicKey}`,
    )
  const winners = winnersOf(file.rules)
  drawn.forEach((commitment, place) => {
    say(`${place < winners ? `Winner ${place + 1}` : `Alternate ${place + 1 - winners}`}: ${commitment}`)
  })
  for (const fault of faults) complain(saidOf[fault])
  if (faults.length === 0) say('The draw is as the file says.')
  return faults.length === 0 && isKnownBeacon ? 0 : 1
}

/** A giveaway by this site's number, a file, or another site's address. */
async function textOf(what: string): Promise<string> {
  if (!/^[1-9]\d*$/.test(what) && !/^https?:/.test(what)) return readFile(what, 'utf8')
  const address = /^https?:/.test(what) ? what : `${ownAddress()}/api/v1${giveawayFilePath(what)}`
  const response = await fetch(address, { signal: AbortSignal.timeout(30_000) })
  if (!response.ok) throw new Error(`${address} answered ${response.status}`)
  return response.text()
}

function ownAddress(): string {
  loadEnvFile()
  return readConfig().web.publicUrl
}

function simulate(draws: number): number {
  const { chiSquare, limit } = chiSquareOf({ draws, entries: 8, seed: 'odds' })
  say(`${draws} draws of 8 entries: chi-square ${chiSquare}; an even draw stays below ${limit}`)
  return chiSquare < limit ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  complain((error as Error).message)
  return 1
})
