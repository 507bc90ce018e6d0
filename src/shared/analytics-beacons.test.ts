import { expect, it } from 'vitest'
import { beaconFor, beaconSources, providerOf } from './analytics-beacons.ts'

it.each([
  ['G-ABC123DEF4', 'ga4'],
  ['g-abc123', 'ga4'],
  ['123456789012345', 'meta'],
  ['presale.example.org', 'plausible'],
  ['UA-12345-6', 'other'],
  ['javascript:alert(1)', 'other'],
  ['example.org/path', 'other'],
  ['-bad.example.org', 'other'],
  ['12345', 'other'],
] as const)('reads the provider of %s as %s', (key, provider) => {
  expect(providerOf(key)).toBe(provider)
})

it.each(['plausible', 'ga4', 'meta'] as const)(
  'tells %s of the path alone, at the source that the policy opens',
  (provider) => {
    const beacon = beaconFor(provider, 'k&e=y#1', {
      origin: 'https://sale.example.org',
      path: '/updates?order=SECRET#token',
      visitId: '1.2',
    })
    expect(beaconSources[provider]).toContain(new URL(beacon?.url ?? '').origin)
    const sent = decodeURIComponent(beacon?.url ?? '') + (beacon?.body ?? '')
    expect(sent).toContain('https://sale.example.org/updates')
    expect(sent).not.toContain('SECRET')
    expect(sent).not.toContain('token')
    expect(sent).toContain('k&e=y#1')
  },
)

it('sends nothing for a provider that it does not know', () => {
  expect(beaconFor('other', 'x', { origin: 'https://a.example.org', path: '/', visitId: '1' })).toBeNull()
})
