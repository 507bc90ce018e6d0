// A worker thread: judging a password takes milliseconds, loading the dictionaries half a second.
import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { dictionary as common, adjacencyGraphs as graphs } from '@zxcvbn-ts/language-common'
import { dictionary as english } from '@zxcvbn-ts/language-en'

export interface Question {
  readonly id: number
  readonly password: string
  readonly known: string[]
}

export interface Judged {
  readonly id: number
  readonly score: 0 | 1 | 2 | 3 | 4
  readonly warning: string | null
}

/**
 * Readings of signs as letters (default 100). The verdicts stay the same; a password of signs alone would
 * cost ten times as much.
 */
const SPELLINGS_MAX = 10

/** Below requests and login hashes, because strangers can ask for judgements. */
function giveWay(): void {
  try {
    // Linux has a priority for each thread; elsewhere the link does not exist.
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // The thread keeps its normal priority.
  }
}

giveWay()

const judge = new ZxcvbnFactory({
  graphs,
  dictionary: { ...common, ...english },
  l33tMaxSubstitutions: SPELLINGS_MAX,
})

parentPort?.on('message', ({ id, password, known }: Question) => {
  const { score, feedback } = judge.check(password, known)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's messages have no origin
  parentPort?.postMessage({ id, score, warning: feedback.warning ?? null } satisfies Judged)
})
