/** Typed calls of ledger functions that the server calls from SQL only. */
import type { Sql } from '../src/db.ts'
import type { Processor } from '../src/payment/plans.ts'

type Claim = { userId: string; source: string; key: string; now: Date }

/** @param claim `part`: from 0 to 1, of the payment */
export async function claimRefund(sql: Sql, claim: Claim & { part: number }): Promise<void> {
  await sql`
    select kinora.credit_claim_refund(
      p_user_id => ${claim.userId}, p_source => ${claim.source}, p_key => ${claim.key}, p_part => ${claim.part},
      p_now => ${claim.now}
    )
  `
}

/** Returns the credits given back. */
export async function reverseClaim(sql: Sql, claim: Claim): Promise<number> {
  const [row] = await sql<[{ credits: number }]>`
    select kinora.credit_reverse_claim(
      p_user_id => ${claim.userId}, p_source => ${claim.source}, p_key => ${claim.key}, p_now => ${claim.now}
    ) as credits
  `
  return row.credits
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
