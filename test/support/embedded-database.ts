import type { TestProject } from 'vitest/node'
import { startDatabaseServer } from './database-server.ts'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startDatabaseServer('embedded')
  project.provide('database', server.provided)
  return () => server.stop()
}
