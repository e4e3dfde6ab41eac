/**
 * Credits for a user: a form, then a preview that says what there is now and what there will be, then one request. The
 * rule: the same grant keeps its key until an answer came, however often it is sent, so that it is given once; what is
 * shown afterwards was read back from the service.
 */
import { newIdempotencyKey } from '@kinora/client'
import { useRef, useState } from 'react'
import { dataOf, kinora, queries, readAgain } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { credits, utcDay } from '../ui/format.ts'
import { GrantPreview } from './grant-preview.tsx'
import { type UserDetail, user } from './questions.ts'
import look from './user.module.css'

export type Wish = { credits: number; expiryDays: number; remark: string }

const CREDITS_MAX = 10_000_000
const DAYS_MAX = 3650

export function Grant({ to }: { to: UserDetail }) {
  const [amount, setAmount] = useState('')
  const [days, setDays] = useState('365')
  const [remark, setRemark] = useState('')
  const [shown, setShown] = useState<Wish | null>(null)
  const keyOf = useKey()
  const give = useSingleFlight({
    mutationKey: ['admin', 'grant', to.id],
    mutationFn: async (wish: Wish) => {
      const { key, settle } = keyOf(wish)
      const { remark: text, ...rest } = wish
      const given = await dataOf(
        kinora.POST('/api/v1/admin/credits/add', {
          params: { header: { 'idempotency-key': key } },
          body: { ...rest, userId: to.id, ...(text ? { remark: text } : {}) },
        }),
      )
      settle()
      const after = await readBack(to.id)
      return { ...given, available: after?.credits.available }
    },
    onSuccess: () => {
      setShown(null)
      setAmount('')
      setRemark('')
    },
  })
  const name = to.name || to.email
  return (
    <section className="panel" aria-labelledby="grant">
      <h2 id="grant">Give credits</h2>
      <form
        className={look.grant}
        onSubmit={(event) => {
          event.preventDefault()
          give.reset()
          setShown({ credits: Number(amount), expiryDays: Number(days), remark: remark.trim() })
        }}
      >
        <Field
          label="Credits"
          type="number"
          min={1}
          max={CREDITS_MAX}
          step={1}
          required
          value={amount}
          onChange={({ target }) => setAmount(target.value)}
        />
        <Field
          label="Good for, in days"
          type="number"
          min={1}
          max={DAYS_MAX}
          step={1}
          required
          value={days}
          onChange={({ target }) => setDays(target.value)}
        />
        <Field
          label="Remark"
          hint="Shown in the history of the user."
          maxLength={500}
          autoComplete="off"
          value={remark}
          onChange={({ target }) => setRemark(target.value)}
        />
        <Button type="submit" disabled={!amount || !days}>
          Preview
        </Button>
      </form>
      <p role="status" hidden={!give.data}>
        {give.data ? (
          <span className="mark" data-kind="done">
            {credits(give.data.credits)} given, good until {utcDay(give.data.expiryDate)}.
            {give.data.available === undefined ? '' : ` ${name} has ${credits(give.data.available)} now.`}
          </span>
        ) : null}
      </p>
      <GrantPreview
        wish={shown}
        to={to}
        problem={give.error}
        busy={give.isPending}
        onGive={(wish) => give.mutate(wish)}
        onClose={() => give.isPending || setShown(null)}
      />
    </section>
  )
}

/** Balance and history as they are now; what was given is given even when they cannot be read. */
async function readBack(id: string): Promise<UserDetail | undefined> {
  await Promise.all([
    readAgain(['admin', 'user', id]),
    // It may have been a gift to oneself.
    readAgain(['credit']),
  ])
  queries.invalidateQueries({ queryKey: ['admin', 'users'], refetchType: 'none' })
  const state = queries.getQueryState(user(id).queryKey)
  return state?.status === 'success' && !state.isInvalidated ? state.data : undefined
}

/** The key of a grant whose answer has not come yet; another grant, or one after it, has a key of its own. */
function useKey() {
  const open = useRef(new Map<string, string>())
  return (wish: Wish) => {
    const text = JSON.stringify(wish)
    const key = open.current.get(text) ?? newIdempotencyKey()
    open.current.set(text, key)
    return { key, settle: () => open.current.delete(text) }
  }
}
