/** What a grant would do, said with numbers that were read just now, before it is given. */
import type { KinoraError } from '@kinora/client'
import { useQuery } from '@tanstack/react-query'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Fact } from '../ui/fact.tsx'
import { formatCredits, formatNumber, formatUtcDate } from '../ui/format.ts'
import { ErrorState } from '../ui/states.tsx'
import type { Wish } from './grant-form.tsx'
import { type UserDetail, user } from './queries.ts'
import look from './user-page.module.css'

type Props = {
  wish: Wish | null
  to: UserDetail
  problem: KinoraError | null
  busy: boolean
  onGive: (wish: Wish) => void
  onClose: () => void
}

export function GrantPreview({ wish, to, problem, busy, onGive, onClose }: Props) {
  return (
    <Dialog open={wish !== null} onClose={onClose} title={`Give credits to ${to.name || to.email}`}>
      {wish ? <Sum wish={wish} to={to} /> : null}
      {problem ? <ErrorState error={problem} /> : null}
      {problem?.code === 'UNREACHABLE' || (problem && problem.status >= 500) ? (
        <p>
          They may have been given all the same. Press again: the same grant is given once, however often it is sent.
        </p>
      ) : null}
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="primary" busy={busy} onClick={() => wish && onGive(wish)}>
          {wish ? `Give ${formatCredits(wish.credits)}` : 'Give'}
        </Button>
      </div>
    </Dialog>
  )
}

const DAY_MS = 86_400_000

function Sum({ wish, to }: { wish: Wish; to: UserDetail }) {
  // Asked again as the preview opens: somebody else may have given something since the page was loaded.
  const { data = to } = useQuery({ ...user(to.id), refetchOnMount: 'always' })
  const { available } = data.credits
  const until = formatUtcDate(new Date(Date.now() + wish.expiryDays * DAY_MS).toISOString())
  return (
    <>
      <p className={look.sum}>
        {data.name || data.email} has {formatCredits(available)}. After this: {formatNumber(available + wish.credits)},
        of which {formatNumber(wish.credits)} expire on {until}.
      </p>
      <dl className="facts">
        <Fact name="E-mail">{data.email}</Fact>
        <Fact name="Remark">{wish.remark || 'None'}</Fact>
      </dl>
    </>
  )
}
