import type { TestProject } from 'vitest/node'
import { startDatabaseServer } from './database-server.ts'

/** Starts the machine's own PostgreSQL 15, the oldest supported, over TCP. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startDatabaseServer('external')
  project.provide('database', server.provided)
  return () => server.stop()
}
