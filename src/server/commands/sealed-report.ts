import type { PlaceCount } from '../secrets/reseal.ts'
import { say } from './command.ts'

export function sayCounts(counts: readonly PlaceCount[]): boolean {
  for (const { name, current, older, other } of counts)
    say(`${name}: ${current} under the present key, ${older} under an older one, ${other} neither`)
  const left = counts.reduce((sum, { older, other }) => sum + older + other, 0)
  say(left === 0 ? 'Everything is sealed under the present key.' : `${left} values are not.`)
  return left === 0
}
