/** What an owner has, a user or a team, and the ways to the films in progress and to the audit log. */
import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { Fact } from '../ui/fact.tsx'
import { formatNumber } from '../ui/format.ts'
import type { Owner } from './queries.ts'

const OWED_HINT = t`Credits of refunded or disputed payments that are used or frozen, so they could not be taken back`

export const OwnerBalance = ({ owner: { id, credits, inProgress } }: { owner: Owner }) => (
  <section className="panel" aria-label={t`What is there`}>
    <dl className="facts">
      <Fact name={t`Available`}>{formatNumber(credits.available)}</Fact>
      <Fact name={t`Frozen`}>{formatNumber(credits.frozen)}</Fact>
      <Fact name={t`Used`}>{formatNumber(credits.used)}</Fact>
      <Fact name={t`Expired`}>{formatNumber(credits.expired)}</Fact>
      <Fact name={t`Claimed back`}>{formatNumber(credits.clawedBack)}</Fact>
      <Fact name={t`Total`}>{formatNumber(credits.total)}</Fact>
      <Fact name={t`Owed`}>
        {credits.owed > 0 ? (
          <span className="mark" data-kind="failed" title={OWED_HINT}>
            {formatNumber(credits.owed)}
          </span>
        ) : (
          '0'
        )}
      </Fact>
      <Fact name={t`Films in progress`}>{formatNumber(inProgress)}</Fact>
    </dl>
    <div className="row">
      <Link to="/admin/videos" search={{ userId: id }} className="button">
        {inProgress > 0 ? t`Why they take so long` : t`Films in progress`}
      </Link>
      <Link to="/admin/audit" search={{ userId: id }} className="button">
        {t`What administrators did`}
      </Link>
    </div>
  </section>
)
