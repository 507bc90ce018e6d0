/** Something to do again and again, by one process of all that share the database. */
export interface PeriodicTask {
  name: string
  everySeconds: number
  /** `signal`: the process stops, and waits for the run. One that takes minutes gives up. */
  run(signal: AbortSignal): Promise<unknown>
}

export interface PeriodicLog {
  warn(fields: object, message: string): void
}

/** Starts a timer for each task; a run that is still going is not started twice, a failed one waits for its next turn. */
export function startPeriodic(tasks: readonly PeriodicTask[], log: PeriodicLog): { stop(): Promise<void> } {
  const running = new Map<string, Promise<void>>()
  const stopping = new AbortController()
  const runOnce = (task: PeriodicTask) => {
    if (running.has(task.name)) return
    const run = Promise.resolve()
      .then(() => task.run(stopping.signal))
      .then(
        () => undefined,
        (error: unknown) => {
          if (!stopping.signal.aborted) log.warn({ err: error, task: task.name }, 'periodic task failed')
        },
      )
      .finally(() => running.delete(task.name))
    running.set(task.name, run)
  }
  const timers = tasks.map((task) => {
    runOnce(task)
    return setInterval(() => runOnce(task), task.everySeconds * 1000)
  })
  return {
    async stop() {
      for (const timer of timers) clearInterval(timer)
      stopping.abort()
      await Promise.all(running.values())
    },
  }
}
