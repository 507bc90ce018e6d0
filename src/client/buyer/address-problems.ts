import { useLingui } from '@lingui/react/macro'
import type { AddressProblem } from '../../shared/addresses.ts'

/** A private key is recognised before anything is sent. */
export function useAddressProblems(chain: string): Record<AddressProblem, string> {
  const { t } = useLingui()
  return {
    empty: t`Enter an address.`,
    private_key: t`This is a private key, not an address. It is not needed here and has not been sent. Treat it as exposed.`,
    malformed: t`This is not an address of ${chain}.`,
    checksum: t`There is a typing mistake in this address.`,
    wrong_network: t`This is an address of another network. It has to be one of ${chain}.`,
    test_network: t`This is an address of a test network.`,
  }
}
