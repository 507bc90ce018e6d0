import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { RetryableError } from '../refusal.ts'
import { createBatches } from './batches.ts'

/** Batches whose runs end when told to; keeps what each run was given. */
function held(options: { sizeMax?: number; runsMax?: number; keyOf?: (request: string) => string } = {}) {
  const runs: { requests: readonly string[]; end: (error?: unknown) => void }[] = []
  const ask = createBatches<string, string>({
    sizeMax: 10,
    runsMax: 1,
    ...options,
    run: (requests) =>
      new Promise((resolve, reject) => {
        const answers = requests.map((request) => `${request}!`)
        runs.push({ requests, end: (error) => (error ? reject(error) : resolve(answers)) })
      }),
  })
  return { ask, runs, asked: () => runs.map((run) => run.requests.join('')) }
}

describe('batches', () => {
  test('what comes in one turn goes together, and each gets its own answer', async () => {
    const { ask, runs, asked } = held()
    const answers = Promise.all([ask('a'), ask('b'), ask('c')])
    await turn()
    expect(asked()).toEqual(['abc'])
    runs[0]?.end()
    expect(await answers).toEqual(['a!', 'b!', 'c!'])
  })

  test('what comes while all runs are under way shares the next one, up to its size', async () => {
    const { ask, runs, asked } = held({ sizeMax: 2, runsMax: 2 })
    const all = [ask('a')]
    await turn()
    all.push(ask('b'))
    await turn()
    all.push(ask('c'), ask('d'), ask('e'))
    await turn()
    expect(asked()).toEqual(['a', 'b'])
    runs[0]?.end()
    await turn()
    expect(asked()).toEqual(['a', 'b', 'cd'])
    runs[1]?.end()
    await turn()
    expect(asked()).toEqual(['a', 'b', 'cd', 'e'])
    for (const run of runs) run.end()
    expect(await Promise.all(all)).toEqual(['a!', 'b!', 'c!', 'd!', 'e!'])
  })

  test('requests of one key never share a run', async () => {
    const { ask, runs, asked } = held({ keyOf: (request) => request.toLowerCase() })
    const all = [ask('a'), ask('A'), ask('b')]
    await turn()
    expect(asked()).toEqual(['ab'])
    runs[0]?.end()
    await turn()
    expect(asked()).toEqual(['ab', 'A'])
    runs[1]?.end()
    expect(await Promise.all(all)).toEqual(['a!', 'A!', 'b!'])
  })

  test('a batch that fails is served one by one: only the culprit fails', async () => {
    const runs: string[] = []
    const ask = createBatches<string, string>({
      sizeMax: 10,
      runsMax: 1,
      async run(requests) {
        runs.push(requests.join(''))
        if (requests.includes('x')) throw new Error('x fails')
        return requests.map((request) => `${request}!`)
      },
    })
    const answers = await Promise.allSettled([ask('a'), ask('x'), ask('b')])
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(runs).toEqual(['axb', 'a', 'x', 'b'])
    expect(await ask('c')).toBe('c!')
  })

  test('where the database is gone all are told at once, and the next ones are served again', async () => {
    const { ask, runs, asked } = held()
    const answers = Promise.allSettled([ask('a'), ask('b')])
    await turn()
    runs[0]?.end(new RetryableError(new Error('gone')))
    expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    const next = ask('c')
    await turn()
    expect(asked()).toEqual(['ab', 'c'])
    runs[1]?.end()
    expect(await next).toBe('c!')
  })
})
