/**
 * Where each table is on a distributed PostgreSQL (Citus). All rows of one user are on one shard, in tables that are
 * distributed by `user_id` and co-located; a table that is named nowhere here is on the coordinator alone.
 */

import { FUNCTION_FILES } from '../schema.ts'

/** Distributed by user_id. */
export const DISTRIBUTED = [
  'credit_account',
  'credit_package',
  'credit_hold',
  'credit_transaction',
  'credit_refund_claim',
  'transaction_count',
  'expiry_notice',
  'spending_rule',
  'top_up',
  'idempotency_key',
  'video',
  'video_log',
  'video_file',
  'video_provenance',
  'asset',
  'asset_upload',
  'video_count',
  'video_share',
  'video_folder',
  'project',
  'shot',
  'shot_take',
  'provider_task',
  'webhook_account',
  'webhook_endpoint',
  'webhook_of_video',
  'webhook_delivery',
  'mail_setting',
  'api_key_usage',
  'key_token',
  'subject_erasure',
  'account_export',
  'consent',
  'film_sum',
  'film_sum_state',
  'film_sum_stale',
  'usage_sum',
] as const

/**
 * Tables on the coordinator for rows without a user, and beside each a distributed table `shard_<name>` for rows with
 * one, which the functions of a shard write in the transaction of their cause.
 */
export const SPLIT_BY_USER = ['mail', 'audit'] as const

/**
 * Written on the coordinator. A trigger copies each row to the distributed table `shard_<name>` in the same
 * transaction, so that the functions of a shard read it where they run.
 */
export const MIRRORED = [
  {
    table: 'public."user"',
    mirror: 'shard_user',
    columns: '"id", "name", "email", "emailVerified", "role", "language", "banned", "banExpires"',
    userId: '("id")::uuid',
    of: ['"name"', '"email"', '"emailVerified"', '"role"', '"language"', '"banned"', '"banExpires"'],
  },
  {
    table: 'kinora.api_key',
    mirror: 'shard_api_key',
    columns: 'id, scopes, budget, budget_period, created_at, suspended_at, connected_by, max_in_progress',
    userId: 'user_id',
    of: ['scopes', 'budget', 'budget_period', 'suspended_at', 'connected_by', 'max_in_progress'],
  },
  {
    table: 'kinora.team',
    mirror: 'shard_team',
    columns: 'id, name',
    userId: '("id")',
    of: ['name'],
  },
  {
    table: 'kinora.deleted_account',
    mirror: 'shard_deleted_account',
    columns: 'email_hash, created_at, deleted_at, erased_at, unfinished',
    userId: 'user_id',
    of: ['erased_at', 'unfinished'],
  },
] as const

/** Tables on the coordinator that are reached from every node through Citus, in a transaction of both. */
export const SHARED = [
  'gift_address',
  'gift_network',
  'deleted_account',
  'payment_event',
  'payment_object',
  'payment_return',
  'payment_refund',
  'payment_price',
  'subscription',
  'payment',
  'redemption_code',
  'redemption',
  'redemption_mark',
] as const

/** Shared too, and of a distributed database alone: own-functions.ts says what for. */
export const OF_CITUS = [
  { table: 'payment_lock', columns: 'user_id uuid primary key' },
  {
    table: 'administrator_key',
    columns: `
      user_id uuid, operation text, key text, subject_user_id uuid not null, created_at timestamptz not null,
      primary key (user_id, operation, key)
    `,
  },
] as const

/** The files of server/sql whose functions each node has once. They name shared tables only. */
export const NODE_FILES: readonly string[] = ['credit_gift.sql']

/** The files of server/sql whose functions read tables of the coordinator, or replace what a shard has. */
const COORDINATOR_FILES = [
  'two_phase.sql',
  'credit_worth.sql',
  'provider_slot.sql',
  'catalogue_switch.sql',
  'catalogue_taken.sql',
  'invitation.sql',
  'redemption_code.sql',
  'team.sql',
  'authority.sql',
  'credit_transfer.sql',
  'explore.sql',
  'takedown.sql',
  'incident.sql',
  'route_health.sql',
  'account.sql',
  'payment_event.sql',
  'payment_refund.sql',
  'verify_payment.sql',
  'verify_run.sql',
  'payment_reconcile.sql',
]

/** The files of server/sql whose functions each shard has. */
export const SHARD_FILES = FUNCTION_FILES.filter(
  (name) => !NODE_FILES.includes(name) && !COORDINATOR_FILES.includes(name),
)

/** The anchor of the co-location: its shards number the shards of all. */
export const ANCHOR = 'credit_account'

/** The distributed table that stands for a table in the texts of a shard; undefined: the table is the coordinator's. */
const STANDS_FOR = new Map<string, string>([
  ...DISTRIBUTED.map((table) => [`kinora.${table}`, table] as const),
  ...SPLIT_BY_USER.map((table) => [`kinora.${table}`, `shard_${table}`] as const),
  ...MIRRORED.map(({ table, mirror }) => [table, mirror] as const),
])

/** Whether a statement about one user is the shard's by this table. The coordinator writes mirrored ones. */
export const isOfShards = (table: string): boolean =>
  STANDS_FOR.has(table) && !MIRRORED.some((mirrored) => mirrored.table === table)

export const distributedFor = (table: string): string | undefined => STANDS_FOR.get(table)

/** The distributed tables, those that no text names included. */
export const allDistributed = (): string[] => [...STANDS_FOR.values()]
