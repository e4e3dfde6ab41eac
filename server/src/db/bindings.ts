// Written by `npm run schema` from pg_catalog.
import type { Fragment } from './db.ts'

export type VideoStep = { step: string | null; userId: string | null; id: string | null; lease: string | null; leaseUntil: Date | null; provider: string | null; providerIndex: number | null; providers: readonly string[] | null; taskId: string | null; handle: Buffer | null; progress: number | null; queuePosition: number | null; expectedAt: Date | null; costAmount: number | string | null; costUnit: string | null; costStage: string | null; unitUsd: number | string | null; routeModel: string | null; catalogueUsd: number | string | null; unitRates: object | null; attempt: number | null; dueAt: Date | null; deadlineAt: Date | null; url: string | null; isRetryable: boolean | null; isFinished: boolean | null; isLost: boolean | null; errorCode: string | null; error: string | null; graceS: number | null; entry: string | null; detail: string | null; videoKey: string | null; thumbnailKey: string | null; manifestKey: string | null; provenance: object | null; sizeBytes: number | null; durationS: number | null; width: number | null; height: number | null }
export type GenerateRequest = { userId: string | null; id: string | null; prompt: string | null; model: string | null; durationS: number | null; aspectRatio: string | null; quality: string | null; mode: string | null; madeOf: object | null; seed: number | null; negativePrompt: string | null; audio: boolean | null; options: object | null; batchId: string | null; batch: object | null; projectId: string | null; shotId: string | null; takeId: string | null; mayWait: boolean | null; assetIds: readonly string[] | null; assetLinkExpired: boolean | null; assetDueAt: Date | null; credits: number | null; secondRate: number | string | null; providers: readonly string[] | null; usualS: number | null; deadlineAt: Date | null; maxInProgress: number | null; key: string | null; requestHash: Buffer | null; isReplayable: boolean | null; keyId: string | null; tokenId: string | null; subject: string | null; metadata: object | null; webhookUrl: string | null; webhookOrigin: string | null; webhookFormat: string | null; webhookEvents: readonly string[] | null }

export type Functions = {
  account_clear: { args: { userId: string; cancelError: string; grace: string; now: Date }; result: void }
  account_close: { args: { userId: string; actorId: string; emailHash: Buffer; requestId: string; reason: string; owed: number; now: Date }; result: 'deleted' | 'last_administrator' | 'last_owner' | 'not_found' | 'owed' | 'subscribed' }
  account_delete: { args: { userId: string; actorId: string; emailHash: Buffer; cancelError: string; grace: string; requestId: string; owed: number; now: Date; reason?: string | null }; result: 'deleted' | 'last_administrator' | 'last_owner' | 'not_found' | 'owed' | 'subscribed' }
  account_erase_videos: { args: { userId: string; ids: readonly string[]; now: Date }; result: void }
  account_is_erased: { args: { userId: string }; result: boolean }
  account_is_subscribed: { args: { userId: string; now: Date }; result: boolean }
  administrator_key_is_free: { args: { adminId: string; operation: string; key: string; userId: string; isStored: boolean; now: Date }; result: boolean }
  administrator_withdraw: { args: { userId: string; now: Date; role?: string | null }; result: 'last_administrator' | 'withdrawn' }
  api_key_owner_used: { args: { userId: string; period: string; time: Date }; result: number }
  api_key_period_end: { args: { period: string; time: Date }; result: Date | null }
  api_key_period_start: { args: { period: string; time: Date }; result: Date | null }
  api_key_used: { args: { userId: string; keyId: string; period: string; time: Date }; result: number }
  asset_add: { args: { userId: string; asset: object; bytesMax: number; namedMax: number; dueAt: Date; now: Date; uploadId?: string | null }; result: 'added' | 'full' | 'too_many' }
  asset_bytes: { args: { userId: string; uploadId?: string | null }; result: number }
  asset_change_to_sound: { args: { userId: string; id: string; sound: object; bytesMax: number; dueAt: Date; now: Date }; result: 'changed' | 'full' | 'not_found' | 'used' }
  asset_delete: { args: { userId: string; id: string; now: Date }; result: 'deleted' | 'not_found' }
  asset_extend: { args: { userId: string; id: string; dueAt: Date }; result: boolean }
  asset_is_used: { args: { userId: string; key: string }; result: boolean }
  asset_keep: { args: { userId: string; id: string; dueAt: Date; now: Date }; result: void }
  asset_name: { args: { userId: string; id: string; namedMax: number; dueAt: Date; now: Date; name?: string | null }; result: 'named' | 'not_found' | 'too_many' }
  asset_named: { args: { userId: string; name: string; id: string; subject: string }; result: number }
  asset_upload_open: { args: { userId: string; upload: object; bytesMax: number; openMax: number; dueAt: Date; now: Date }; result: 'full' | 'opened' | 'too_many' }
  audit_add: { args: { actorId: string; action: string; now: Date; userId?: string | null; subject?: string | null; before?: object | null; after?: object | null; requestId?: string | null; reason?: string | null; id?: string | null }; result: string | null }
  audit_amount: { args: { balance: object; name: string }; result: number | string | null }
  audit_forget_invited: { args: { email: string }; result: void }
  audit_origin: { args: { url: string }; result: unknown | null }
  audit_redact: { args: { userId: string }; result: void }
  authority_end: { args: { teamId: string; ids: readonly string[]; now: Date }; result: void }
  authority_ends: { args: { teamId: string; userId: string; role?: string | null }; result: { kind: string | null; id: string; name: string | null }[] }
  authority_given: { args: { teamId: string; userId: string }; result: { kind: string | null; id: string; name: string | null; role: string }[] }
  authority_lock: { args: { teamId: string; now: Date }; result: void }
  authority_may: { args: { teamId: string; userId: string; role: string; now: Date }; result: boolean }
  authority_named: { args: { teamId: string; ids: readonly string[] }; result: { kind: string | null; id: string; name: unknown | null; madeBy: string | null }[] }
  authority_settle: { args: { teamId: string; userId: string; isOperator: boolean; now: Date }; result: string[] }
  authority_settle_all: { args: { userId: string; now: Date }; result: void }
  authority_suspend: { args: { teamId: string; userId: string; isSuspended: boolean; now: Date }; result: void }
  authority_suspension: { args: {  }; result: string | null }
  authority_sweep: { args: { now: Date }; result: void }
  authority_take_over: { args: { teamId: string; ids: readonly string[]; actorId: string; now: Date; userId?: string | null }; result: 'forbidden' | 'not_found' | 'taken' }
  base32: { args: { bits: number }; result: string | null }
  catalogue_claim_comparison: { args: { account: string; lease: string; until: Date; firstAt: Date; nextAt: Date; isNow: boolean; now: Date }; result: boolean }
  catalogue_finish_comparison: { args: { account: string; lease: string; findings: object; now: Date; problem?: string | null }; result: void }
  catalogue_put: { args: { file: string; version: number; entry: string; reason: string; now: Date; actorId: string; former?: string | null; requestId?: string | null }; result: 'changed' | 'taken' | 'unchanged' }
  catalogue_restore: { args: { file: string; version: number; reason: string; now: Date; actorId: string; requestId?: string | null }; result: 'restored' | 'unchanged' }
  catalogue_return_comparison: { args: { account: string; lease: string; now: Date }; result: void }
  catalogue_set_switch: { args: { model: string; account: string; isOn: boolean; reason: string; now: Date; actorId?: string | null; requestId?: string | null }; result: 'switched' | 'unchanged' }
  catalogue_take: { args: { account: string; kind: string; name: string; model: string; digest: string; version: number; entry: string; reason: string; now: Date; actorId: string; former?: string | null; requestId?: string | null }; result: 'changed' | 'taken' | 'unchanged' }
  check_clock: { args: { now: Date }; result: void }
  clock_limit: { args: {  }; result: string | null }
  code_create: { args: { id: string; code: string; credits: number; creditDays: number; usesMax: number; newCustomers: boolean; expiresAt: Date; now: Date; networkMax?: number | null; note?: string | null; actorId?: string | null; requestId?: string | null }; result: 'created' | 'taken' }
  code_end: { args: { id: string; now: Date; actorId?: string | null; requestId?: string | null }; result: 'ended' | 'not_found' | 'unchanged' }
  commit_in_two_phases: { args: { userId: string }; result: void }
  cost_difference_share: { args: {  }; result: number | string | null }
  credit_adjust: { args: { userId: string; packageId: string; credits: number; expiresAt: Date; now: Date; adminId: string; remark?: string | null; key?: string | null; requestHash?: Buffer | null; requestId?: string | null; collects?: boolean; source?: string | null }; result: { outcome: 'granted' | 'key_reused' | 'replayed'; package: unknown | null } }
  credit_balance: { args: { userId: string; now: Date }; result: { available: number; frozen: number; used: number; total: number; expiringSoon: number; expired: number; clawedBack: number; owed: number } }
  credit_balance_all: { args: { requests: object; now: Date }; result: { available: number; frozen: number; used: number; total: number; expiringSoon: number; isDue: boolean; expired: number; clawedBack: number; owed: number }[] }
  credit_claim_refund: { args: { userId: string; source: string; parts: object; now: Date }; result: void }
  credit_claim_shares: { args: { userId: string; rootId: string }; result: { userId: string | null; packageId: string | null; claimed: number }[] }
  credit_claw_back: { args: { userId: string; source: string; now: Date }; result: void }
  credit_correction_key: { args: { adminId: string; operation: string; key: string; requestHash: Buffer; userId: string; entryId: string; now: Date }; result: { outcome: 'key_reused' | 'replayed'; entry: unknown | null } }
  credit_count_waiting: { args: { userIds: readonly string[]; by: number }; result: void }
  credit_forgive_owed: { args: { userId: string; credits: number }; result: void }
  credit_gift_refusal: { args: { limits: object; now: Date }; result: string | null }
  credit_gift_seen: { args: { userId: string; state: string; now: Date }; result: void }
  credit_grant: { args: { userId: string; packageId: string; source: string; transType: string; credits: number; expiresAt: Date; now: Date; orderNo: string; remark: string; actorId?: string | null; collects?: boolean }; result: { userId: string; id: string; transType: string; source: string; orderNo: string | null; parentId: string | null; rootId: string | null; fromUserId: string | null; fromPackageId: string | null; initial: number; remaining: number; frozen: number; used: number; expired: number; clawedBack: number; taken: number; collected: number; refundClaimed: number; repaid: number; forgiven: number; passedOn: number; assumed: number; moved: number; transferred: number; expiresAt: Date; createdAt: Date } }
  credit_grant_gift: { args: { userId: string; packageId: string; credits: number; expiresAt: Date; now: Date; limits?: object | null; collects?: boolean }; result: string | null }
  credit_is_personal: { args: { source: string }; result: boolean }
  credit_lock: { args: { userId: string; now: Date }; result: { userId: string; number: number; available: number; frozen: number; used: number; expired: number; clawedBack: number; total: number; transactions: number; historyHash: Buffer; openHolds: number; waitingHolds: number; nextExpiryAt: Date; lowCredits: number | null; giftAt: Date | null; giftRefusal: string | null; giftSeen: string | null; movedAt: Date; createdAt: Date } }
  credit_lock_accounts: { args: { userIds: readonly string[]; now: Date; opens?: boolean }; result: void }
  credit_notify_expiry: { args: { afterAt: Date; afterUserId: string; until: Date; limit: number; now: Date }; result: { lastAt: Date | null; lastUserId: string | null } }
  credit_notify_low: { args: { userIds: readonly string[]; available: readonly number[]; lowCredits: readonly number[]; now: Date }; result: void }
  credit_origin: { args: { userId: string; packageId: string }; result: { userId: string | null; transType: string; source: string | null; used: number }[] }
  credit_owed: { args: { userId: string }; result: number }
  credit_owed_packages: { args: { userId: string }; result: { packageId: string | null; owed: number }[] }
  credit_pay_owed: { args: { userId: string; credits: number; now: Date; packageId?: string | null; remark?: string; actorId?: string | null; dryRun?: boolean }; result: unknown | null }
  credit_payment_source: { args: { source: string }; result: string | null }
  credit_redeem: { args: { userId: string; code: string; packageId: string; now: Date; limits?: object | null; requestId?: string | null; collects?: boolean }; result: { outcome: string; credits: number | null; expiresAt: Date | null } }
  credit_refund_claim_remark: { args: { userId: string; source: string }; result: string | null }
  credit_refund_claim_shortfall: { args: { userId: string; rootId: string }; result: number }
  credit_return_source: { args: { userId: string; rootId: string }; result: string | null }
  credit_reverse_expiry: { args: { userId: string; packageId: string; now: Date; reason: string; adminId: string; expiresAt?: Date | null; key?: string | null; requestHash?: Buffer | null; requestId?: string | null; dryRun?: boolean }; result: { outcome: 'key_reused' | 'not_found' | 'nothing' | 'past' | 'replayed' | 'reversed'; credits: number | null; expiresAt: Date | null } }
  credit_row_time: { args: { userId: string; now: Date }; result: Date | null }
  credit_set_low: { args: { userId: string; now: Date; lowCredits?: number | null }; result: void }
  credit_settle_owed: { args: { userId: string; forgives: boolean; credits: number; now: Date; reason: string; adminId: string; key?: string | null; requestHash?: Buffer | null; requestId?: string | null; dryRun?: boolean }; result: { outcome: 'insufficient' | 'key_reused' | 'replayed' | 'settled'; owed: number | null; available: number | null; packages: unknown | null } }
  credit_slice_rest: { args: { packageCredits: readonly number[]; rest: number }; result: number[] }
  credit_take: { args: { userId: string; credits: number; now: Date; reason: string; adminId: string; key?: string | null; requestHash?: Buffer | null; requestId?: string | null; dryRun?: boolean }; result: { outcome: 'insufficient' | 'key_reused' | 'replayed' | 'taken'; available: number | null; packages: unknown | null } }
  credit_trans_no: { args: { account: number; n: number }; result: string | null }
  credit_transfer: { args: { userId: string; teamId: string; transferId: string; credits: number; now: Date; key?: string | null; requestHash?: Buffer | null; collects?: boolean }; result: { outcome: 'insufficient' | 'key_reused' | 'locked' | 'moved' | 'not_found' | 'owed' | 'replayed'; transferId: string | null; credits: number | null; packages: unknown | null } }
  credit_transferable: { args: { userId: string; now: Date }; result: { packageId: string | null; transType: string; credits: number; expiresAt: Date | null }[] }
  credit_wait_for_account: { args: { userId: string; now: Date }; result: void }
  credit_worth: { args: { userId: string; packageId: string }; result: { usd: number | string | null; cents: number | string; currency: string; product: string | null }[] }
  credit_worth_is_open: { args: { userId: string; source: string }; result: boolean }
  credit_write_expiry: { args: { userIds: readonly string[]; until: Date; now: Date }; result: void }
  credit_write_off: { args: { userIds: readonly string[]; now: Date }; result: void }
  credit_write_transfer: { args: { userId: string; teamId: string; transferId: string; credits: number; now: Date; collects: boolean }; result: unknown | null }
  cut_create: { args: { request: object; now: Date }; result: { outcome: string; available: number | null; id: string | null }[] }
  epoch_ms: { args: { time: Date }; result: number }
  explore_decide: { args: { id: string; removes: boolean; actorId: string; requestId: string; reason: string; now: Date }; result: { outcome: 'kept' | 'not_found' | 'removed' | 'unchanged'; userId: string | null; videoId: string | null; removalReason: string | null }[] }
  explore_publish: { args: { userId: string; videoId: string; id: string; showsName: boolean; now: Date; administratorId?: string | null }; result: 'published' | 'removed' }
  explore_report_film: { args: { id: string; reportId: string; reporterId: string; reason: string; max: number; now: Date; note?: string | null }; result: 'not_found' | 'reported' | 'too_many' | 'unchanged' }
  film_aspect_ratio: { args: { ordered: string; width: number; height: number }; result: string | null }
  film_costs: { args: { since: Date; until: Date; account?: string | null; zone?: string }; result: { userId: string | null; id: string; day: Date; model: string; account: string; vendorModel: string; isMade: boolean; isCancelled: boolean; filmS: number | string | null; credits: number; generationS: number; statedUsd: number | string | null; reservedUsd: number | string | null; catalogueUsd: number | string | null; usd: number | string | null; differs: boolean; unpricedUnit: string | null; statedCost: number | string | null; earnedUsd: number | string; unvaluedCredits: number }[] }
  film_differs: { args: { video: Fragment }; result: boolean }
  film_has_ratio: { args: { ratio: string; width: number; height: number }; result: boolean }
  film_other_ratio: { args: { width: number; height: number }; result: string | null }
  film_quality: { args: { ordered: string; width: number; height: number }; result: string | null }
  film_sum_day: { args: { day: Date }; result: void }
  film_sum_days_of: { args: { userId: string; source: string }; result: Date[] }
  film_sum_forget: { args: { span: string; since: Date }; result: void }
  film_sum_month: { args: { month: Date }; result: void }
  film_sum_next: { args: { now: Date }; result: boolean }
  film_sum_of_month: { args: { since: Date; until: Date }; result: { userId: string | null; groupedBy: string; span: string; since: Date; model: string; account: string; vendorModel: string; films: number; failed: number; cancelled: number; filmSeconds: number | string; creditsEarned: number; creditsReturned: number; statedCosts: number; reservedCosts: number; catalogueCosts: number; unknownCosts: number; knownUsd: number | string; differing: number; differingExpectedUsd: number | string; differingFoundUsd: number | string; earnedUsd: number | string; unvaluedCredits: number; knownEarnedUsd: number | string; knownUnvalued: number; seconds: string | null; unpriced: string | null }[] }
  film_sum_pairs: { args: { pairs: string }; result: string | null }
  film_sum_stale_days: { args: {  }; result: Date[] }
  film_sums: { args: { since: Date; until: Date; groupings: readonly string[]; account?: string | null; zone?: string }; result: { userId: string | null; groupedBy: string; span: string; since: Date; model: string; account: string; vendorModel: string; films: number; failed: number; cancelled: number; filmSeconds: number | string; creditsEarned: number; creditsReturned: number; statedCosts: number; reservedCosts: number; catalogueCosts: number; unknownCosts: number; knownUsd: number | string; differing: number; differingExpectedUsd: number | string; differingFoundUsd: number | string; earnedUsd: number | string; unvaluedCredits: number; knownEarnedUsd: number | string; knownUnvalued: number; seconds: string | null; unpriced: string | null }[] }
  first_id: { args: { time: Date }; result: string | null }
  history_chain_next: { args: { state: Buffer; head: Buffer; text: string }; result: Buffer | null }
  history_hash: { args: { before: Buffer; text: string }; result: Buffer | null }
  history_text: { args: { n: number; id: string; transNo: string; transType: string; credits: number; balanceAfter: number; packageId: string; videoId: string; orderNo: string; remark: string; actorId: string; source: string; expiresAt: Date; graces: object; createdAt: Date }; result: string | null }
  hold: { args: { userId: string; holdId: string; credits?: number | null; maxOpen?: number | null; keyId?: string | null; tokenId?: string | null; remark?: string | null; grace?: string | null; batchSize?: number | null; batchCredits?: number | null; mayWait?: boolean | null }; result: { userId: string | null; holdId: string | null; credits: number | null; maxOpen: number | null; keyId: string | null; tokenId: string | null; remark: string | null; grace: string | null; batchSize: number | null; batchCredits: number | null; mayWait: boolean | null } }
  idempotency_give_back: { args: { userId: string; operation: string; key: string }; result: void }
  idempotency_give_back_beside: { args: { ownerId: string; operation: string; key: string }; result: void }
  idempotency_take: { args: { userId: string; operation: string; key: string; requestHash: Buffer; subjectUserId: string; subjectId: string; now: Date }; result: { outcome: 'key_reused' | 'replayed'; subjectUserId: string | null; subjectId: string | null } }
  idempotency_take_beside: { args: { ownerId: string; operation: string; key: string; requestHash: Buffer; subjectId: string; now: Date }; result: { outcome: string; subjectId: string | null } }
  incident_set: { args: { id: string; incident: object; reason: string; actorId: string; requestId: string; now: Date }; result: 'set' | 'unchanged' }
  input_video: { args: { inputs: object }; result: string | null }
  invitation_create: { args: { id: string; tokenHash: Buffer; credits: number; replacesGift: boolean; expiresAt: Date; now: Date; email?: string | null; actorId?: string | null; requestId?: string | null }; result: void }
  invitation_revoke: { args: { id: string; now: Date; actorId?: string | null; requestId?: string | null }; result: 'not_found' | 'revoked' | 'unchanged' | 'used' }
  invitation_take: { args: { tokenHash: Buffer; email: string; userId: string; now: Date }; result: boolean }
  is_administrator: { args: { userId: string; now: Date }; result: boolean }
  is_banned: { args: { userId: string; now: Date }; result: boolean }
  is_last_administrator: { args: { userId: string; now: Date }; result: boolean }
  is_test: { args: { userId: string }; result: boolean }
  iso_time: { args: { time: Date }; result: string | null }
  key_token_make: { args: { userId: string; id: string; keyId: string; subject: string; scopes: readonly string[]; budget: number; expiresAt: Date; now: Date }; result: 'made' }
  ledger_check_lease: { args: {  }; result: string | null }
  ledger_check_progress: { args: { id: string; users: number; differences: object; state?: string; error?: string | null }; result: boolean }
  ledger_check_start: { args: { id: string; startedBy?: string | null }; result: { id: string; state: string; startedBy: string | null; startedAt: Date; updatedAt: Date; finishedAt: Date | null; usersTotal: number; users: number; total: number; differences: unknown; error: string | null } }
  longest_deadline: { args: {  }; result: string | null }
  mail_add: { args: { id: string; kind: string; key: string; recipient: string; data: object; expiresAt: Date; now: Date; userId?: string | null; link?: Buffer | null }; result: boolean }
  mail_claim: { args: { limit: number; lease: string; leaseUntil: Date; now: Date }; result: { id: string; userId: string | null; kind: string | null; isNotice: boolean; recipient: string; data: unknown; link: Buffer | null; attempt: number; createdAt: Date; language: string | null }[] }
  mail_expire: { args: { limit: number; now: Date }; result: number }
  mail_is_wanted: { args: { userId: string; kind: string }; result: boolean }
  mail_record: { args: { id: string; lease: string; state: string; response: string; now: Date; dueAt?: Date | null }; result: 'recorded' | 'stale' }
  mail_retry: { args: { id: string; actorId: string; requestId: string; now: Date; reason?: string | null }; result: 'not_found' | 'not_sendable' | 'retried' }
  mail_set_wanted: { args: { userId: string; kind: string; isWanted: boolean; now: Date }; result: void }
  mail_write: { args: { userIds: readonly string[]; kinds: readonly string[]; keys: readonly string[]; data: readonly object[]; now: Date }; result: void }
  mail_write_one: { args: { userId: string; kind: string; key: string; data: object; now: Date }; result: void }
  movement: { args: { userId: string; transType: string; credits: number; frozen?: number; expired?: number; clawedBack?: number; total?: number; openHolds?: number; nextExpiryAt?: Date; packageId?: string | null; videoId?: string | null; orderNo?: string | null; remark?: string | null; actorId?: string | null; source?: string | null; expiresAt?: Date | null; graces?: object | null }; result: { userId: string | null; transType: string | null; credits: number | null; frozen: number | null; expired: number | null; clawedBack: number | null; total: number | null; openHolds: number | null; nextExpiryAt: Date | null; packageId: string | null; videoId: string | null; orderNo: string | null; remark: string | null; actorId: string | null; source: string | null; expiresAt: Date | null; graces: unknown | null } }
  owner_forget: { args: { userId: string }; result: void }
  payment_apply: { args: { userId: string; processor: string; effects: object; now: Date }; result: void }
  payment_claim_retries: { args: { now: Date; limit: number }; result: { id: string; processor: string; body: string }[] }
  payment_dismiss: { args: { id: string; reason: string; actorId: string; requestId: string; now: Date }; result: string | null }
  payment_facts: { args: { effects: object }; result: string[] }
  payment_find_unmatched: { args: { processor: string; ids: readonly string[]; seen: readonly string[] }; result: { id: string; body: string }[] }
  payment_find_user: { args: { processor: string; refs: readonly string[]; named?: string | null }; result: string | null }
  payment_lacking: { args: { userId: string; processor: string; now: Date }; result: string[] }
  payment_lacks: { args: {  }; result: string | null }
  payment_lacks_return: { args: { processor: string; effect: object }; result: boolean }
  payment_lagging_records: { args: { processor: string; now: Date }; result: string[] }
  payment_link: { args: { userId: string; processor: string; ids: readonly string[]; source: string; now: Date }; result: void }
  payment_missing: { args: { processor: string; effects: object }; result: number[] }
  payment_own: { args: { userId: string; processor: string; source: string }; result: boolean }
  payment_receive: { args: { id: string; processor: string; externalId: string; type: string; refs: readonly string[]; effects: object; state: string; body: string; now: Date; userId?: string | null; named?: string | null; reason?: string | null; problem?: string | null; actorId?: string | null; requestId?: string | null }; result: string | null }
  payment_record: { args: { userId: string; processor: string; payment: object; now: Date }; result: void }
  payment_refund_begin: { args: { id: string; userId: string; source: string; reason: string; actorId: string; now: Date; cents?: number | null; requestId?: string | null }; result: 'begun' | 'busy' | 'disputed' | 'not_found' | 'nothing_left' | 'too_much' }
  payment_refund_claim: { args: { now: Date; limit: number }; result: { userId: string; id: string; processor: string; source: string; cents: number; isWhole: boolean; returned: number | string; reason: string; actorId: string; state: string; externalId: string | null; answer: string | null; dueAt: Date; tries: number; createdAt: Date; endedAt: Date | null }[] }
  payment_refund_end: { args: { userId: string; id: string; now: Date; externalId?: string | null; answer?: string | null }; result: void }
  payment_refundable: { args: { userId: string; source: string; now: Date }; result: { processor: string; currency: string; paid: number | string; returned: number | string; pending: number | string | null; isDisputed: boolean }[] }
  payment_returns_unknown: { args: { processor: string; effects: object }; result: boolean }
  payment_settle: { args: { userId: string; processor: string; chain: string; now: Date }; result: void }
  payment_settle_source: { args: { userId: string; processor: string; source: string; now: Date }; result: void }
  payment_store: { args: { id: string; processor: string; externalId: string; type: string; refs: readonly string[]; state: string; reason: string; body: string; now: Date; problem: string }; result: { processor: string; externalId: string; id: string; type: string; state: string; reason: string | null; problem: string | null; userId: string | null; refs: string[]; sources: string[] | null; facts: string[]; body: string; receivedAt: Date; appliedAt: Date | null; appliedBy: string | null; retryAt: Date | null; retries: number; dismissedAt: Date | null; dismissedBy: string | null; dismissedReason: string | null } }
  payment_take_back: { args: { userId: string; processor: string; return: object; now: Date }; result: void }
  plan_margins: { args: { since: Date; until: Date }; result: { plan: string | null; films: number; credits: number; unvaluedCredits: number; unknownCredits: number; earnedUsd: number | string; knownEarnedUsd: number | string; costUsd: number | string | null }[] }
  project_change: { args: { userId: string; id: string; version: number; change: object; changedBy: string; now: Date; order?: readonly string[] | null }; result: 'changed' | 'not_found' | 'other_shots' | 'stale' }
  project_delete: { args: { userId: string; id: string; actorId: string; now: Date }; result: 'deleted' | 'not_found' }
  project_erase: { args: { userId: string }; result: void }
  project_make: { args: { userId: string; project: object; shots: object; madeBy: string; max: number; now: Date }; result: 'made' | 'too_many' }
  provider_free_slots: { args: { account: string; holders: readonly string[]; now: Date }; result: number }
  provider_lock_slot: { args: { account: string; kind: string; slots: number; holder: string; now: Date }; result: number }
  provider_take_slot: { args: { account: string; holder: string; now: Date; concurrency?: number | null; count?: number | null; seconds?: number | null }; result: { outcome: 'full' | 'later' | 'taken'; freeAt: Date | null } }
  provider_try_slot: { args: { account: string; kind: string; n: number }; result: boolean }
  reconcile_claim: { args: { processor: string; lease: string; until: Date; interval: string; isNow: boolean; now: Date }; result: boolean }
  reconcile_finish: { args: { processor: string; lease: string; found: object; now: Date; error?: string | null }; result: void }
  redemption_refusal: { args: { userId: string; codeId: string; newCustomers: boolean; networkMax: number; limits: object }; result: 'network_limit' | 'not_new' | 'person_used' }
  route_claim_probe: { args: { account: string; model: string; now: Date }; result: boolean }
  route_set_failing: { args: { account: string; model: string; isFailing: boolean; now: Date; recoveredAt?: Date | null; unknownModel?: string | null }; result: boolean }
  service_actor: { args: {  }; result: string | null }
  shot_add: { args: { userId: string; projectId: string; shots: object; madeBy: string; max: number; now: Date; after?: string | null }; result: 'added' | 'no_such_shot' | 'not_found' | 'too_many' }
  shot_change: { args: { userId: string; projectId: string; id: string; version: number; change: object; changedBy: string; now: Date }; result: 'changed' | 'cut_backward' | 'no_take' | 'not_found' | 'stale' }
  shot_delete: { args: { userId: string; projectId: string; id: string; deletedBy: string; now: Date; version?: number | null }; result: 'deleted' | 'not_found' | 'stale' }
  shot_insert: { args: { userId: string; projectId: string; after: number; shots: object; madeBy: string; now: Date }; result: void }
  spending_alert_set: { args: { userId: string; now: Date; dayCredits?: number | null; weekCredits?: number | null }; result: void }
  subject_erase: { args: { userId: string; subject: string; now: Date }; result: void }
  subject_erase_traces: { args: { userId: string; ids: readonly string[]; now: Date }; result: void }
  subscription_apply: { args: { userId: string; processor: string; facts: object; now: Date }; result: void }
  subscription_apply_status: { args: { userId: string; processor: string; facts: object; isTied: boolean; now: Date }; result: void }
  takedown_answer: { args: { id: string; lifts: boolean; reason: string; actorId: string; requestId: string; now: Date }; result: 'answered' | 'not_found' | 'unchanged' }
  takedown_applied: { args: { id: string; state: string; cutIds: readonly string[]; hashes: readonly string[]; now: Date }; result: void }
  takedown_decide: { args: { id: string; userId: string; videoId: string; state: string; ground: string; rule: string; source: string; isAutomated: boolean; reason: string; actorId: string; requestId: string; now: Date }; result: { outcome: 'decided' | 'unchanged'; id: string | null } }
  takedown_has: { args: { sha256: Buffer }; result: boolean }
  takedown_object: { args: { id: string; objection: string; within: string; now: Date }; result: 'late' | 'lifted' | 'not_found' | 'recorded' | 'unchanged' }
  team_change: { args: { teamId: string; hasFactor: boolean; actorId: string; now: Date; name?: string | null; requiresFactor?: boolean | null }; result: 'changed' | 'factor_missing' | 'forbidden' | 'not_found' }
  team_create: { args: { id: string; userId: string; name: string; max: number; now: Date }; result: 'created' | 'not_found' | 'too_many' }
  team_delete: { args: { teamId: string; actorId: string; emailHash: Buffer; requestId: string; owed: number; now: Date; reason?: string | null }; result: 'deleted' | 'forbidden' | 'not_found' | 'owed' | 'subscribed' }
  team_invitation_accept: { args: { tokenHash: Buffer; userId: string; max: number; now: Date }; result: { outcome: 'accepted' | 'not_found' | 'too_many'; teamId: string | null } }
  team_is_last_owner: { args: { teamId: string; userId: string }; result: boolean }
  team_leave_all: { args: { userId: string; isOperator: boolean; now: Date }; result: boolean }
  team_lock: { args: { teamId: string; isLocked: boolean; reason: string; actorId: string; requestId: string; now: Date }; result: 'changed' | 'not_found' | 'unchanged' }
  team_log: { args: { teamId: string; action: string; subject: string; now: Date; actorId?: string | null; before?: object | null; after?: object | null }; result: void }
  team_make_owner: { args: { teamId: string; userId: string; reason: string; actorId: string; requestId: string; now: Date }; result: 'changed' | 'not_found' | 'unchanged' }
  team_may_manage: { args: { actorRole: string; role: string }; result: boolean }
  team_member_change: { args: { teamId: string; userId: string; takeOver: readonly string[]; actorId: string; now: Date; role?: string | null }; result: 'changed' | 'forbidden' | 'last_owner' | 'not_found' | 'not_given' }
  team_pass_on_owed: { args: { teamId: string; now: Date }; result: void }
  team_revoke_members: { args: { teamId: string }; result: void }
  time_of_grant: { args: { now: Date }; result: Date | null }
  top_up_claim: { args: { limit: number; lease: string; leaseUntil: Date; now: Date }; result: { userId: string; id: string; product: string; state: string; externalId: string | null; url: string | null; reason: string | null; attempt: number; lease: string | null; dueAt: Date | null; createdAt: Date }[] }
  top_up_record: { args: { userId: string; id: string; lease: string; state: string; notice: object; now: Date; dueAt?: Date | null; externalId?: string | null; url?: string | null; reason?: string | null }; result: boolean }
  top_up_set: { args: { userId: string; now: Date; product?: string | null; below?: number | null; monthMax?: number | null; paused?: string | null }; result: void }
  usage_sum_day: { args: { day: Date }; result: void }
  user_search: { args: { pattern: string; limit: number; before?: string | null }; result: string[] }
  user_search_count: { args: { pattern: string; max: number }; result: number }
  uuid_of_set: { args: { seed: Buffer; n: number }; result: string | null }
  uuid_v7: { args: { now: Date; sequence?: number | null }; result: string | null }
  verify: { args: { from?: string; to?: string | null }; result: { userId: string | null; subject: string | null; rule: string; expected: string | null; found: string }[] }
  verify_account: { args: { from: string; to: string }; result: { userId: string | null; subject: string | null; rule: string; expected: string | null; found: string }[] }
  verify_audit: { args: { from: string; to: string }; result: { userId: string | null; subject: string | null; rule: string; expected: string | null; found: string }[] }
  verify_audit_entry: { args: { from: string; to: string }; result: { userId: string | null; subject: string | null; rule: string; expected: string | null; found: string }[] }
  verify_correction: { args: { from: string; to: string }; result: { userId: string | null; subject: string | null; rule: string; expected: string | null; found: string }[] }
  verify_count: { args: { from: string; to: string }; result: { userId: string | null; subject: string | null; rule: string; expected: string | null; found: string }[] }
  verify_deletion: { args: { from: string; to: string }; result: { userId: string | null; subject: string | null; rule: string; expected: string | null; found: string }[] }
  verify_film_sum: { args: { since?: Date | null; until?: Date | null }; result: { userId: string | null; subject: string | null; rule: string; expected: string | null; found: string }[] }
  verify_gift: { args: { from: string; to: string }; result: { userId: string | null; subject: string | null; rule: string; expected: string | null; found: string }[] }
  verify_grace: { args: { from: string; to: string }; result: { userId: string | null; subject: string | null; rule: string; expected: string | null; found: string }[] }
  verify_history: { args: { from: string; to: string }; result: { userId: string | null; subject: string | null; rule: string; expected: string | null; found: string }[] }
  verify_idempotency_key: { args: { from: string; to: string }; result: { userId: string | null; subject: string | null; rule: string; expected: string | null; found: string }[] }
  verify_invitation: { args: { from: string; to: string }; result: { userId: string | null; subject: string | null; rule: string; expected: string | null; found: string }[] }
  verify_key_usage: { args: { from: string; to: string }; result: { userId: string | null; subject: string | null; rule: string; expected: string | null; found: string }[] }
  verify_package: { args: { from: string; to: string }; result: { userId: string | null; subject: string | null; rule: string; expected: string | null; found: string }[] }
  verify_payment: { args: { from: string; to: string }; result: { userId: string | null; subject: string | null; rule: string; expected: string | null; found: string }[] }
  verify_payment_claim: { args: { from: string; to: string }; result: { userId: string | null; subject: string | null; rule: string; expected: string | null; found: string }[] }
  verify_payment_event: { args: { from: string; to: string }; result: { userId: string | null; subject: string | null; rule: string; expected: string | null; found: string }[] }
  verify_payment_package: { args: { from: string; to: string }; result: { userId: string | null; subject: string | null; rule: string; expected: string | null; found: string }[] }
  verify_payment_packages: { args: { from: string; to: string }; result: { userId: string | null; id: string; parentId: string | null; transType: string; source: string | null; initial: number }[] }
  verify_payment_price: { args: { from: string; to: string }; result: { userId: string | null; subject: string | null; rule: string; expected: string | null; found: string }[] }
  verify_payment_refund_claims: { args: { from: string; to: string }; result: { userId: string | null; source: string | null; key: string; part: number | string }[] }
  verify_payment_returns: { args: { from: string; to: string }; result: { userId: string | null; n: number; source: string | null }[] }
  verify_range_end: { args: { from: string; rows: number }; result: string | null }
  verify_redemption: { args: { from: string; to: string }; result: { userId: string | null; subject: string | null; rule: string; expected: string | null; found: string }[] }
  verify_refund_claim: { args: { from: string; to: string }; result: { userId: string | null; subject: string | null; rule: string; expected: string | null; found: string }[] }
  verify_return: { args: { from: string; to: string }; result: { userId: string | null; subject: string | null; rule: string; expected: string | null; found: string }[] }
  verify_slice: { args: { from: string; to: string }; result: { userId: string | null; subject: string | null; rule: string; expected: string | null; found: string }[] }
  verify_sum_row: { args: { expected: object; found: object }; result: { userId: string | null; subject: string | null; rule: string; expected: string | null; found: string }[] }
  verify_test_source: { args: { source: string }; result: boolean }
  verify_transfer: { args: { from: string; to: string }; result: { userId: string | null; subject: string | null; rule: string; expected: string | null; found: string }[] }
  verify_usage_sum: { args: { from: string; to: string }; result: { userId: string | null; subject: string | null; rule: string; expected: string | null; found: string }[] }
  verify_video: { args: { from: string; to: string }; result: { userId: string | null; subject: string | null; rule: string; expected: string | null; found: string }[] }
  video_apply: { args: { steps: object; now: Date }; result: string[] }
  video_arrange: { args: { userId: string; ids: readonly string[]; moves: boolean; now: Date; favourite?: boolean | null; folderId?: string | null }; result: string[] | null }
  video_begin_waiting: { args: { userId: string; id: string; lease: string; maxInProgress: number; now: Date }; result: number }
  video_changed: { args: { video: Fragment; outcome: string; entry?: string | null; detail?: string | null; taskId?: string | null; credits?: string | null; graceS?: number | null; isOnce?: boolean }; result: { outcome: string; video: Fragment | null; isChanged: boolean | null; entry: string | null; detail: string | null; isOnce: boolean | null; taskId: string | null; credits: string | null; graceS: number | null } }
  video_claim_oldest: { args: { statuses: readonly string[]; count: number; lease: string; leaseUntil: Date; now: Date; bucket?: number | null }; result: { userId: string; id: string; prompt: string; model: string; durationS: number; aspectRatio: string; quality: string; mode: string; madeOf: unknown | null; seed: number | null; negativePrompt: string | null; audio: boolean | null; options: unknown | null; remixedFrom: string | null; batchId: string | null; madeBy: string | null; subject: string | null; metadata: unknown | null; credits: number; secondRate: number | string | null; hasTrigrams: boolean; status: string; isWaiting: boolean; providers: string[]; providerIndex: number; providerTaskId: string | null; providerHandle: Buffer | null; submittedAt: Date | null; acceptedAt: Date | null; resultAt: Date | null; resultUrl: string | null; otherResultUrl: string | null; lostAt: Date | null; queuePosition: number | null; expectedAt: Date | null; routeModel: string | null; catalogueUsd: number | string | null; unitRates: unknown | null; reservedCost: number | string | null; finalCost: number | string | null; costUnit: string | null; unitUsd: number | string | null; progress: number | null; usualS: number; errorCode: string | null; error: string | null; videoKey: string | null; thumbnailKey: string | null; manifestKey: string | null; sizeBytes: number | null; filmDurationS: number | null; filmWidth: number | null; filmHeight: number | null; favourite: boolean; folderId: string | null; isReplayable: boolean | null; filesRemovedAt: Date | null; createdAt: Date; completedAt: Date | null; deletedAt: Date | null; updatedAt: Date; dueAt: Date | null; deadlineAt: Date; attempt: number; leaseId: string | null; leaseUntil: Date | null }[] }
  video_claim_round_robin: { args: { status: string; count: number; perUserMax: number; window: number; userIds: readonly string[]; running: readonly number[]; lease: string; leaseUntil: Date; now: Date }; result: { userId: string; id: string; prompt: string; model: string; durationS: number; aspectRatio: string; quality: string; mode: string; madeOf: unknown | null; seed: number | null; negativePrompt: string | null; audio: boolean | null; options: unknown | null; remixedFrom: string | null; batchId: string | null; madeBy: string | null; subject: string | null; metadata: unknown | null; credits: number; secondRate: number | string | null; hasTrigrams: boolean; status: string; isWaiting: boolean; providers: string[]; providerIndex: number; providerTaskId: string | null; providerHandle: Buffer | null; submittedAt: Date | null; acceptedAt: Date | null; resultAt: Date | null; resultUrl: string | null; otherResultUrl: string | null; lostAt: Date | null; queuePosition: number | null; expectedAt: Date | null; routeModel: string | null; catalogueUsd: number | string | null; unitRates: unknown | null; reservedCost: number | string | null; finalCost: number | string | null; costUnit: string | null; unitUsd: number | string | null; progress: number | null; usualS: number; errorCode: string | null; error: string | null; videoKey: string | null; thumbnailKey: string | null; manifestKey: string | null; sizeBytes: number | null; filmDurationS: number | null; filmWidth: number | null; filmHeight: number | null; favourite: boolean; folderId: string | null; isReplayable: boolean | null; filesRemovedAt: Date | null; createdAt: Date; completedAt: Date | null; deletedAt: Date | null; updatedAt: Date; dueAt: Date | null; deadlineAt: Date; attempt: number; leaseId: string | null; leaseUntil: Date | null }[] }
  video_cost: { args: { credits: number; secondRate: number | string; filmDurationS: number }; result: number }
  video_end_lease: { args: { video: Fragment; dueAt: Date }; result: { userId: string; id: string; prompt: string; model: string; durationS: number; aspectRatio: string; quality: string; mode: string; madeOf: unknown | null; seed: number | null; negativePrompt: string | null; audio: boolean | null; options: unknown | null; remixedFrom: string | null; batchId: string | null; madeBy: string | null; subject: string | null; metadata: unknown | null; credits: number; secondRate: number | string | null; hasTrigrams: boolean; status: string; isWaiting: boolean; providers: string[]; providerIndex: number; providerTaskId: string | null; providerHandle: Buffer | null; submittedAt: Date | null; acceptedAt: Date | null; resultAt: Date | null; resultUrl: string | null; otherResultUrl: string | null; lostAt: Date | null; queuePosition: number | null; expectedAt: Date | null; routeModel: string | null; catalogueUsd: number | string | null; unitRates: unknown | null; reservedCost: number | string | null; finalCost: number | string | null; costUnit: string | null; unitUsd: number | string | null; progress: number | null; usualS: number; errorCode: string | null; error: string | null; videoKey: string | null; thumbnailKey: string | null; manifestKey: string | null; sizeBytes: number | null; filmDurationS: number | null; filmWidth: number | null; filmHeight: number | null; favourite: boolean; folderId: string | null; isReplayable: boolean | null; filesRemovedAt: Date | null; createdAt: Date; completedAt: Date | null; deletedAt: Date | null; updatedAt: Date; dueAt: Date | null; deadlineAt: Date; attempt: number; leaseId: string | null; leaseUntil: Date | null } }
  video_estimated_s: { args: { video: Fragment; now: Date }; result: number }
  video_files_due: { args: { now: Date; retryAt: Date; limit: number }; result: { userId: string | null; videoId: string | null; leaseId: string | null; videoKey: string | null; thumbnailKey: string | null; manifestKey: string | null; isOrphan: boolean }[] }
  video_files_removed: { args: { userId: string; id: string; reason: string; now: Date }; result: 'recorded' | 'unchanged' }
  video_folder_create: { args: { userId: string; id: string; name: string; madeBy: string; max: number; now: Date }; result: 'created' | 'taken' | 'too_many' }
  video_folder_delete: { args: { userId: string; id: string; batch: number; actorId: string; now: Date }; result: 'deleted' | 'more' | 'not_found' }
  video_folder_rename: { args: { userId: string; id: string; name: string; now: Date }; result: 'not_found' | 'renamed' | 'taken' }
  video_generate_all: { args: { requests: object; now: Date }; result: { outcome: string; available: number | null; id: string | null; model: string | null; credits: number | null; createdAt: Date | null; ids: string[] | null }[] }
  video_has_lease: { args: { video: Fragment; step: VideoStep; status?: string | null }; result: boolean }
  video_has_shots: { args: { request: GenerateRequest }; result: boolean }
  video_hide: { args: { userId: string; ids: readonly string[]; takedownId: string; filesDueAt: Date; now: Date }; result: void }
  video_ids_of_batch: { args: { userId: string; id: string }; result: string[] }
  video_is_logged: { args: { video: Fragment; entry: string }; result: boolean }
  video_lock_due: { args: { status: string; bucket: number; count: number; now: Date }; result: unknown }
  video_log_add: { args: { video: Fragment; entry: string; detail: string; now: Date }; result: void }
  video_match_report: { args: { video: Fragment; step: VideoStep }; result: 'final' | 'not_found' | 'other_task' }
  video_matches: { args: { video: Fragment; filter: object }; result: boolean }
  video_note_ends_read: { args: { userId: string; ids: readonly string[]; ofAll: boolean; madeBy?: string | null }; result: string[] }
  video_note_ends_unread: { args: { userId: string; ids: readonly string[] }; result: void }
  video_note_task: { args: { video: Fragment; step: VideoStep }; result: { userId: string; id: string; prompt: string; model: string; durationS: number; aspectRatio: string; quality: string; mode: string; madeOf: unknown | null; seed: number | null; negativePrompt: string | null; audio: boolean | null; options: unknown | null; remixedFrom: string | null; batchId: string | null; madeBy: string | null; subject: string | null; metadata: unknown | null; credits: number; secondRate: number | string | null; hasTrigrams: boolean; status: string; isWaiting: boolean; providers: string[]; providerIndex: number; providerTaskId: string | null; providerHandle: Buffer | null; submittedAt: Date | null; acceptedAt: Date | null; resultAt: Date | null; resultUrl: string | null; otherResultUrl: string | null; lostAt: Date | null; queuePosition: number | null; expectedAt: Date | null; routeModel: string | null; catalogueUsd: number | string | null; unitRates: unknown | null; reservedCost: number | string | null; finalCost: number | string | null; costUnit: string | null; unitUsd: number | string | null; progress: number | null; usualS: number; errorCode: string | null; error: string | null; videoKey: string | null; thumbnailKey: string | null; manifestKey: string | null; sizeBytes: number | null; filmDurationS: number | null; filmWidth: number | null; filmHeight: number | null; favourite: boolean; folderId: string | null; isReplayable: boolean | null; filesRemovedAt: Date | null; createdAt: Date; completedAt: Date | null; deletedAt: Date | null; updatedAt: Date; dueAt: Date | null; deadlineAt: Date; attempt: number; leaseId: string | null; leaseUntil: Date | null } }
  video_oldest_due: { args: { status: string; bucket: number; now: Date }; result: Date | null }
  video_page: { args: { userId: string; filter: object; isOldestFirst: boolean; skip: number; limit: number; cursor?: string | null }; result: string[] }
  video_progress: { args: { video: Fragment; now: Date }; result: number }
  video_progress_seen: { args: { video: Fragment; now: Date }; result: number }
  video_raise_progress: { args: { video: Fragment; progress: number; now: Date }; result: number }
  video_restore: { args: { userId: string; id: string; actorId: string; requestId: string; reason: string; now: Date; since?: Date | null }; result: 'gone' | 'not_deleted' | 'not_found' | 'restored' }
  video_search: { args: { userId: string; filter: object; isOldestFirst: boolean; limit: number; cursor?: string | null }; result: string[] }
  video_search_count: { args: { userId: string; filter: object; max: number }; result: number }
  video_show: { args: { userId: string; ids: readonly string[]; takedownId: string; now: Date }; result: void }
  video_signed: { args: { userId: string; id: string; sizeBytes: number; provenance: object; now: Date; manifestKey?: string | null }; result: 'gone' | 'recorded' }
  video_step_accept: { args: { video: Fragment; step: VideoStep; now: Date }; result: { outcome: 'accepted' | 'not_found' | 'recorded'; video: Fragment | null; isChanged: boolean | null; entry: string | null; detail: string | null; isOnce: boolean | null; taskId: string | null; credits: string | null; graceS: number | null } }
  video_step_add_link: { args: { video: Fragment; step: VideoStep; now: Date }; result: { outcome: 'unchanged' | 'uploading'; video: Fragment | null; isChanged: boolean | null; entry: string | null; detail: string | null; isOnce: boolean | null; taskId: string | null; credits: string | null; graceS: number | null } }
  video_step_begin_store: { args: { video: Fragment; step: VideoStep; now: Date }; result: { outcome: 'recorded' | 'stale'; video: Fragment | null; isChanged: boolean | null; entry: string | null; detail: string | null; isOnce: boolean | null; taskId: string | null; credits: string | null; graceS: number | null } }
  video_step_begin_submit: { args: { video: Fragment; step: VideoStep; now: Date }; result: { outcome: 'begun' | 'stale'; video: Fragment | null; isChanged: boolean | null; entry: string | null; detail: string | null; isOnce: boolean | null; taskId: string | null; credits: string | null; graceS: number | null } }
  video_step_cancel: { args: { video: Fragment; step: VideoStep; now: Date }; result: { outcome: 'cancelled' | 'final' | 'not_found' | 'submitted'; video: Fragment | null; isChanged: boolean | null; entry: string | null; detail: string | null; isOnce: boolean | null; taskId: string | null; credits: string | null; graceS: number | null } }
  video_step_complete: { args: { video: Fragment; step: VideoStep; now: Date }; result: { outcome: 'completed' | 'stale'; video: Fragment | null; isChanged: boolean | null; entry: string | null; detail: string | null; isOnce: boolean | null; taskId: string | null; credits: string | null; graceS: number | null } }
  video_step_defer: { args: { video: Fragment; step: VideoStep; now: Date }; result: { outcome: 'deferred' | 'stale'; video: Fragment | null; isChanged: boolean | null; entry: string | null; detail: string | null; isOnce: boolean | null; taskId: string | null; credits: string | null; graceS: number | null } }
  video_step_delete: { args: { video: Fragment; step: VideoStep; now: Date }; result: { outcome: 'deleted' | 'not_found'; video: Fragment | null; isChanged: boolean | null; entry: string | null; detail: string | null; isOnce: boolean | null; taskId: string | null; credits: string | null; graceS: number | null } }
  video_step_fail: { args: { video: Fragment; step: VideoStep; now: Date }; result: { outcome: 'failed' | 'final' | 'not_found' | 'stale'; video: Fragment | null; isChanged: boolean | null; entry: string | null; detail: string | null; isOnce: boolean | null; taskId: string | null; credits: string | null; graceS: number | null } }
  video_step_poll_now: { args: { video: Fragment; step: VideoStep; now: Date }; result: { outcome: 'final' | 'not_found' | 'other_task' | 'running' | 'scheduled' | 'unchanged'; video: Fragment | null; isChanged: boolean | null; entry: string | null; detail: string | null; isOnce: boolean | null; taskId: string | null; credits: string | null; graceS: number | null } }
  video_step_render: { args: { video: Fragment; step: VideoStep; now: Date }; result: { outcome: 'rendering' | 'stale'; video: Fragment | null; isChanged: boolean | null; entry: string | null; detail: string | null; isOnce: boolean | null; taskId: string | null; credits: string | null; graceS: number | null } }
  video_step_renew_lease: { args: { video: Fragment; step: VideoStep; now: Date }; result: { outcome: 'renewed' | 'stale'; video: Fragment | null; isChanged: boolean | null; entry: string | null; detail: string | null; isOnce: boolean | null; taskId: string | null; credits: string | null; graceS: number | null } }
  video_step_report_failure: { args: { video: Fragment; step: VideoStep; now: Date }; result: { outcome: 'cancelled' | 'failed' | 'final' | 'not_found' | 'other_task' | 'unchanged'; video: Fragment | null; isChanged: boolean | null; entry: string | null; detail: string | null; isOnce: boolean | null; taskId: string | null; credits: string | null; graceS: number | null } }
  video_step_report_progress: { args: { video: Fragment; step: VideoStep; now: Date }; result: { outcome: 'final' | 'not_found' | 'other_task' | 'running' | 'unchanged'; video: Fragment | null; isChanged: boolean | null; entry: string | null; detail: string | null; isOnce: boolean | null; taskId: string | null; credits: string | null; graceS: number | null } }
  video_step_report_result: { args: { video: Fragment; step: VideoStep; now: Date }; result: { outcome: 'final' | 'not_found' | 'other_task' | 'unchanged' | 'uploading'; video: Fragment | null; isChanged: boolean | null; entry: string | null; detail: string | null; isOnce: boolean | null; taskId: string | null; credits: string | null; graceS: number | null } }
  video_step_reschedule_poll: { args: { video: Fragment; step: VideoStep; now: Date }; result: { outcome: 'scheduled' | 'stale'; video: Fragment | null; isChanged: boolean | null; entry: string | null; detail: string | null; isOnce: boolean | null; taskId: string | null; credits: string | null; graceS: number | null } }
  video_step_retry_submit: { args: { video: Fragment; step: VideoStep; now: Date }; result: { outcome: 'scheduled' | 'stale'; video: Fragment | null; isChanged: boolean | null; entry: string | null; detail: string | null; isOnce: boolean | null; taskId: string | null; credits: string | null; graceS: number | null } }
  video_step_switch_link: { args: { video: Fragment; step: VideoStep; now: Date }; result: { outcome: 'no_other' | 'stale' | 'switched'; video: Fragment | null; isChanged: boolean | null; entry: string | null; detail: string | null; isOnce: boolean | null; taskId: string | null; credits: string | null; graceS: number | null } }
  video_store_input: { args: { userId: string; id: string; lease: string; position: number; source: string; now: Date }; result: 'stale' | 'stored' }
  video_to_failed: { args: { video: Fragment; outcome: string; errorCode: string; error: string; entry: string; detail: string; taskId: string; graceS: number; now: Date }; result: { outcome: string; video: Fragment | null; isChanged: boolean | null; entry: string | null; detail: string | null; isOnce: boolean | null; taskId: string | null; credits: string | null; graceS: number | null } }
  video_to_generating: { args: { video: Fragment; step: VideoStep; outcome: string; deadlineAt: Date; now: Date }; result: { outcome: string; video: Fragment | null; isChanged: boolean | null; entry: string | null; detail: string | null; isOnce: boolean | null; taskId: string | null; credits: string | null; graceS: number | null } }
  video_unchanged: { args: { video: Fragment; outcome: string; entry?: string | null; detail?: string | null }; result: { outcome: string; video: Fragment | null; isChanged: boolean | null; entry: string | null; detail: string | null; isOnce: boolean | null; taskId: string | null; credits: string | null; graceS: number | null } }
  video_waiting_pause: { args: {  }; result: string | null }
  video_whole_seconds: { args: { filmDurationS: number }; result: number }
  videos_mark_unsigned: { args: { afterUserId: string; afterId: string; limit: number; now: Date }; result: { films: number; userId: string | null; id: string }[] }
  videos_to_sign: { args: { now: Date; limit: number }; result: { userId: string | null; id: string; model: string; madeOf: unknown | null; videoKey: string | null; thumbnailKey: string | null; manifestKey: string | null; madeAt: Date | null; manifestId: string | null }[] }
  webhook_claim: { args: { limit: number; failingLimit: number; lease: string; leaseUntil: Date; now: Date }; result: { userId: string | null; id: string; url: string | null; isRegistered: boolean; secret: Buffer | null; previousSecret: Buffer | null; earlierSecrets: Buffer[]; hasOwnSecret: boolean; failures: number }[] }
  webhook_create: { args: { userId: string; id: string; url: string; events: readonly string[]; secret: Buffer; accountSecret: Buffer; max: number; now: Date; description?: string | null; madeBy?: string | null; subject?: string | null; metadata?: object }; result: 'created' | 'too_many' }
  webhook_data: { args: { video: Fragment }; result: unknown | null }
  webhook_delete: { args: { userId: string; id: string; now: Date }; result: boolean }
  webhook_finish: { args: { userId: string; endpointId: string; lease: string; attempts: object; hasSuccess: boolean; hasFailure: boolean; isGone: boolean; disableAfter: string; now: Date; pauseUntil?: Date | null }; result: 'disabled' | 'finished' | 'stale' }
  webhook_lock: { args: { userId: string; id: string }; result: 'disabled' | 'not_found' | 'suspended' }
  webhook_lock_origins: { args: { userIds: readonly string[]; origins: readonly string[]; now: Date }; result: void }
  webhook_open_account: { args: { userId: string; secret: Buffer; now: Date }; result: void }
  webhook_origin_id: { args: { userId: string; origin: string }; result: string | null }
  webhook_record: { args: { userId: string; endpointId: string; lease: string; attempts: object }; result: boolean }
  webhook_redeliver: { args: { userId: string; endpointId: string; limit: number; now: Date; id?: string | null; since?: Date | null; until?: Date | null; states?: readonly string[]; types?: readonly string[] | null }; result: { outcome: 'disabled' | 'not_found' | 'suspended' | 'written'; count: number | null; nextAt: Date | null } }
  webhook_rotate: { args: { userId: string; secret: Buffer; previousUntil: Date; now: Date; id?: string | null }; result: boolean }
  webhook_take_urls: { args: { userIds: readonly string[]; types: readonly string[]; subjectIds: readonly string[] }; result: { numbers: number[] | null; userIds: string[] | null; urls: string[] | null; origins: string[] | null; formats: string[] | null; endpointIds: string[] | null } }
  webhook_test: { args: { userId: string; id: string; deliveryId: string; now: Date; type?: string | null; data?: object | null }; result: 'disabled' | 'not_found' | 'suspended' | 'written' }
  webhook_update: { args: { userId: string; id: string; now: Date; url?: string | null; description?: string | null; events?: readonly string[] | null; isEnabled?: boolean | null; madeBy?: string | null; metadata?: object | null }; result: boolean }
  webhook_valid_secrets: { args: { secrets: readonly Buffer[]; untils: readonly Date[]; now: Date }; result: { secrets: Buffer[] | null; untils: Date[] | null } }
  webhook_view: { args: { video: Fragment }; result: unknown | null }
  webhook_wake: { args: { userId: string }; result: void }
  webhook_write: { args: { userIds: readonly string[]; types: readonly string[]; subjectIds: readonly string[]; data: readonly object[]; now: Date }; result: void }
  webhook_write_one: { args: { userId: string; type: string; subjectId: string; data: object; now: Date }; result: void }
  work_due: { args: { now: Date }; result: string[] }
}

/** The steps of a video: the attributes of kinora.video_step that each reads, and its outcomes. */
export type Steps = {
  accept: { args: { taskId: string | null; handle: Buffer | null; progress: number | null; queuePosition: number | null; expectedAt: Date | null; costAmount: number | string | null; costUnit: string | null; costStage: string | null; unitUsd: number | string | null; dueAt: Date | null; deadlineAt: Date | null }; outcome: 'accepted' | 'not_found' | 'recorded' }
  add_link: { args: { url: string | null }; outcome: 'unchanged' | 'uploading' }
  begin_store: { args: { lease: string | null; dueAt: Date | null; videoKey: string | null; thumbnailKey: string | null; manifestKey: string | null }; outcome: 'recorded' | 'stale' }
  begin_submit: { args: { lease: string | null; providerIndex: number | null; providers: readonly string[] | null; routeModel: string | null; catalogueUsd: number | string | null; unitRates: object | null }; outcome: 'begun' | 'stale' }
  cancel: { args: { error: string | null; graceS: number | null }; outcome: 'cancelled' | 'final' | 'not_found' | 'submitted' }
  complete: { args: { lease: string | null; queuePosition: number | null; expectedAt: Date | null; costAmount: number | string | null; costUnit: string | null; costStage: string | null; unitUsd: number | string | null; graceS: number | null; videoKey: string | null; thumbnailKey: string | null; manifestKey: string | null; provenance: object | null; sizeBytes: number | null; durationS: number | null; width: number | null; height: number | null }; outcome: 'completed' | 'stale' }
  defer: { args: { lease: string | null; attempt: number | null; dueAt: Date | null; entry: string | null; detail: string | null }; outcome: 'deferred' | 'stale' }
  delete: { args: {  }; outcome: 'deleted' | 'not_found' }
  fail: { args: { lease: string | null; errorCode: string | null; error: string | null; graceS: number | null }; outcome: 'failed' | 'final' | 'not_found' | 'stale' }
  poll_now: { args: { provider: string | null; taskId: string | null; handle: Buffer | null; progress: number | null; queuePosition: number | null; expectedAt: Date | null; costAmount: number | string | null; costUnit: string | null; costStage: string | null; unitUsd: number | string | null; dueAt: Date | null; entry: string | null; detail: string | null }; outcome: 'final' | 'not_found' | 'other_task' | 'running' | 'scheduled' | 'unchanged' }
  render: { args: { lease: string | null; leaseUntil: Date | null; progress: number | null; isFinished: boolean | null }; outcome: 'rendering' | 'stale' }
  renew_lease: { args: { lease: string | null; leaseUntil: Date | null }; outcome: 'renewed' | 'stale' }
  report_failure: { args: { provider: string | null; taskId: string | null; queuePosition: number | null; expectedAt: Date | null; costAmount: number | string | null; costUnit: string | null; costStage: string | null; unitUsd: number | string | null; errorCode: string | null; error: string | null; graceS: number | null }; outcome: 'cancelled' | 'failed' | 'final' | 'not_found' | 'other_task' | 'unchanged' }
  report_progress: { args: { provider: string | null; taskId: string | null; handle: Buffer | null; progress: number | null; queuePosition: number | null; expectedAt: Date | null; costAmount: number | string | null; costUnit: string | null; costStage: string | null; unitUsd: number | string | null; dueAt: Date | null }; outcome: 'final' | 'not_found' | 'other_task' | 'running' | 'unchanged' }
  report_result: { args: { provider: string | null; taskId: string | null; handle: Buffer | null; queuePosition: number | null; expectedAt: Date | null; costAmount: number | string | null; costUnit: string | null; costStage: string | null; unitUsd: number | string | null; url: string | null }; outcome: 'final' | 'not_found' | 'other_task' | 'unchanged' | 'uploading' }
  reschedule_poll: { args: { lease: string | null; progress: number | null; queuePosition: number | null; expectedAt: Date | null; costAmount: number | string | null; costUnit: string | null; costStage: string | null; unitUsd: number | string | null; attempt: number | null; dueAt: Date | null; isFinished: boolean | null; isLost: boolean | null }; outcome: 'scheduled' | 'stale' }
  retry_submit: { args: { lease: string | null; providerIndex: number | null; providers: readonly string[] | null; attempt: number | null; dueAt: Date | null; detail: string | null }; outcome: 'scheduled' | 'stale' }
  switch_link: { args: { lease: string | null; dueAt: Date | null; isRetryable: boolean | null; detail: string | null }; outcome: 'no_other' | 'stale' | 'switched' }
}

/** Each parameter's name in TypeScript and type in SQL. `returns`: the result's shape, a row with `columns`. */
export const functions = {
  account_clear: { returns: 'nothing', columns: '', parameters: { userId: 'uuid', cancelError: 'text', grace: 'interval', now: 'timestamp with time zone' } },
  account_close: { returns: 'value', columns: '', parameters: { userId: 'uuid', actorId: 'uuid', emailHash: 'bytea', requestId: 'text', reason: 'text', owed: 'bigint', now: 'timestamp with time zone' } },
  account_delete: { returns: 'value', columns: '', parameters: { userId: 'uuid', actorId: 'uuid', emailHash: 'bytea', cancelError: 'text', grace: 'interval', requestId: 'text', owed: 'bigint', now: 'timestamp with time zone', reason: 'text' } },
  account_erase_videos: { returns: 'nothing', columns: '', parameters: { userId: 'uuid', ids: 'uuid[]', now: 'timestamp with time zone' } },
  account_is_erased: { returns: 'value', columns: '', parameters: { userId: 'uuid' } },
  account_is_subscribed: { returns: 'value', columns: '', parameters: { userId: 'uuid', now: 'timestamp with time zone' } },
  administrator_key_is_free: { returns: 'value', columns: '', parameters: { adminId: 'uuid', operation: 'text', key: 'text', userId: 'uuid', isStored: 'boolean', now: 'timestamp with time zone' } },
  administrator_withdraw: { returns: 'value', columns: '', parameters: { userId: 'uuid', now: 'timestamp with time zone', role: 'text' } },
  api_key_owner_used: { returns: 'value', columns: '', parameters: { userId: 'uuid', period: 'text', time: 'timestamp with time zone' } },
  api_key_period_end: { returns: 'value', columns: '', parameters: { period: 'text', time: 'timestamp with time zone' } },
  api_key_period_start: { returns: 'value', columns: '', parameters: { period: 'text', time: 'timestamp with time zone' } },
  api_key_used: { returns: 'value', columns: '', parameters: { userId: 'uuid', keyId: 'uuid', period: 'text', time: 'timestamp with time zone' } },
  asset_add: { returns: 'value', columns: '', parameters: { userId: 'uuid', asset: 'jsonb', bytesMax: 'bigint', namedMax: 'integer', dueAt: 'timestamp with time zone', now: 'timestamp with time zone', uploadId: 'uuid' } },
  asset_bytes: { returns: 'value', columns: '', parameters: { userId: 'uuid', uploadId: 'uuid' } },
  asset_change_to_sound: { returns: 'value', columns: '', parameters: { userId: 'uuid', id: 'uuid', sound: 'jsonb', bytesMax: 'bigint', dueAt: 'timestamp with time zone', now: 'timestamp with time zone' } },
  asset_delete: { returns: 'value', columns: '', parameters: { userId: 'uuid', id: 'uuid', now: 'timestamp with time zone' } },
  asset_extend: { returns: 'value', columns: '', parameters: { userId: 'uuid', id: 'uuid', dueAt: 'timestamp with time zone' } },
  asset_is_used: { returns: 'value', columns: '', parameters: { userId: 'uuid', key: 'text' } },
  asset_keep: { returns: 'nothing', columns: '', parameters: { userId: 'uuid', id: 'uuid', dueAt: 'timestamp with time zone', now: 'timestamp with time zone' } },
  asset_name: { returns: 'value', columns: '', parameters: { userId: 'uuid', id: 'uuid', namedMax: 'integer', dueAt: 'timestamp with time zone', now: 'timestamp with time zone', name: 'text' } },
  asset_named: { returns: 'value', columns: '', parameters: { userId: 'uuid', name: 'text', id: 'uuid', subject: 'text' } },
  asset_upload_open: { returns: 'value', columns: '', parameters: { userId: 'uuid', upload: 'jsonb', bytesMax: 'bigint', openMax: 'integer', dueAt: 'timestamp with time zone', now: 'timestamp with time zone' } },
  audit_add: { returns: 'value', columns: '', parameters: { actorId: 'uuid', action: 'text', now: 'timestamp with time zone', userId: 'uuid', subject: 'text', before: 'jsonb', after: 'jsonb', requestId: 'text', reason: 'text', id: 'uuid' } },
  audit_amount: { returns: 'value', columns: '', parameters: { balance: 'jsonb', name: 'text' } },
  audit_forget_invited: { returns: 'nothing', columns: '', parameters: { email: 'text' } },
  audit_origin: { returns: 'value', columns: '', parameters: { url: 'text' } },
  audit_redact: { returns: 'nothing', columns: '', parameters: { userId: 'uuid' } },
  authority_end: { returns: 'nothing', columns: '', parameters: { teamId: 'uuid', ids: 'uuid[]', now: 'timestamp with time zone' } },
  authority_ends: { returns: 'rows', columns: 'kind, id, name', parameters: { teamId: 'uuid', userId: 'uuid', role: 'text' } },
  authority_given: { returns: 'rows', columns: 'kind, id, name, role', parameters: { teamId: 'uuid', userId: 'uuid' } },
  authority_lock: { returns: 'nothing', columns: '', parameters: { teamId: 'uuid', now: 'timestamp with time zone' } },
  authority_may: { returns: 'value', columns: '', parameters: { teamId: 'uuid', userId: 'uuid', role: 'text', now: 'timestamp with time zone' } },
  authority_named: { returns: 'rows', columns: 'kind, id, name, made_by', parameters: { teamId: 'uuid', ids: 'uuid[]' } },
  authority_settle: { returns: 'value', columns: '', parameters: { teamId: 'uuid', userId: 'uuid', isOperator: 'boolean', now: 'timestamp with time zone' } },
  authority_settle_all: { returns: 'nothing', columns: '', parameters: { userId: 'uuid', now: 'timestamp with time zone' } },
  authority_suspend: { returns: 'nothing', columns: '', parameters: { teamId: 'uuid', userId: 'uuid', isSuspended: 'boolean', now: 'timestamp with time zone' } },
  authority_suspension: { returns: 'value', columns: '', parameters: {  } },
  authority_sweep: { returns: 'nothing', columns: '', parameters: { now: 'timestamp with time zone' } },
  authority_take_over: { returns: 'value', columns: '', parameters: { teamId: 'uuid', ids: 'uuid[]', actorId: 'uuid', now: 'timestamp with time zone', userId: 'uuid' } },
  base32: { returns: 'value', columns: '', parameters: { bits: 'bigint' } },
  catalogue_claim_comparison: { returns: 'value', columns: '', parameters: { account: 'text', lease: 'uuid', until: 'timestamp with time zone', firstAt: 'timestamp with time zone', nextAt: 'timestamp with time zone', isNow: 'boolean', now: 'timestamp with time zone' } },
  catalogue_finish_comparison: { returns: 'nothing', columns: '', parameters: { account: 'text', lease: 'uuid', findings: 'jsonb', now: 'timestamp with time zone', problem: 'text' } },
  catalogue_put: { returns: 'value', columns: '', parameters: { file: 'text', version: 'integer', entry: 'text', reason: 'text', now: 'timestamp with time zone', actorId: 'uuid', former: 'text', requestId: 'text' } },
  catalogue_restore: { returns: 'value', columns: '', parameters: { file: 'text', version: 'integer', reason: 'text', now: 'timestamp with time zone', actorId: 'uuid', requestId: 'text' } },
  catalogue_return_comparison: { returns: 'nothing', columns: '', parameters: { account: 'text', lease: 'uuid', now: 'timestamp with time zone' } },
  catalogue_set_switch: { returns: 'value', columns: '', parameters: { model: 'text', account: 'text', isOn: 'boolean', reason: 'text', now: 'timestamp with time zone', actorId: 'uuid', requestId: 'text' } },
  catalogue_take: { returns: 'value', columns: '', parameters: { account: 'text', kind: 'text', name: 'text', model: 'text', digest: 'text', version: 'integer', entry: 'text', reason: 'text', now: 'timestamp with time zone', actorId: 'uuid', former: 'text', requestId: 'text' } },
  check_clock: { returns: 'nothing', columns: '', parameters: { now: 'timestamp with time zone' } },
  clock_limit: { returns: 'value', columns: '', parameters: {  } },
  code_create: { returns: 'value', columns: '', parameters: { id: 'uuid', code: 'text', credits: 'bigint', creditDays: 'integer', usesMax: 'integer', newCustomers: 'boolean', expiresAt: 'timestamp with time zone', now: 'timestamp with time zone', networkMax: 'integer', note: 'text', actorId: 'uuid', requestId: 'text' } },
  code_end: { returns: 'value', columns: '', parameters: { id: 'uuid', now: 'timestamp with time zone', actorId: 'uuid', requestId: 'text' } },
  commit_in_two_phases: { returns: 'nothing', columns: '', parameters: { userId: 'uuid' } },
  cost_difference_share: { returns: 'value', columns: '', parameters: {  } },
  credit_adjust: { returns: 'row', columns: 'outcome, package', parameters: { userId: 'uuid', packageId: 'uuid', credits: 'bigint', expiresAt: 'timestamp with time zone', now: 'timestamp with time zone', adminId: 'uuid', remark: 'text', key: 'text', requestHash: 'bytea', requestId: 'text', collects: 'boolean', source: 'text' } },
  credit_balance: { returns: 'row', columns: 'available, frozen, used, total, expiring_soon, expired, clawed_back, owed', parameters: { userId: 'uuid', now: 'timestamp with time zone' } },
  credit_balance_all: { returns: 'rows', columns: 'available, frozen, used, total, expiring_soon, is_due, expired, clawed_back, owed', parameters: { requests: 'jsonb', now: 'timestamp with time zone' } },
  credit_claim_refund: { returns: 'nothing', columns: '', parameters: { userId: 'uuid', source: 'text', parts: 'jsonb', now: 'timestamp with time zone' } },
  credit_claim_shares: { returns: 'rows', columns: 'user_id, package_id, claimed', parameters: { userId: 'uuid', rootId: 'uuid' } },
  credit_claw_back: { returns: 'nothing', columns: '', parameters: { userId: 'uuid', source: 'text', now: 'timestamp with time zone' } },
  credit_correction_key: { returns: 'row', columns: 'outcome, entry', parameters: { adminId: 'uuid', operation: 'text', key: 'text', requestHash: 'bytea', userId: 'uuid', entryId: 'uuid', now: 'timestamp with time zone' } },
  credit_count_waiting: { returns: 'nothing', columns: '', parameters: { userIds: 'uuid[]', by: 'integer' } },
  credit_forgive_owed: { returns: 'nothing', columns: '', parameters: { userId: 'uuid', credits: 'bigint' } },
  credit_gift_refusal: { returns: 'value', columns: '', parameters: { limits: 'jsonb', now: 'timestamp with time zone' } },
  credit_gift_seen: { returns: 'nothing', columns: '', parameters: { userId: 'uuid', state: 'text', now: 'timestamp with time zone' } },
  credit_grant: { returns: 'row', columns: 'user_id, id, trans_type, source, order_no, parent_id, root_id, from_user_id, from_package_id, initial, remaining, frozen, used, expired, clawed_back, taken, collected, refund_claimed, repaid, forgiven, passed_on, assumed, moved, transferred, expires_at, created_at', parameters: { userId: 'uuid', packageId: 'uuid', source: 'text', transType: 'text', credits: 'bigint', expiresAt: 'timestamp with time zone', now: 'timestamp with time zone', orderNo: 'text', remark: 'text', actorId: 'uuid', collects: 'boolean' } },
  credit_grant_gift: { returns: 'value', columns: '', parameters: { userId: 'uuid', packageId: 'uuid', credits: 'bigint', expiresAt: 'timestamp with time zone', now: 'timestamp with time zone', limits: 'jsonb', collects: 'boolean' } },
  credit_is_personal: { returns: 'value', columns: '', parameters: { source: 'text' } },
  credit_lock: { returns: 'row', columns: 'user_id, number, available, frozen, used, expired, clawed_back, total, transactions, history_hash, open_holds, waiting_holds, next_expiry_at, low_credits, gift_at, gift_refusal, gift_seen, moved_at, created_at', parameters: { userId: 'uuid', now: 'timestamp with time zone' } },
  credit_lock_accounts: { returns: 'nothing', columns: '', parameters: { userIds: 'uuid[]', now: 'timestamp with time zone', opens: 'boolean' } },
  credit_notify_expiry: { returns: 'row', columns: 'last_at, last_user_id', parameters: { afterAt: 'timestamp with time zone', afterUserId: 'uuid', until: 'timestamp with time zone', limit: 'integer', now: 'timestamp with time zone' } },
  credit_notify_low: { returns: 'nothing', columns: '', parameters: { userIds: 'uuid[]', available: 'bigint[]', lowCredits: 'bigint[]', now: 'timestamp with time zone' } },
  credit_origin: { returns: 'rows', columns: 'user_id, trans_type, source, used', parameters: { userId: 'uuid', packageId: 'uuid' } },
  credit_owed: { returns: 'value', columns: '', parameters: { userId: 'uuid' } },
  credit_owed_packages: { returns: 'rows', columns: 'package_id, owed', parameters: { userId: 'uuid' } },
  credit_pay_owed: { returns: 'value', columns: '', parameters: { userId: 'uuid', credits: 'bigint', now: 'timestamp with time zone', packageId: 'uuid', remark: 'text', actorId: 'uuid', dryRun: 'boolean' } },
  credit_payment_source: { returns: 'value', columns: '', parameters: { source: 'text' } },
  credit_redeem: { returns: 'row', columns: 'outcome, credits, expires_at', parameters: { userId: 'uuid', code: 'text', packageId: 'uuid', now: 'timestamp with time zone', limits: 'jsonb', requestId: 'text', collects: 'boolean' } },
  credit_refund_claim_remark: { returns: 'value', columns: '', parameters: { userId: 'uuid', source: 'text' } },
  credit_refund_claim_shortfall: { returns: 'value', columns: '', parameters: { userId: 'uuid', rootId: 'uuid' } },
  credit_return_source: { returns: 'value', columns: '', parameters: { userId: 'uuid', rootId: 'uuid' } },
  credit_reverse_expiry: { returns: 'row', columns: 'outcome, credits, expires_at', parameters: { userId: 'uuid', packageId: 'uuid', now: 'timestamp with time zone', reason: 'text', adminId: 'uuid', expiresAt: 'timestamp with time zone', key: 'text', requestHash: 'bytea', requestId: 'text', dryRun: 'boolean' } },
  credit_row_time: { returns: 'value', columns: '', parameters: { userId: 'uuid', now: 'timestamp with time zone' } },
  credit_set_low: { returns: 'nothing', columns: '', parameters: { userId: 'uuid', now: 'timestamp with time zone', lowCredits: 'bigint' } },
  credit_settle_owed: { returns: 'row', columns: 'outcome, owed, available, packages', parameters: { userId: 'uuid', forgives: 'boolean', credits: 'bigint', now: 'timestamp with time zone', reason: 'text', adminId: 'uuid', key: 'text', requestHash: 'bytea', requestId: 'text', dryRun: 'boolean' } },
  credit_slice_rest: { returns: 'value', columns: '', parameters: { packageCredits: 'bigint[]', rest: 'bigint' } },
  credit_take: { returns: 'row', columns: 'outcome, available, packages', parameters: { userId: 'uuid', credits: 'bigint', now: 'timestamp with time zone', reason: 'text', adminId: 'uuid', key: 'text', requestHash: 'bytea', requestId: 'text', dryRun: 'boolean' } },
  credit_trans_no: { returns: 'value', columns: '', parameters: { account: 'bigint', n: 'bigint' } },
  credit_transfer: { returns: 'row', columns: 'outcome, transfer_id, credits, packages', parameters: { userId: 'uuid', teamId: 'uuid', transferId: 'uuid', credits: 'bigint', now: 'timestamp with time zone', key: 'text', requestHash: 'bytea', collects: 'boolean' } },
  credit_transferable: { returns: 'rows', columns: 'package_id, trans_type, credits, expires_at', parameters: { userId: 'uuid', now: 'timestamp with time zone' } },
  credit_wait_for_account: { returns: 'nothing', columns: '', parameters: { userId: 'uuid', now: 'timestamp with time zone' } },
  credit_worth: { returns: 'rows', columns: 'usd, cents, currency, product', parameters: { userId: 'uuid', packageId: 'uuid' } },
  credit_worth_is_open: { returns: 'value', columns: '', parameters: { userId: 'uuid', source: 'text' } },
  credit_write_expiry: { returns: 'nothing', columns: '', parameters: { userIds: 'uuid[]', until: 'timestamp with time zone', now: 'timestamp with time zone' } },
  credit_write_off: { returns: 'nothing', columns: '', parameters: { userIds: 'uuid[]', now: 'timestamp with time zone' } },
  credit_write_transfer: { returns: 'value', columns: '', parameters: { userId: 'uuid', teamId: 'uuid', transferId: 'uuid', credits: 'bigint', now: 'timestamp with time zone', collects: 'boolean' } },
  cut_create: { returns: 'rows', columns: 'outcome, available, id', parameters: { request: 'jsonb', now: 'timestamp with time zone' } },
  epoch_ms: { returns: 'value', columns: '', parameters: { time: 'timestamp with time zone' } },
  explore_decide: { returns: 'rows', columns: 'outcome, user_id, video_id, removal_reason', parameters: { id: 'uuid', removes: 'boolean', actorId: 'uuid', requestId: 'text', reason: 'text', now: 'timestamp with time zone' } },
  explore_publish: { returns: 'value', columns: '', parameters: { userId: 'uuid', videoId: 'uuid', id: 'uuid', showsName: 'boolean', now: 'timestamp with time zone', administratorId: 'uuid' } },
  explore_report_film: { returns: 'value', columns: '', parameters: { id: 'uuid', reportId: 'uuid', reporterId: 'uuid', reason: 'text', max: 'integer', now: 'timestamp with time zone', note: 'text' } },
  film_aspect_ratio: { returns: 'value', columns: '', parameters: { ordered: 'text', width: 'integer', height: 'integer' } },
  film_costs: { returns: 'rows', columns: 'user_id, id, day, model, account, vendor_model, is_made, is_cancelled, film_s, credits, generation_s, stated_usd, reserved_usd, catalogue_usd, usd, differs, unpriced_unit, stated_cost, earned_usd, unvalued_credits', parameters: { since: 'timestamp with time zone', until: 'timestamp with time zone', account: 'text', zone: 'text' } },
  film_differs: { returns: 'value', columns: '', parameters: { video: 'kinora.video' } },
  film_has_ratio: { returns: 'value', columns: '', parameters: { ratio: 'text', width: 'integer', height: 'integer' } },
  film_other_ratio: { returns: 'value', columns: '', parameters: { width: 'integer', height: 'integer' } },
  film_quality: { returns: 'value', columns: '', parameters: { ordered: 'text', width: 'integer', height: 'integer' } },
  film_sum_day: { returns: 'nothing', columns: '', parameters: { day: 'date' } },
  film_sum_days_of: { returns: 'values', columns: '', parameters: { userId: 'uuid', source: 'text' } },
  film_sum_forget: { returns: 'nothing', columns: '', parameters: { span: 'text', since: 'date' } },
  film_sum_month: { returns: 'nothing', columns: '', parameters: { month: 'date' } },
  film_sum_next: { returns: 'value', columns: '', parameters: { now: 'timestamp with time zone' } },
  film_sum_of_month: { returns: 'rows', columns: 'user_id, grouped_by, span, since, model, account, vendor_model, films, failed, cancelled, film_seconds, credits_earned, credits_returned, stated_costs, reserved_costs, catalogue_costs, unknown_costs, known_usd, differing, differing_expected_usd, differing_found_usd, earned_usd, unvalued_credits, known_earned_usd, known_unvalued, seconds, unpriced', parameters: { since: 'date', until: 'date' } },
  film_sum_pairs: { returns: 'value', columns: '', parameters: { pairs: 'text' } },
  film_sum_stale_days: { returns: 'values', columns: '', parameters: {  } },
  film_sums: { returns: 'rows', columns: 'user_id, grouped_by, span, since, model, account, vendor_model, films, failed, cancelled, film_seconds, credits_earned, credits_returned, stated_costs, reserved_costs, catalogue_costs, unknown_costs, known_usd, differing, differing_expected_usd, differing_found_usd, earned_usd, unvalued_credits, known_earned_usd, known_unvalued, seconds, unpriced', parameters: { since: 'timestamp with time zone', until: 'timestamp with time zone', groupings: 'text[]', account: 'text', zone: 'text' } },
  first_id: { returns: 'value', columns: '', parameters: { time: 'timestamp with time zone' } },
  history_chain_next: { returns: 'value', columns: '', parameters: { state: 'bytea', head: 'bytea', text: 'text' } },
  history_hash: { returns: 'value', columns: '', parameters: { before: 'bytea', text: 'text' } },
  history_text: { returns: 'value', columns: '', parameters: { n: 'bigint', id: 'uuid', transNo: 'text', transType: 'text', credits: 'bigint', balanceAfter: 'bigint', packageId: 'uuid', videoId: 'uuid', orderNo: 'text', remark: 'text', actorId: 'uuid', source: 'text', expiresAt: 'timestamp with time zone', graces: 'jsonb', createdAt: 'timestamp with time zone' } },
  hold: { returns: 'row', columns: 'user_id, hold_id, credits, max_open, key_id, token_id, remark, grace, batch_size, batch_credits, may_wait', parameters: { userId: 'uuid', holdId: 'uuid', credits: 'bigint', maxOpen: 'integer', keyId: 'uuid', tokenId: 'uuid', remark: 'text', grace: 'interval', batchSize: 'integer', batchCredits: 'bigint', mayWait: 'boolean' } },
  idempotency_give_back: { returns: 'nothing', columns: '', parameters: { userId: 'uuid', operation: 'text', key: 'text' } },
  idempotency_give_back_beside: { returns: 'nothing', columns: '', parameters: { ownerId: 'uuid', operation: 'text', key: 'text' } },
  idempotency_take: { returns: 'row', columns: 'outcome, subject_user_id, subject_id', parameters: { userId: 'uuid', operation: 'text', key: 'text', requestHash: 'bytea', subjectUserId: 'uuid', subjectId: 'uuid', now: 'timestamp with time zone' } },
  idempotency_take_beside: { returns: 'row', columns: 'outcome, subject_id', parameters: { ownerId: 'uuid', operation: 'text', key: 'text', requestHash: 'bytea', subjectId: 'uuid', now: 'timestamp with time zone' } },
  incident_set: { returns: 'value', columns: '', parameters: { id: 'uuid', incident: 'jsonb', reason: 'text', actorId: 'uuid', requestId: 'text', now: 'timestamp with time zone' } },
  input_video: { returns: 'value', columns: '', parameters: { inputs: 'jsonb' } },
  invitation_create: { returns: 'nothing', columns: '', parameters: { id: 'uuid', tokenHash: 'bytea', credits: 'bigint', replacesGift: 'boolean', expiresAt: 'timestamp with time zone', now: 'timestamp with time zone', email: 'text', actorId: 'uuid', requestId: 'text' } },
  invitation_revoke: { returns: 'value', columns: '', parameters: { id: 'uuid', now: 'timestamp with time zone', actorId: 'uuid', requestId: 'text' } },
  invitation_take: { returns: 'value', columns: '', parameters: { tokenHash: 'bytea', email: 'text', userId: 'uuid', now: 'timestamp with time zone' } },
  is_administrator: { returns: 'value', columns: '', parameters: { userId: 'uuid', now: 'timestamp with time zone' } },
  is_banned: { returns: 'value', columns: '', parameters: { userId: 'uuid', now: 'timestamp with time zone' } },
  is_last_administrator: { returns: 'value', columns: '', parameters: { userId: 'uuid', now: 'timestamp with time zone' } },
  is_test: { returns: 'value', columns: '', parameters: { userId: 'uuid' } },
  iso_time: { returns: 'value', columns: '', parameters: { time: 'timestamp with time zone' } },
  key_token_make: { returns: 'value', columns: '', parameters: { userId: 'uuid', id: 'uuid', keyId: 'uuid', subject: 'text', scopes: 'text[]', budget: 'bigint', expiresAt: 'timestamp with time zone', now: 'timestamp with time zone' } },
  ledger_check_lease: { returns: 'value', columns: '', parameters: {  } },
  ledger_check_progress: { returns: 'value', columns: '', parameters: { id: 'uuid', users: 'bigint', differences: 'jsonb', state: 'text', error: 'text' } },
  ledger_check_start: { returns: 'row', columns: 'id, state, started_by, started_at, updated_at, finished_at, users_total, users, total, differences, error', parameters: { id: 'uuid', startedBy: 'uuid' } },
  longest_deadline: { returns: 'value', columns: '', parameters: {  } },
  mail_add: { returns: 'value', columns: '', parameters: { id: 'uuid', kind: 'text', key: 'text', recipient: 'text', data: 'jsonb', expiresAt: 'timestamp with time zone', now: 'timestamp with time zone', userId: 'uuid', link: 'bytea' } },
  mail_claim: { returns: 'rows', columns: 'id, user_id, kind, is_notice, recipient, data, link, attempt, created_at, language', parameters: { limit: 'integer', lease: 'uuid', leaseUntil: 'timestamp with time zone', now: 'timestamp with time zone' } },
  mail_expire: { returns: 'value', columns: '', parameters: { limit: 'integer', now: 'timestamp with time zone' } },
  mail_is_wanted: { returns: 'value', columns: '', parameters: { userId: 'uuid', kind: 'text' } },
  mail_record: { returns: 'value', columns: '', parameters: { id: 'uuid', lease: 'uuid', state: 'text', response: 'text', now: 'timestamp with time zone', dueAt: 'timestamp with time zone' } },
  mail_retry: { returns: 'value', columns: '', parameters: { id: 'uuid', actorId: 'uuid', requestId: 'text', now: 'timestamp with time zone', reason: 'text' } },
  mail_set_wanted: { returns: 'nothing', columns: '', parameters: { userId: 'uuid', kind: 'text', isWanted: 'boolean', now: 'timestamp with time zone' } },
  mail_write: { returns: 'nothing', columns: '', parameters: { userIds: 'uuid[]', kinds: 'text[]', keys: 'text[]', data: 'jsonb[]', now: 'timestamp with time zone' } },
  mail_write_one: { returns: 'nothing', columns: '', parameters: { userId: 'uuid', kind: 'text', key: 'text', data: 'jsonb', now: 'timestamp with time zone' } },
  movement: { returns: 'row', columns: 'user_id, trans_type, credits, frozen, expired, clawed_back, total, open_holds, next_expiry_at, package_id, video_id, order_no, remark, actor_id, source, expires_at, graces', parameters: { userId: 'uuid', transType: 'text', credits: 'bigint', frozen: 'bigint', expired: 'bigint', clawedBack: 'bigint', total: 'bigint', openHolds: 'integer', nextExpiryAt: 'timestamp with time zone', packageId: 'uuid', videoId: 'uuid', orderNo: 'text', remark: 'text', actorId: 'uuid', source: 'text', expiresAt: 'timestamp with time zone', graces: 'jsonb' } },
  owner_forget: { returns: 'nothing', columns: '', parameters: { userId: 'uuid' } },
  payment_apply: { returns: 'nothing', columns: '', parameters: { userId: 'uuid', processor: 'text', effects: 'jsonb', now: 'timestamp with time zone' } },
  payment_claim_retries: { returns: 'rows', columns: 'id, processor, body', parameters: { now: 'timestamp with time zone', limit: 'integer' } },
  payment_dismiss: { returns: 'value', columns: '', parameters: { id: 'uuid', reason: 'text', actorId: 'uuid', requestId: 'text', now: 'timestamp with time zone' } },
  payment_facts: { returns: 'value', columns: '', parameters: { effects: 'jsonb' } },
  payment_find_unmatched: { returns: 'rows', columns: 'id, body', parameters: { processor: 'text', ids: 'text[]', seen: 'uuid[]' } },
  payment_find_user: { returns: 'value', columns: '', parameters: { processor: 'text', refs: 'text[]', named: 'text' } },
  payment_lacking: { returns: 'value', columns: '', parameters: { userId: 'uuid', processor: 'text', now: 'timestamp with time zone' } },
  payment_lacks: { returns: 'value', columns: '', parameters: {  } },
  payment_lacks_return: { returns: 'value', columns: '', parameters: { processor: 'text', effect: 'jsonb' } },
  payment_lagging_records: { returns: 'values', columns: '', parameters: { processor: 'text', now: 'timestamp with time zone' } },
  payment_link: { returns: 'nothing', columns: '', parameters: { userId: 'uuid', processor: 'text', ids: 'text[]', source: 'text', now: 'timestamp with time zone' } },
  payment_missing: { returns: 'values', columns: '', parameters: { processor: 'text', effects: 'jsonb' } },
  payment_own: { returns: 'value', columns: '', parameters: { userId: 'uuid', processor: 'text', source: 'text' } },
  payment_receive: { returns: 'value', columns: '', parameters: { id: 'uuid', processor: 'text', externalId: 'text', type: 'text', refs: 'text[]', effects: 'jsonb', state: 'text', body: 'text', now: 'timestamp with time zone', userId: 'uuid', named: 'text', reason: 'text', problem: 'text', actorId: 'uuid', requestId: 'text' } },
  payment_record: { returns: 'nothing', columns: '', parameters: { userId: 'uuid', processor: 'text', payment: 'jsonb', now: 'timestamp with time zone' } },
  payment_refund_begin: { returns: 'value', columns: '', parameters: { id: 'uuid', userId: 'uuid', source: 'text', reason: 'text', actorId: 'uuid', now: 'timestamp with time zone', cents: 'bigint', requestId: 'text' } },
  payment_refund_claim: { returns: 'rows', columns: 'user_id, id, processor, source, cents, is_whole, returned, reason, actor_id, state, external_id, answer, due_at, tries, created_at, ended_at', parameters: { now: 'timestamp with time zone', limit: 'integer' } },
  payment_refund_end: { returns: 'nothing', columns: '', parameters: { userId: 'uuid', id: 'uuid', now: 'timestamp with time zone', externalId: 'text', answer: 'text' } },
  payment_refundable: { returns: 'rows', columns: 'processor, currency, paid, returned, pending, is_disputed', parameters: { userId: 'uuid', source: 'text', now: 'timestamp with time zone' } },
  payment_returns_unknown: { returns: 'value', columns: '', parameters: { processor: 'text', effects: 'jsonb' } },
  payment_settle: { returns: 'nothing', columns: '', parameters: { userId: 'uuid', processor: 'text', chain: 'text', now: 'timestamp with time zone' } },
  payment_settle_source: { returns: 'nothing', columns: '', parameters: { userId: 'uuid', processor: 'text', source: 'text', now: 'timestamp with time zone' } },
  payment_store: { returns: 'row', columns: 'processor, external_id, id, type, state, reason, problem, user_id, refs, sources, facts, body, received_at, applied_at, applied_by, retry_at, retries, dismissed_at, dismissed_by, dismissed_reason', parameters: { id: 'uuid', processor: 'text', externalId: 'text', type: 'text', refs: 'text[]', state: 'text', reason: 'text', body: 'text', now: 'timestamp with time zone', problem: 'text' } },
  payment_take_back: { returns: 'nothing', columns: '', parameters: { userId: 'uuid', processor: 'text', return: 'jsonb', now: 'timestamp with time zone' } },
  plan_margins: { returns: 'rows', columns: 'plan, films, credits, unvalued_credits, unknown_credits, earned_usd, known_earned_usd, cost_usd', parameters: { since: 'timestamp with time zone', until: 'timestamp with time zone' } },
  project_change: { returns: 'value', columns: '', parameters: { userId: 'uuid', id: 'uuid', version: 'integer', change: 'jsonb', changedBy: 'uuid', now: 'timestamp with time zone', order: 'uuid[]' } },
  project_delete: { returns: 'value', columns: '', parameters: { userId: 'uuid', id: 'uuid', actorId: 'uuid', now: 'timestamp with time zone' } },
  project_erase: { returns: 'nothing', columns: '', parameters: { userId: 'uuid' } },
  project_make: { returns: 'value', columns: '', parameters: { userId: 'uuid', project: 'jsonb', shots: 'jsonb', madeBy: 'uuid', max: 'integer', now: 'timestamp with time zone' } },
  provider_free_slots: { returns: 'value', columns: '', parameters: { account: 'text', holders: 'text[]', now: 'timestamp with time zone' } },
  provider_lock_slot: { returns: 'value', columns: '', parameters: { account: 'text', kind: 'text', slots: 'integer', holder: 'text', now: 'timestamp with time zone' } },
  provider_take_slot: { returns: 'row', columns: 'outcome, free_at', parameters: { account: 'text', holder: 'text', now: 'timestamp with time zone', concurrency: 'integer', count: 'integer', seconds: 'integer' } },
  provider_try_slot: { returns: 'value', columns: '', parameters: { account: 'text', kind: 'text', n: 'integer' } },
  reconcile_claim: { returns: 'value', columns: '', parameters: { processor: 'text', lease: 'uuid', until: 'timestamp with time zone', interval: 'interval', isNow: 'boolean', now: 'timestamp with time zone' } },
  reconcile_finish: { returns: 'nothing', columns: '', parameters: { processor: 'text', lease: 'uuid', found: 'jsonb', now: 'timestamp with time zone', error: 'text' } },
  redemption_refusal: { returns: 'value', columns: '', parameters: { userId: 'uuid', codeId: 'uuid', newCustomers: 'boolean', networkMax: 'integer', limits: 'jsonb' } },
  route_claim_probe: { returns: 'value', columns: '', parameters: { account: 'text', model: 'text', now: 'timestamp with time zone' } },
  route_set_failing: { returns: 'value', columns: '', parameters: { account: 'text', model: 'text', isFailing: 'boolean', now: 'timestamp with time zone', recoveredAt: 'timestamp with time zone', unknownModel: 'text' } },
  service_actor: { returns: 'value', columns: '', parameters: {  } },
  shot_add: { returns: 'value', columns: '', parameters: { userId: 'uuid', projectId: 'uuid', shots: 'jsonb', madeBy: 'uuid', max: 'integer', now: 'timestamp with time zone', after: 'uuid' } },
  shot_change: { returns: 'value', columns: '', parameters: { userId: 'uuid', projectId: 'uuid', id: 'uuid', version: 'integer', change: 'jsonb', changedBy: 'uuid', now: 'timestamp with time zone' } },
  shot_delete: { returns: 'value', columns: '', parameters: { userId: 'uuid', projectId: 'uuid', id: 'uuid', deletedBy: 'uuid', now: 'timestamp with time zone', version: 'integer' } },
  shot_insert: { returns: 'nothing', columns: '', parameters: { userId: 'uuid', projectId: 'uuid', after: 'integer', shots: 'jsonb', madeBy: 'uuid', now: 'timestamp with time zone' } },
  spending_alert_set: { returns: 'nothing', columns: '', parameters: { userId: 'uuid', now: 'timestamp with time zone', dayCredits: 'bigint', weekCredits: 'bigint' } },
  subject_erase: { returns: 'nothing', columns: '', parameters: { userId: 'uuid', subject: 'text', now: 'timestamp with time zone' } },
  subject_erase_traces: { returns: 'nothing', columns: '', parameters: { userId: 'uuid', ids: 'uuid[]', now: 'timestamp with time zone' } },
  subscription_apply: { returns: 'nothing', columns: '', parameters: { userId: 'uuid', processor: 'text', facts: 'jsonb', now: 'timestamp with time zone' } },
  subscription_apply_status: { returns: 'nothing', columns: '', parameters: { userId: 'uuid', processor: 'text', facts: 'jsonb', isTied: 'boolean', now: 'timestamp with time zone' } },
  takedown_answer: { returns: 'value', columns: '', parameters: { id: 'uuid', lifts: 'boolean', reason: 'text', actorId: 'uuid', requestId: 'text', now: 'timestamp with time zone' } },
  takedown_applied: { returns: 'nothing', columns: '', parameters: { id: 'uuid', state: 'text', cutIds: 'uuid[]', hashes: 'text[]', now: 'timestamp with time zone' } },
  takedown_decide: { returns: 'row', columns: 'outcome, id', parameters: { id: 'uuid', userId: 'uuid', videoId: 'uuid', state: 'text', ground: 'text', rule: 'text', source: 'text', isAutomated: 'boolean', reason: 'text', actorId: 'uuid', requestId: 'text', now: 'timestamp with time zone' } },
  takedown_has: { returns: 'value', columns: '', parameters: { sha256: 'bytea' } },
  takedown_object: { returns: 'value', columns: '', parameters: { id: 'uuid', objection: 'text', within: 'interval', now: 'timestamp with time zone' } },
  team_change: { returns: 'value', columns: '', parameters: { teamId: 'uuid', hasFactor: 'boolean', actorId: 'uuid', now: 'timestamp with time zone', name: 'text', requiresFactor: 'boolean' } },
  team_create: { returns: 'value', columns: '', parameters: { id: 'uuid', userId: 'uuid', name: 'text', max: 'integer', now: 'timestamp with time zone' } },
  team_delete: { returns: 'value', columns: '', parameters: { teamId: 'uuid', actorId: 'uuid', emailHash: 'bytea', requestId: 'text', owed: 'bigint', now: 'timestamp with time zone', reason: 'text' } },
  team_invitation_accept: { returns: 'row', columns: 'outcome, team_id', parameters: { tokenHash: 'bytea', userId: 'uuid', max: 'integer', now: 'timestamp with time zone' } },
  team_is_last_owner: { returns: 'value', columns: '', parameters: { teamId: 'uuid', userId: 'uuid' } },
  team_leave_all: { returns: 'value', columns: '', parameters: { userId: 'uuid', isOperator: 'boolean', now: 'timestamp with time zone' } },
  team_lock: { returns: 'value', columns: '', parameters: { teamId: 'uuid', isLocked: 'boolean', reason: 'text', actorId: 'uuid', requestId: 'text', now: 'timestamp with time zone' } },
  team_log: { returns: 'nothing', columns: '', parameters: { teamId: 'uuid', action: 'text', subject: 'text', now: 'timestamp with time zone', actorId: 'uuid', before: 'jsonb', after: 'jsonb' } },
  team_make_owner: { returns: 'value', columns: '', parameters: { teamId: 'uuid', userId: 'uuid', reason: 'text', actorId: 'uuid', requestId: 'text', now: 'timestamp with time zone' } },
  team_may_manage: { returns: 'value', columns: '', parameters: { actorRole: 'text', role: 'text' } },
  team_member_change: { returns: 'value', columns: '', parameters: { teamId: 'uuid', userId: 'uuid', takeOver: 'uuid[]', actorId: 'uuid', now: 'timestamp with time zone', role: 'text' } },
  team_pass_on_owed: { returns: 'nothing', columns: '', parameters: { teamId: 'uuid', now: 'timestamp with time zone' } },
  team_revoke_members: { returns: 'nothing', columns: '', parameters: { teamId: 'uuid' } },
  time_of_grant: { returns: 'value', columns: '', parameters: { now: 'timestamp with time zone' } },
  top_up_claim: { returns: 'rows', columns: 'user_id, id, product, state, external_id, url, reason, attempt, lease, due_at, created_at', parameters: { limit: 'integer', lease: 'uuid', leaseUntil: 'timestamp with time zone', now: 'timestamp with time zone' } },
  top_up_record: { returns: 'value', columns: '', parameters: { userId: 'uuid', id: 'uuid', lease: 'uuid', state: 'text', notice: 'jsonb', now: 'timestamp with time zone', dueAt: 'timestamp with time zone', externalId: 'text', url: 'text', reason: 'text' } },
  top_up_set: { returns: 'nothing', columns: '', parameters: { userId: 'uuid', now: 'timestamp with time zone', product: 'text', below: 'bigint', monthMax: 'integer', paused: 'text' } },
  usage_sum_day: { returns: 'nothing', columns: '', parameters: { day: 'date' } },
  user_search: { returns: 'values', columns: '', parameters: { pattern: 'text', limit: 'bigint', before: 'text' } },
  user_search_count: { returns: 'value', columns: '', parameters: { pattern: 'text', max: 'bigint' } },
  uuid_of_set: { returns: 'value', columns: '', parameters: { seed: 'bytea', n: 'integer' } },
  uuid_v7: { returns: 'value', columns: '', parameters: { now: 'timestamp with time zone', sequence: 'integer' } },
  verify: { returns: 'rows', columns: 'user_id, subject, rule, expected, found', parameters: { from: 'uuid', to: 'uuid' } },
  verify_account: { returns: 'rows', columns: 'user_id, subject, rule, expected, found', parameters: { from: 'uuid', to: 'uuid' } },
  verify_audit: { returns: 'rows', columns: 'user_id, subject, rule, expected, found', parameters: { from: 'uuid', to: 'uuid' } },
  verify_audit_entry: { returns: 'rows', columns: 'user_id, subject, rule, expected, found', parameters: { from: 'uuid', to: 'uuid' } },
  verify_correction: { returns: 'rows', columns: 'user_id, subject, rule, expected, found', parameters: { from: 'uuid', to: 'uuid' } },
  verify_count: { returns: 'rows', columns: 'user_id, subject, rule, expected, found', parameters: { from: 'uuid', to: 'uuid' } },
  verify_deletion: { returns: 'rows', columns: 'user_id, subject, rule, expected, found', parameters: { from: 'uuid', to: 'uuid' } },
  verify_film_sum: { returns: 'rows', columns: 'user_id, subject, rule, expected, found', parameters: { since: 'date', until: 'date' } },
  verify_gift: { returns: 'rows', columns: 'user_id, subject, rule, expected, found', parameters: { from: 'uuid', to: 'uuid' } },
  verify_grace: { returns: 'rows', columns: 'user_id, subject, rule, expected, found', parameters: { from: 'uuid', to: 'uuid' } },
  verify_history: { returns: 'rows', columns: 'user_id, subject, rule, expected, found', parameters: { from: 'uuid', to: 'uuid' } },
  verify_idempotency_key: { returns: 'rows', columns: 'user_id, subject, rule, expected, found', parameters: { from: 'uuid', to: 'uuid' } },
  verify_invitation: { returns: 'rows', columns: 'user_id, subject, rule, expected, found', parameters: { from: 'uuid', to: 'uuid' } },
  verify_key_usage: { returns: 'rows', columns: 'user_id, subject, rule, expected, found', parameters: { from: 'uuid', to: 'uuid' } },
  verify_package: { returns: 'rows', columns: 'user_id, subject, rule, expected, found', parameters: { from: 'uuid', to: 'uuid' } },
  verify_payment: { returns: 'rows', columns: 'user_id, subject, rule, expected, found', parameters: { from: 'uuid', to: 'uuid' } },
  verify_payment_claim: { returns: 'rows', columns: 'user_id, subject, rule, expected, found', parameters: { from: 'uuid', to: 'uuid' } },
  verify_payment_event: { returns: 'rows', columns: 'user_id, subject, rule, expected, found', parameters: { from: 'uuid', to: 'uuid' } },
  verify_payment_package: { returns: 'rows', columns: 'user_id, subject, rule, expected, found', parameters: { from: 'uuid', to: 'uuid' } },
  verify_payment_packages: { returns: 'rows', columns: 'user_id, id, parent_id, trans_type, source, initial', parameters: { from: 'uuid', to: 'uuid' } },
  verify_payment_price: { returns: 'rows', columns: 'user_id, subject, rule, expected, found', parameters: { from: 'uuid', to: 'uuid' } },
  verify_payment_refund_claims: { returns: 'rows', columns: 'user_id, source, key, part', parameters: { from: 'uuid', to: 'uuid' } },
  verify_payment_returns: { returns: 'rows', columns: 'user_id, n, source', parameters: { from: 'uuid', to: 'uuid' } },
  verify_range_end: { returns: 'value', columns: '', parameters: { from: 'uuid', rows: 'bigint' } },
  verify_redemption: { returns: 'rows', columns: 'user_id, subject, rule, expected, found', parameters: { from: 'uuid', to: 'uuid' } },
  verify_refund_claim: { returns: 'rows', columns: 'user_id, subject, rule, expected, found', parameters: { from: 'uuid', to: 'uuid' } },
  verify_return: { returns: 'rows', columns: 'user_id, subject, rule, expected, found', parameters: { from: 'uuid', to: 'uuid' } },
  verify_slice: { returns: 'rows', columns: 'user_id, subject, rule, expected, found', parameters: { from: 'uuid', to: 'uuid' } },
  verify_sum_row: { returns: 'rows', columns: 'user_id, subject, rule, expected, found', parameters: { expected: 'jsonb', found: 'jsonb' } },
  verify_test_source: { returns: 'value', columns: '', parameters: { source: 'text' } },
  verify_transfer: { returns: 'rows', columns: 'user_id, subject, rule, expected, found', parameters: { from: 'uuid', to: 'uuid' } },
  verify_usage_sum: { returns: 'rows', columns: 'user_id, subject, rule, expected, found', parameters: { from: 'uuid', to: 'uuid' } },
  verify_video: { returns: 'rows', columns: 'user_id, subject, rule, expected, found', parameters: { from: 'uuid', to: 'uuid' } },
  video_apply: { returns: 'value', columns: '', parameters: { steps: 'jsonb', now: 'timestamp with time zone' } },
  video_arrange: { returns: 'value', columns: '', parameters: { userId: 'uuid', ids: 'uuid[]', moves: 'boolean', now: 'timestamp with time zone', favourite: 'boolean', folderId: 'uuid' } },
  video_begin_waiting: { returns: 'value', columns: '', parameters: { userId: 'uuid', id: 'uuid', lease: 'uuid', maxInProgress: 'integer', now: 'timestamp with time zone' } },
  video_changed: { returns: 'row', columns: 'outcome, video, is_changed, entry, detail, is_once, task_id, credits, grace_s', parameters: { video: 'kinora.video', outcome: 'text', entry: 'text', detail: 'text', taskId: 'text', credits: 'text', graceS: 'integer', isOnce: 'boolean' } },
  video_claim_oldest: { returns: 'rows', columns: 'user_id, id, prompt, model, duration_s, aspect_ratio, quality, mode, made_of, seed, negative_prompt, audio, options, remixed_from, batch_id, made_by, subject, metadata, credits, second_rate, has_trigrams, status, is_waiting, providers, provider_index, provider_task_id, provider_handle, submitted_at, accepted_at, result_at, result_url, other_result_url, lost_at, queue_position, expected_at, route_model, catalogue_usd, unit_rates, reserved_cost, final_cost, cost_unit, unit_usd, progress, usual_s, error_code, error, video_key, thumbnail_key, manifest_key, size_bytes, film_duration_s, film_width, film_height, favourite, folder_id, is_replayable, files_removed_at, created_at, completed_at, deleted_at, updated_at, due_at, deadline_at, attempt, lease_id, lease_until', parameters: { statuses: 'text[]', count: 'integer', lease: 'uuid', leaseUntil: 'timestamp with time zone', now: 'timestamp with time zone', bucket: 'integer' } },
  video_claim_round_robin: { returns: 'rows', columns: 'user_id, id, prompt, model, duration_s, aspect_ratio, quality, mode, made_of, seed, negative_prompt, audio, options, remixed_from, batch_id, made_by, subject, metadata, credits, second_rate, has_trigrams, status, is_waiting, providers, provider_index, provider_task_id, provider_handle, submitted_at, accepted_at, result_at, result_url, other_result_url, lost_at, queue_position, expected_at, route_model, catalogue_usd, unit_rates, reserved_cost, final_cost, cost_unit, unit_usd, progress, usual_s, error_code, error, video_key, thumbnail_key, manifest_key, size_bytes, film_duration_s, film_width, film_height, favourite, folder_id, is_replayable, files_removed_at, created_at, completed_at, deleted_at, updated_at, due_at, deadline_at, attempt, lease_id, lease_until', parameters: { status: 'text', count: 'integer', perUserMax: 'integer', window: 'integer', userIds: 'uuid[]', running: 'integer[]', lease: 'uuid', leaseUntil: 'timestamp with time zone', now: 'timestamp with time zone' } },
  video_cost: { returns: 'value', columns: '', parameters: { credits: 'bigint', secondRate: 'numeric', filmDurationS: 'double precision' } },
  video_end_lease: { returns: 'row', columns: 'user_id, id, prompt, model, duration_s, aspect_ratio, quality, mode, made_of, seed, negative_prompt, audio, options, remixed_from, batch_id, made_by, subject, metadata, credits, second_rate, has_trigrams, status, is_waiting, providers, provider_index, provider_task_id, provider_handle, submitted_at, accepted_at, result_at, result_url, other_result_url, lost_at, queue_position, expected_at, route_model, catalogue_usd, unit_rates, reserved_cost, final_cost, cost_unit, unit_usd, progress, usual_s, error_code, error, video_key, thumbnail_key, manifest_key, size_bytes, film_duration_s, film_width, film_height, favourite, folder_id, is_replayable, files_removed_at, created_at, completed_at, deleted_at, updated_at, due_at, deadline_at, attempt, lease_id, lease_until', parameters: { video: 'kinora.video', dueAt: 'timestamp with time zone' } },
  video_estimated_s: { returns: 'value', columns: '', parameters: { video: 'kinora.video', now: 'timestamp with time zone' } },
  video_files_due: { returns: 'rows', columns: 'user_id, video_id, lease_id, video_key, thumbnail_key, manifest_key, is_orphan', parameters: { now: 'timestamp with time zone', retryAt: 'timestamp with time zone', limit: 'integer' } },
  video_files_removed: { returns: 'value', columns: '', parameters: { userId: 'uuid', id: 'uuid', reason: 'text', now: 'timestamp with time zone' } },
  video_folder_create: { returns: 'value', columns: '', parameters: { userId: 'uuid', id: 'uuid', name: 'text', madeBy: 'uuid', max: 'integer', now: 'timestamp with time zone' } },
  video_folder_delete: { returns: 'value', columns: '', parameters: { userId: 'uuid', id: 'uuid', batch: 'integer', actorId: 'uuid', now: 'timestamp with time zone' } },
  video_folder_rename: { returns: 'value', columns: '', parameters: { userId: 'uuid', id: 'uuid', name: 'text', now: 'timestamp with time zone' } },
  video_generate_all: { returns: 'rows', columns: 'outcome, available, id, model, credits, created_at, ids', parameters: { requests: 'jsonb', now: 'timestamp with time zone' } },
  video_has_lease: { returns: 'value', columns: '', parameters: { video: 'kinora.video', step: 'kinora.video_step', status: 'text' } },
  video_has_shots: { returns: 'value', columns: '', parameters: { request: 'kinora.generate_request' } },
  video_hide: { returns: 'nothing', columns: '', parameters: { userId: 'uuid', ids: 'uuid[]', takedownId: 'uuid', filesDueAt: 'timestamp with time zone', now: 'timestamp with time zone' } },
  video_ids_of_batch: { returns: 'value', columns: '', parameters: { userId: 'uuid', id: 'uuid' } },
  video_is_logged: { returns: 'value', columns: '', parameters: { video: 'kinora.video', entry: 'text' } },
  video_lock_due: { returns: 'value', columns: '', parameters: { status: 'text', bucket: 'integer', count: 'integer', now: 'timestamp with time zone' } },
  video_log_add: { returns: 'nothing', columns: '', parameters: { video: 'kinora.video', entry: 'text', detail: 'text', now: 'timestamp with time zone' } },
  video_match_report: { returns: 'value', columns: '', parameters: { video: 'kinora.video', step: 'kinora.video_step' } },
  video_matches: { returns: 'value', columns: '', parameters: { video: 'kinora.video', filter: 'jsonb' } },
  video_note_ends_read: { returns: 'values', columns: '', parameters: { userId: 'uuid', ids: 'uuid[]', ofAll: 'boolean', madeBy: 'uuid' } },
  video_note_ends_unread: { returns: 'nothing', columns: '', parameters: { userId: 'uuid', ids: 'uuid[]' } },
  video_note_task: { returns: 'row', columns: 'user_id, id, prompt, model, duration_s, aspect_ratio, quality, mode, made_of, seed, negative_prompt, audio, options, remixed_from, batch_id, made_by, subject, metadata, credits, second_rate, has_trigrams, status, is_waiting, providers, provider_index, provider_task_id, provider_handle, submitted_at, accepted_at, result_at, result_url, other_result_url, lost_at, queue_position, expected_at, route_model, catalogue_usd, unit_rates, reserved_cost, final_cost, cost_unit, unit_usd, progress, usual_s, error_code, error, video_key, thumbnail_key, manifest_key, size_bytes, film_duration_s, film_width, film_height, favourite, folder_id, is_replayable, files_removed_at, created_at, completed_at, deleted_at, updated_at, due_at, deadline_at, attempt, lease_id, lease_until', parameters: { video: 'kinora.video', step: 'kinora.video_step' } },
  video_oldest_due: { returns: 'value', columns: '', parameters: { status: 'text', bucket: 'integer', now: 'timestamp with time zone' } },
  video_page: { returns: 'values', columns: '', parameters: { userId: 'uuid', filter: 'jsonb', isOldestFirst: 'boolean', skip: 'bigint', limit: 'bigint', cursor: 'uuid' } },
  video_progress: { returns: 'value', columns: '', parameters: { video: 'kinora.video', now: 'timestamp with time zone' } },
  video_progress_seen: { returns: 'value', columns: '', parameters: { video: 'kinora.video', now: 'timestamp with time zone' } },
  video_raise_progress: { returns: 'value', columns: '', parameters: { video: 'kinora.video', progress: 'integer', now: 'timestamp with time zone' } },
  video_restore: { returns: 'value', columns: '', parameters: { userId: 'uuid', id: 'uuid', actorId: 'uuid', requestId: 'text', reason: 'text', now: 'timestamp with time zone', since: 'timestamp with time zone' } },
  video_search: { returns: 'values', columns: '', parameters: { userId: 'uuid', filter: 'jsonb', isOldestFirst: 'boolean', limit: 'bigint', cursor: 'uuid' } },
  video_search_count: { returns: 'value', columns: '', parameters: { userId: 'uuid', filter: 'jsonb', max: 'bigint' } },
  video_show: { returns: 'nothing', columns: '', parameters: { userId: 'uuid', ids: 'uuid[]', takedownId: 'uuid', now: 'timestamp with time zone' } },
  video_signed: { returns: 'value', columns: '', parameters: { userId: 'uuid', id: 'uuid', sizeBytes: 'bigint', provenance: 'jsonb', now: 'timestamp with time zone', manifestKey: 'text' } },
  video_step_accept: { returns: 'row', columns: 'outcome, video, is_changed, entry, detail, is_once, task_id, credits, grace_s', parameters: { video: 'kinora.video', step: 'kinora.video_step', now: 'timestamp with time zone' } },
  video_step_add_link: { returns: 'row', columns: 'outcome, video, is_changed, entry, detail, is_once, task_id, credits, grace_s', parameters: { video: 'kinora.video', step: 'kinora.video_step', now: 'timestamp with time zone' } },
  video_step_begin_store: { returns: 'row', columns: 'outcome, video, is_changed, entry, detail, is_once, task_id, credits, grace_s', parameters: { video: 'kinora.video', step: 'kinora.video_step', now: 'timestamp with time zone' } },
  video_step_begin_submit: { returns: 'row', columns: 'outcome, video, is_changed, entry, detail, is_once, task_id, credits, grace_s', parameters: { video: 'kinora.video', step: 'kinora.video_step', now: 'timestamp with time zone' } },
  video_step_cancel: { returns: 'row', columns: 'outcome, video, is_changed, entry, detail, is_once, task_id, credits, grace_s', parameters: { video: 'kinora.video', step: 'kinora.video_step', now: 'timestamp with time zone' } },
  video_step_complete: { returns: 'row', columns: 'outcome, video, is_changed, entry, detail, is_once, task_id, credits, grace_s', parameters: { video: 'kinora.video', step: 'kinora.video_step', now: 'timestamp with time zone' } },
  video_step_defer: { returns: 'row', columns: 'outcome, video, is_changed, entry, detail, is_once, task_id, credits, grace_s', parameters: { video: 'kinora.video', step: 'kinora.video_step', now: 'timestamp with time zone' } },
  video_step_delete: { returns: 'row', columns: 'outcome, video, is_changed, entry, detail, is_once, task_id, credits, grace_s', parameters: { video: 'kinora.video', step: 'kinora.video_step', now: 'timestamp with time zone' } },
  video_step_fail: { returns: 'row', columns: 'outcome, video, is_changed, entry, detail, is_once, task_id, credits, grace_s', parameters: { video: 'kinora.video', step: 'kinora.video_step', now: 'timestamp with time zone' } },
  video_step_poll_now: { returns: 'row', columns: 'outcome, video, is_changed, entry, detail, is_once, task_id, credits, grace_s', parameters: { video: 'kinora.video', step: 'kinora.video_step', now: 'timestamp with time zone' } },
  video_step_render: { returns: 'row', columns: 'outcome, video, is_changed, entry, detail, is_once, task_id, credits, grace_s', parameters: { video: 'kinora.video', step: 'kinora.video_step', now: 'timestamp with time zone' } },
  video_step_renew_lease: { returns: 'row', columns: 'outcome, video, is_changed, entry, detail, is_once, task_id, credits, grace_s', parameters: { video: 'kinora.video', step: 'kinora.video_step', now: 'timestamp with time zone' } },
  video_step_report_failure: { returns: 'row', columns: 'outcome, video, is_changed, entry, detail, is_once, task_id, credits, grace_s', parameters: { video: 'kinora.video', step: 'kinora.video_step', now: 'timestamp with time zone' } },
  video_step_report_progress: { returns: 'row', columns: 'outcome, video, is_changed, entry, detail, is_once, task_id, credits, grace_s', parameters: { video: 'kinora.video', step: 'kinora.video_step', now: 'timestamp with time zone' } },
  video_step_report_result: { returns: 'row', columns: 'outcome, video, is_changed, entry, detail, is_once, task_id, credits, grace_s', parameters: { video: 'kinora.video', step: 'kinora.video_step', now: 'timestamp with time zone' } },
  video_step_reschedule_poll: { returns: 'row', columns: 'outcome, video, is_changed, entry, detail, is_once, task_id, credits, grace_s', parameters: { video: 'kinora.video', step: 'kinora.video_step', now: 'timestamp with time zone' } },
  video_step_retry_submit: { returns: 'row', columns: 'outcome, video, is_changed, entry, detail, is_once, task_id, credits, grace_s', parameters: { video: 'kinora.video', step: 'kinora.video_step', now: 'timestamp with time zone' } },
  video_step_switch_link: { returns: 'row', columns: 'outcome, video, is_changed, entry, detail, is_once, task_id, credits, grace_s', parameters: { video: 'kinora.video', step: 'kinora.video_step', now: 'timestamp with time zone' } },
  video_store_input: { returns: 'value', columns: '', parameters: { userId: 'uuid', id: 'uuid', lease: 'uuid', position: 'integer', source: 'text', now: 'timestamp with time zone' } },
  video_to_failed: { returns: 'row', columns: 'outcome, video, is_changed, entry, detail, is_once, task_id, credits, grace_s', parameters: { video: 'kinora.video', outcome: 'text', errorCode: 'text', error: 'text', entry: 'text', detail: 'text', taskId: 'text', graceS: 'integer', now: 'timestamp with time zone' } },
  video_to_generating: { returns: 'row', columns: 'outcome, video, is_changed, entry, detail, is_once, task_id, credits, grace_s', parameters: { video: 'kinora.video', step: 'kinora.video_step', outcome: 'text', deadlineAt: 'timestamp with time zone', now: 'timestamp with time zone' } },
  video_unchanged: { returns: 'row', columns: 'outcome, video, is_changed, entry, detail, is_once, task_id, credits, grace_s', parameters: { video: 'kinora.video', outcome: 'text', entry: 'text', detail: 'text' } },
  video_waiting_pause: { returns: 'value', columns: '', parameters: {  } },
  video_whole_seconds: { returns: 'value', columns: '', parameters: { filmDurationS: 'double precision' } },
  videos_mark_unsigned: { returns: 'rows', columns: 'films, user_id, id', parameters: { afterUserId: 'uuid', afterId: 'uuid', limit: 'integer', now: 'timestamp with time zone' } },
  videos_to_sign: { returns: 'rows', columns: 'user_id, id, model, made_of, video_key, thumbnail_key, manifest_key, made_at, manifest_id', parameters: { now: 'timestamp with time zone', limit: 'integer' } },
  webhook_claim: { returns: 'rows', columns: 'user_id, id, url, is_registered, secret, previous_secret, earlier_secrets, has_own_secret, failures', parameters: { limit: 'integer', failingLimit: 'integer', lease: 'uuid', leaseUntil: 'timestamp with time zone', now: 'timestamp with time zone' } },
  webhook_create: { returns: 'value', columns: '', parameters: { userId: 'uuid', id: 'uuid', url: 'text', events: 'text[]', secret: 'bytea', accountSecret: 'bytea', max: 'integer', now: 'timestamp with time zone', description: 'text', madeBy: 'uuid', subject: 'text', metadata: 'jsonb' } },
  webhook_data: { returns: 'value', columns: '', parameters: { video: 'kinora.video' } },
  webhook_delete: { returns: 'value', columns: '', parameters: { userId: 'uuid', id: 'uuid', now: 'timestamp with time zone' } },
  webhook_finish: { returns: 'value', columns: '', parameters: { userId: 'uuid', endpointId: 'uuid', lease: 'uuid', attempts: 'jsonb', hasSuccess: 'boolean', hasFailure: 'boolean', isGone: 'boolean', disableAfter: 'interval', now: 'timestamp with time zone', pauseUntil: 'timestamp with time zone' } },
  webhook_lock: { returns: 'value', columns: '', parameters: { userId: 'uuid', id: 'uuid' } },
  webhook_lock_origins: { returns: 'nothing', columns: '', parameters: { userIds: 'uuid[]', origins: 'text[]', now: 'timestamp with time zone' } },
  webhook_open_account: { returns: 'nothing', columns: '', parameters: { userId: 'uuid', secret: 'bytea', now: 'timestamp with time zone' } },
  webhook_origin_id: { returns: 'value', columns: '', parameters: { userId: 'uuid', origin: 'text' } },
  webhook_record: { returns: 'value', columns: '', parameters: { userId: 'uuid', endpointId: 'uuid', lease: 'uuid', attempts: 'jsonb' } },
  webhook_redeliver: { returns: 'row', columns: 'outcome, count, next_at', parameters: { userId: 'uuid', endpointId: 'uuid', limit: 'integer', now: 'timestamp with time zone', id: 'uuid', since: 'timestamp with time zone', until: 'timestamp with time zone', states: 'text[]', types: 'text[]' } },
  webhook_rotate: { returns: 'value', columns: '', parameters: { userId: 'uuid', secret: 'bytea', previousUntil: 'timestamp with time zone', now: 'timestamp with time zone', id: 'uuid' } },
  webhook_take_urls: { returns: 'row', columns: 'numbers, user_ids, urls, origins, formats, endpoint_ids', parameters: { userIds: 'uuid[]', types: 'text[]', subjectIds: 'uuid[]' } },
  webhook_test: { returns: 'value', columns: '', parameters: { userId: 'uuid', id: 'uuid', deliveryId: 'uuid', now: 'timestamp with time zone', type: 'text', data: 'jsonb' } },
  webhook_update: { returns: 'value', columns: '', parameters: { userId: 'uuid', id: 'uuid', now: 'timestamp with time zone', url: 'text', description: 'text', events: 'text[]', isEnabled: 'boolean', madeBy: 'uuid', metadata: 'jsonb' } },
  webhook_valid_secrets: { returns: 'row', columns: 'secrets, untils', parameters: { secrets: 'bytea[]', untils: 'timestamp with time zone[]', now: 'timestamp with time zone' } },
  webhook_view: { returns: 'value', columns: '', parameters: { video: 'kinora.video' } },
  webhook_wake: { returns: 'nothing', columns: '', parameters: { userId: 'uuid' } },
  webhook_write: { returns: 'nothing', columns: '', parameters: { userIds: 'uuid[]', types: 'text[]', subjectIds: 'uuid[]', data: 'jsonb[]', now: 'timestamp with time zone' } },
  webhook_write_one: { returns: 'nothing', columns: '', parameters: { userId: 'uuid', type: 'text', subjectId: 'uuid', data: 'jsonb', now: 'timestamp with time zone' } },
  work_due: { returns: 'value', columns: '', parameters: { now: 'timestamp with time zone' } },
} as const

/** The attributes of composite types. */
export const composites = {
  'kinora.video_step': { step: 'text', userId: 'uuid', id: 'uuid', lease: 'uuid', leaseUntil: 'timestamp with time zone', provider: 'text', providerIndex: 'integer', providers: 'text[]', taskId: 'text', handle: 'bytea', progress: 'integer', queuePosition: 'integer', expectedAt: 'timestamp with time zone', costAmount: 'numeric', costUnit: 'text', costStage: 'text', unitUsd: 'numeric', routeModel: 'text', catalogueUsd: 'numeric', unitRates: 'jsonb', attempt: 'integer', dueAt: 'timestamp with time zone', deadlineAt: 'timestamp with time zone', url: 'text', isRetryable: 'boolean', isFinished: 'boolean', isLost: 'boolean', errorCode: 'text', error: 'text', graceS: 'integer', entry: 'text', detail: 'text', videoKey: 'text', thumbnailKey: 'text', manifestKey: 'text', provenance: 'jsonb', sizeBytes: 'bigint', durationS: 'double precision', width: 'integer', height: 'integer' },
  'kinora.generate_request': { userId: 'uuid', id: 'uuid', prompt: 'text', model: 'text', durationS: 'integer', aspectRatio: 'text', quality: 'text', mode: 'text', madeOf: 'jsonb', seed: 'integer', negativePrompt: 'text', audio: 'boolean', options: 'jsonb', batchId: 'uuid', batch: 'jsonb', projectId: 'uuid', shotId: 'uuid', takeId: 'uuid', mayWait: 'boolean', assetIds: 'uuid[]', assetLinkExpired: 'boolean', assetDueAt: 'timestamp with time zone', credits: 'bigint', secondRate: 'numeric', providers: 'text[]', usualS: 'integer', deadlineAt: 'timestamp with time zone', maxInProgress: 'integer', key: 'text', requestHash: 'bytea', isReplayable: 'boolean', keyId: 'uuid', tokenId: 'uuid', subject: 'text', metadata: 'jsonb', webhookUrl: 'text', webhookOrigin: 'text', webhookFormat: 'text', webhookEvents: 'text[]' },
} as const
