import { once } from 'node:events'

/** Something to do again and again, by one process of all that share the database. */
export interface PeriodicTask {
  name: string
  everySeconds: number
  /** `signal`: the process stops or leads no more, and waits for the run. One that takes minutes gives up. */
  run(signal: AbortSignal): Promise<unknown>
}

export interface PeriodicLog {
  warn(fields: object, message: string): void
}

/**
 * Runs each task at once and then by its timer, until `signal`; returns when the runs under way have ended. A run that is still going is
 * not started twice, a failed one waits for its next turn.
 */
export async function runPeriodic(
  tasks: readonly PeriodicTask[],
  log: PeriodicLog,
  signal: AbortSignal,
): Promise<void> {
  const running = new Map<string, Promise<void>>()
  const runOnce = (task: PeriodicTask) => {
    if (running.has(task.name)) return
    const run = Promise.resolve()
      .then(() => task.run(signal))
      .then(
        () => undefined,
        (error: unknown) => {
          if (!signal.aborted) log.warn({ err: error, task: task.name }, 'periodic task failed')
        },
      )
      .finally(() => running.delete(task.name))
    running.set(task.name, run)
  }
  const timers = tasks.map((task) => {
    runOnce(task)
    return setInterval(() => runOnce(task), task.everySeconds * 1000)
  })
  if (!signal.aborted) await once(signal, 'abort')
  for (const timer of timers) clearInterval(timer)
  await Promise.all(running.values())
}
