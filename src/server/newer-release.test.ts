import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { isNewer, NewerRelease } from './newer-release.ts'

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const key = publicKey.export({ type: 'spki', format: 'pem' }).toString()
const url = 'https://example.org/latest'

/** A release's files, as `npm run release` writes them. */
function filesOf(version: string, signedBy = privateKey): Record<string, Buffer> {
  const sums = Buffer.from(
    [`honest-presale-${version}-linux-x64.tgz`, `honest-presale-${version}-linux-x64.sbom.json`]
      .map((file) => `${'0'.repeat(64)}  ${file}\n`)
      .join(''),
  )
  return { [`${url}/SHA256SUMS`]: sums, [`${url}/SHA256SUMS.sig`]: sign(null, sums, signedBy) }
}

/** Asks as a program of version 0.1.0; returns the newer version that it then knows. */
async function ask(files: Record<string, Buffer>, given: string | null = url) {
  const warn = vi.fn<(fields: object, message: string) => void>()
  const asked = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async (at) =>
      files[String(at)]
        ? new Response(new Uint8Array(files[String(at)] ?? []))
        : new Response('', { status: 404 }),
    )
  const newer = new NewerRelease({ url: given, log: { warn }, key, own: '0.1.0' })
  await newer.ask()
  const calls = asked.mock.calls.length
  asked.mockRestore()
  return { known: newer.known, calls, warnings: warn.mock.calls.map(([fields]) => fields) }
}

describe('a newer release', () => {
  test('that the maker of this one signed is known', async () => {
    expect(await ask(filesOf('0.2.0'))).toEqual({ known: '0.2.0', calls: 2, warnings: [] })
  })

  test.each(['0.1.0', '0.0.9', '0.1.0-rc.1'])('%s is none', async (version) => {
    expect(await ask(filesOf(version))).toEqual({ known: null, calls: 2, warnings: [] })
  })

  const other = generateKeyPairSync('ed25519').privateKey
  const changed = {
    ...filesOf('0.2.0'),
    [`${url}/SHA256SUMS`]: filesOf('0.3.0')[`${url}/SHA256SUMS`] as Buffer,
  }
  test.each([
    ['signed by somebody else', filesOf('0.2.0', other), 'is not signed'],
    ['of which another one is signed', changed, 'is not signed'],
    ['that is not there', {}, 'HTTP 404'],
    ['that names no version', filesOf('of-tomorrow'), 'names no release'],
  ])('%s is unknown, and the log says why', async (_, files, why) => {
    const { known, warnings } = await ask(files)
    expect(known).toBeNull()
    expect(warnings).toEqual([
      expect.objectContaining({ err: expect.objectContaining({ message: expect.stringContaining(why) }) }),
    ])
  })

  test('is asked for nowhere unless an address is set', async () => {
    expect(await ask(filesOf('0.2.0'), null)).toEqual({ known: null, calls: 0, warnings: [] })
  })
})

test('versions are compared by their numbers, a pre-release before its release', () => {
  const sorted = ['0.1.0-rc.2', '0.1.0-rc.10', '0.1.0', '0.1.1', '0.2.0-rc.1', '0.2.0', '0.10.0', '1.0.0']
  for (const [index, version] of sorted.entries())
    for (const [other, than] of sorted.entries()) expect(isNewer(version, than)).toBe(index > other)
})
