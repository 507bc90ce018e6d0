import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freePort } from '../support/database-server.ts'
import { makeFolder } from '../support/folders.ts'
import { startProgram } from '../support/program.ts'

/** Whether something listens there. */
const answers = (port: number) =>
  fetch(`http://127.0.0.1:${port}`, { method: 'POST' }).then(
    () => true,
    () => false,
  )

test('a demo with a chain that is ended while it is being prepared leaves no program behind', async () => {
  const [chain, litecoin, port] = [await freePort(), await freePort(), await freePort()]
  const demo = startProgram(['scripts/demo-chain.mjs'], {
    DEMO_CHAIN_PORT: String(chain),
    DEMO_LITECOIN_PORT: String(litecoin),
    PORT: String(port),
    DATA_DIR: join(await makeFolder('demo-chain'), 'data'),
  })
  await expect.poll(() => answers(chain)).toBe(true)
  demo.child.kill('SIGTERM')
  // Its output ends once nobody writes to it any more.
  expect(await demo.ended).toBe(1)
  expect(await answers(chain)).toBe(false)
})
