import { Trans } from '@lingui/react/macro'
import { Status, type Tone } from '../../ui/Status.tsx'
import { Notice } from '../../ui/states.tsx'

interface Look {
  readonly height: number
  readonly fault: string | null
  readonly message: string | null
}

export function ContractSteps({
  steps,
  isWrong = false,
  shown: { latest, final, lacksDeployer },
}: {
  steps: readonly (readonly [label: string, isDone: boolean])[]
  /** True if another contract is at the address, which no further step can fix. */
  isWrong?: boolean
  shown: { readonly latest: Look; readonly final: Look; readonly lacksDeployer: boolean }
}) {
  const next = steps.findIndex(([, isDone]) => !isDone)
  const toneOf = (index: number, isDone: boolean): Tone => {
    if (isDone) return 'success'
    if (index !== next) return 'neutral'
    return isWrong ? 'danger' : 'now'
  }
  return (
    <>
      <ol className="flex flex-wrap gap-x-4 gap-y-2">
        {steps.map(([label, isDone], index) => (
          <li key={label}>
            <Status tone={toneOf(index, isDone)}>{label}</Status>
          </li>
        ))}
      </ol>
      {latest.fault ? <Notice tone={isWrong ? 'danger' : 'now'}>{latest.message}</Notice> : null}
      {latest.fault === null && final.fault ? (
        <Notice>
          <Trans>
            Block {latest.height} shows it, and the chain is final up to block {final.height}. Some minutes
            later the first is final too; this page looks again by itself.
          </Trans>
        </Notice>
      ) : null}
      {lacksDeployer ? (
        <Notice tone="danger">
          <Trans>
            This chain lacks the keyless deployer, and a contract that was made otherwise can't be trusted:
            bring the deployer to this chain first. Anybody can, by its published transaction.
          </Trans>
        </Notice>
      ) : null}
    </>
  )
}
