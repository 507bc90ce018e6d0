import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from 'react-router'
import { operatorSessionRoutes } from '../../../shared/api/operator-session.ts'
import { can, rights } from '../../../shared/roles.ts'
import { FailedAttempts } from '../../area/FailedAttempts.tsx'
import { Fact, Facts, Page } from '../../area/Page.tsx'
import { SecondFactor } from '../../area/SecondFactor.tsx'
import { Sessions } from '../../area/Sessions.tsx'
import { buttonLook } from '../../ui/Button.tsx'
import { Badge } from '../../ui/Status.tsx'
import { paths } from '../paths.ts'
import { useOperator, useRightName, useRoleName } from '../session.ts'
import { touched } from '../touched.ts'
import { Channels } from './Channels.tsx'

/** Only the second factor if the role requires one that is missing. */
export function AccountPage() {
  const { t } = useLingui()
  const { role, lacksSecondFactor } = useOperator()
  const roleName = useRoleName()
  return (
    <Page
      title={lacksSecondFactor ? t`Set up a second factor` : t`My access`}
      lead={
        lacksSecondFactor ? (
          <Trans>
            Your role, {roleName(role)}, can move money or rights. Everything else opens once an authenticator
            app or a passkey is on.
          </Trans>
        ) : undefined
      }
      action={
        <Link to={paths.password} className={buttonLook({ variant: 'secondary' })}>
          <Trans>Change password</Trans>
        </Link>
      }
    >
      {lacksSecondFactor ? null : <OwnFacts />}
      <SecondFactor routes={operatorSessionRoutes} touches={touched.secondFactor} />
      {lacksSecondFactor ? null : <Channels />}
      {lacksSecondFactor ? null : <Sessions routes={operatorSessionRoutes} touches={touched.sessions} />}
      {lacksSecondFactor ? null : <FailedAttempts routes={operatorSessionRoutes} />}
    </Page>
  )
}

function OwnFacts() {
  const { t } = useLingui()
  const { login, role, reference } = useOperator()
  const roleName = useRoleName()
  const rightName = useRightName()
  return (
    <div className="mb-8">
      <Facts>
        <Fact label={t({ message: 'Login', context: 'name of an operator' })}>{login}</Fact>
        <Fact label={t`Reference`}>
          <span className="figures">{reference}</span>
        </Fact>
        <Fact label={t`Role`}>{roleName(role)}</Fact>
        <Fact label={t`May`}>
          <ul className="flex flex-wrap gap-1.5">
            {rights
              .filter((right) => can(role, right))
              .map((right) => (
                <li key={right}>
                  <Badge>{rightName(right)}</Badge>
                </li>
              ))}
          </ul>
        </Fact>
      </Facts>
    </div>
  )
}
