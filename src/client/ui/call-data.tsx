import { Trans, useLingui } from '@lingui/react/macro'
import { CopyButton } from './CopyButton.tsx'

export interface Call {
  readonly chainId: number
  readonly to: string
  readonly value?: string
  readonly data: string
}

/** A wallet needs these values besides the data. */
export function Recipient({ call: { to, value = '0', chainId } }: { call: Call }) {
  return (
    <Trans>
      To {to}, value {value}, chain id {chainId}
    </Trans>
  )
}

export function CopyData({ data }: { data: string }) {
  const { t } = useLingui()
  return (
    <CopyButton text={data} what={t`Copy the data`}>
      <Trans>Copy the data</Trans>
    </CopyButton>
  )
}
