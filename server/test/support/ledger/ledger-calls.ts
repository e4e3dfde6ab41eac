/** Typed calls of ledger functions that the server calls from SQL only. The benches use them too. */
import type { Processor } from '../../../src/config/processors.ts'
import type { Query, Sql } from '../../../src/db/db.ts'

/** A user and the time of the call. */
type UserAt = { userId: string; now: Date }
type Hold = UserAt & { holdId: string }

export type Grant = UserAt & {
  packageId: string
  /** What the credits are granted for; a second grant for the same source returns the first package. */
  source: string
  transType: string
  credits: number
  expiresAt: Date
  orderNo: string | null
  remark: string | null
  actorId?: string | null
  /** What the user owes is paid from it first. */
  collects?: boolean
}

/** Returns the package that the source has, granted now or before. */
export async function creditGrant(sql: Query, grant: Grant): Promise<{ id: string; initial: number; expiresAt: Date }> {
  const [row] = await sql<[{ id: string; initial: number; expiresAt: Date }]>`
    select id, initial, expires_at
    from kinora.credit_grant(
      p_user_id => ${grant.userId}, p_package_id => ${grant.packageId}, p_source => ${grant.source},
      p_trans_type => ${grant.transType}, p_credits => ${grant.credits}, p_expires_at => ${grant.expiresAt},
      p_now => ${grant.now}, p_order_no => ${grant.orderNo}, p_remark => ${grant.remark},
      p_actor_id => ${grant.actorId ?? null}, p_collects => ${grant.collects ?? false}
    )
  `
  return row
}

export type FreezeOutcome = { outcome: 'frozen' | 'insufficient' | 'over_budget' | 'too_many'; available: number }
/** `maxOpen`: holds that may be open at a time, 0 for no cap. `keyId`: the API key whose budget must cover it too. */
export type NewHold = Omit<Hold, 'now'> & {
  credits: number
  remark: string | null
  maxOpen?: number
  keyId?: string | null
}

/** A JSON array of kinora.hold_request. */
const requestsOf = (
  holds: (Omit<Hold, 'now'> & Partial<Omit<NewHold, 'credits'> & SettledHold & ReleasedHold>)[],
): string =>
  JSON.stringify(
    holds.map(({ userId, holdId, credits, maxOpen, keyId, remark, graceS }) => ({
      user_id: userId,
      hold_id: holdId,
      credits,
      max_open: maxOpen ?? 0,
      key_id: keyId,
      remark,
      grace: Number.isFinite(graceS) ? `${graceS} seconds` : null,
    })),
  )

/** Freezes a set of holds; outcome i belongs to hold i. */
export async function creditFreezeHolds(sql: Query, holds: NewHold[], now: Date): Promise<FreezeOutcome[]> {
  const [row] = await sql<[{ outcomes: FreezeOutcome['outcome'][]; available: number[] }]>`
    select outcomes, available from kinora.credit_freeze_holds(
      p_requests => array(
        select r from jsonb_populate_recordset(null::kinora.hold_request, ${requestsOf(holds)}::text::jsonb) r
      ),
      p_now => ${now}
    )
  `
  return row.outcomes.map((outcome, i) => ({ outcome, available: Number(row.available[i]) }))
}

export async function creditFreeze(sql: Query, hold: NewHold & { now: Date }): Promise<FreezeOutcome> {
  const [outcome] = await creditFreezeHolds(sql, [hold], hold.now)
  return outcome as FreezeOutcome
}

/** The state of a hold after the call; null for an unknown hold. */
export type HoldState = 'settled' | 'released' | null

/** `credits`: those that are used, null for all; the rest is released. */
export type SettledHold = Omit<Hold, 'now'> & { credits?: number | null } & Partial<
    Pick<ReleasedHold, 'graceS' | 'remark'>
  >

/** Settles a set of holds; state i belongs to hold i. */
export async function creditSettleHolds(sql: Query, holds: SettledHold[], now: Date): Promise<HoldState[]> {
  const rows = await sql<{ state: HoldState }[]>`
    select state
    from unnest(
      kinora.credit_settle_holds(
        p_requests => array(
          select r from jsonb_populate_recordset(null::kinora.hold_request, ${requestsOf(holds)}::text::jsonb) r
        ),
        p_now => ${now}
      )
    ) with ordinality s (state, n)
    order by n
  `
  return rows.map(({ state }) => state)
}

export async function creditSettle(sql: Query, hold: SettledHold & { now: Date }): Promise<HoldState> {
  const [state] = await creditSettleHolds(sql, [hold], hold.now)
  return state ?? null
}

/** `graceS`: life in seconds of the package that replaces an expired one. */
export type ReleasedHold = Omit<Hold, 'now'> & { graceS: number; remark: string | null }

/** Releases a set of holds; state i belongs to hold i. */
export async function creditReleaseHolds(sql: Query, holds: ReleasedHold[], now: Date): Promise<HoldState[]> {
  const rows = await sql<{ state: HoldState }[]>`
    select state
    from unnest(
      kinora.credit_release_holds(
        p_requests => array(
          select r from jsonb_populate_recordset(null::kinora.hold_request, ${requestsOf(holds)}::text::jsonb) r
        ),
        p_now => ${now}
      )
    ) with ordinality s (state, n)
    order by n
  `
  return rows.map(({ state }) => state)
}

export async function creditRelease(sql: Query, hold: ReleasedHold & { now: Date }): Promise<HoldState> {
  const [state] = await creditReleaseHolds(sql, [hold], hold.now)
  return state ?? null
}

type Claim = { userId: string; source: string; key: string; now: Date }

/** @param claim `part`: from 0 to 1, of the package; it replaces an earlier one of the key */
export async function claimRefund(
  sql: Sql,
  { userId, source, key, part, now }: Claim & { part: number },
): Promise<void> {
  await sql`
    select kinora.credit_claim_refund(
      p_user_id => ${userId}, p_source => ${source}, p_parts => ${JSON.stringify({ [key]: part })}::text::jsonb, p_now => ${now}
    )
  `
}

/** Returns the credits given back. */
export async function reverseClaim(sql: Sql, claim: Claim): Promise<number> {
  const taken = async () => {
    const [row] = await sql<{ taken: number }[]>`
      select clawed_back as taken from kinora.credit_account where user_id = ${claim.userId}
    `
    return row?.taken ?? 0
  }
  const before = await taken()
  await claimRefund(sql, { ...claim, part: 0 })
  return before - (await taken())
}

/** Applies effects as a process of the version before may send them. */
export async function paymentApply(
  sql: Sql,
  { userId, processor, effects, now }: { userId: string; processor: Processor; effects: object[]; now: Date },
): Promise<void> {
  await sql`
    select kinora.payment_apply(
      p_user_id => ${userId}, p_processor => ${processor}, p_effects => ${JSON.stringify(effects)}::text::jsonb, p_now => ${now}
    )
  `
}
