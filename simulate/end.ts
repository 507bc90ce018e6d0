import { StandReader } from './stand.ts'
import type { World } from './world.ts'

export type End = ReadonlyMap<string, string>

/** The end without numbers, addresses and ids: orders go by their idempotency keys. */
export async function readEnd(world: World): Promise<End> {
  const stand = await new StandReader(world.db.pool).read(true)
  const keys = new Map(stand.orders.map(({ number, key }) => [number, key ?? '']))
  const isOurs = (number: number | null) => number === null || !keys.get(number)?.startsWith('stranger')
  const orders = stand.orders.filter(({ number }) => isOurs(number))
  const parts: [string, unknown[]][] = [
    ['orders', orders.map((order) => ({ ...order, number: undefined, place: undefined }))],
    [
      'payments',
      stand.payments
        .filter(({ order, credited, owed }) => isOurs(order) && (Number(credited) > 0 || Number(owed) > 0))
        .map(({ order, amount, state, credited, owed, fault }) => ({
          order: keys.get(order ?? 0),
          amount,
          state,
          credited,
          owed,
          fault,
        })),
    ],
    [
      'refunds',
      stand.refunds
        .filter(({ order }) => isOurs(order))
        .map(({ order, amount, usd, state, via }) => ({ order: keys.get(order), amount, usd, state, via })),
    ],
    ['rounds', stand.listed.map(({ number, base, bonus }) => ({ order: keys.get(number), base, bonus }))],
    [
      'rewards',
      stand.rewards.map(({ order, base, tokens, refusal, reversed }) => ({
        order: keys.get(order),
        base,
        tokens,
        refusal,
        reversed,
      })),
    ],
    ['holdings', [...stand.holdings]],
    ['stages', [...stand.stages]],
    ['left', [stand.left]],
  ]
  return new Map(
    parts.map(([name, rows]) => [
      name,
      rows
        .map((row) => JSON.stringify(row))
        .toSorted()
        .join('\n'),
    ]),
  )
}

/** Lists the lines that only one end has. */
export function differences(one: End, other: End): string[] {
  return [...one].flatMap(([name, text]) => {
    const [these, those] = [text.split('\n'), (other.get(name) ?? '').split('\n')]
    return [
      ...these.filter((line) => !those.includes(line)).map((line) => `${name}: ${line}`),
      ...those.filter((line) => !these.includes(line)).map((line) => `${name}, the other: ${line}`),
    ]
  })
}
