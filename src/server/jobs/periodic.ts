import { once } from 'node:events'

/** One of all processes on the database repeats it. */
export interface PeriodicTask {
  name: string
  everySeconds: number
  /**
   * `signal` aborts when the process stops or loses the lead, which waits for the run: a run of minutes
   * should give up.
   */
  run(signal: AbortSignal): Promise<unknown>
}

export interface PeriodicLog {
  warn(fields: object, message: string): void
}

/** At once and then periodically. A task never overlaps itself; a failed one waits for its next turn. */
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
