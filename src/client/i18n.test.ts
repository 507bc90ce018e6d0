import { expect, test, vi } from 'vitest'
import { bring, enterCatalogues } from './i18n.ts'
import { i18n } from './lingui-core.ts'

const turns = () => new Promise((resolve) => setTimeout(resolve, 5))
const script = Promise.resolve({ name: 'a part' })

/** Enters a catalogue with one part, whose loads end when the test says so. */
function enterPart(name: string) {
  vi.stubGlobal('document', { documentElement: { lang: 'en' } })
  const loads: PromiseWithResolvers<{ messages: Record<string, string> }>[] = []
  const load = () => {
    const begun = Promise.withResolvers<{ messages: Record<string, string> }>()
    loads.push(begun)
    return begun.promise
  }
  enterCatalogues({ en: async () => ({ messages: { early: 'Said early.' }, parts: { [name]: load } }) })
  const messages = { messages: { [name]: 'Said late.' } }
  return {
    arrive: () => loads.forEach(({ resolve }) => resolve(messages)),
    fail: () => loads.forEach(({ reject }) => reject(new Error('the network is gone'))),
  }
}

test('two imports of one file both wait for the messages of the file', async () => {
  const { arrive } = enterPart('one')
  const said: string[] = []
  const both = [1, 2].map(() => bring(script, 'one').then(() => said.push(i18n._('one'))))
  await turns()
  expect(said).toEqual([])
  arrive()
  await Promise.all(both)
  expect(said).toEqual(['Said late.', 'Said late.'])
})

test('messages that failed to come are asked for again by the next import', async () => {
  const { arrive, fail } = enterPart('two')
  const failed = expect(bring(script, 'two')).rejects.toThrow('the network is gone')
  await turns()
  fail()
  await failed
  const again = bring(script, 'two').then(() => i18n._('two'))
  await turns()
  arrive()
  expect(await again).toBe('Said late.')
})
