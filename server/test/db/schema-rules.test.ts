/** Rules that the SQL functions and the database schema obey. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import postgres from 'postgres'
import { notDistributed } from '../support/citus/database.ts'
import { createDatabase } from '../support/database.ts'
import { found, sourcesOf } from '../support/sources.ts'

// A lock of a session is not the client's own behind a pooler, and one that is waited for orders transactions in a
// second way. That of a provider's slot is only tried, ends with its transaction, and is on the coordinator, as its
// table is.
test('SQL: every text → no NOTIFY, no sequence, and no advisory lock but that of a provider’s slot', () => {
  const sql = [...sourcesOf('server/sql', '.sql'), ...sourcesOf('server/migrations', '.sql')]
  assert.deepEqual(found(sql, /\b(notify|nextval|pg_notify|pg_(try_)?advisory\w*)\b/gi), [
    'provider_slot.sql: pg_try_advisory_xact_lock',
  ])
})

test('SQL functions: every one → at most 80 lines, nine of ten at most 60', () => {
  const lengths = sourcesOf('server/sql', '.sql').flatMap(({ name, text }) =>
    text
      .split(/^(?=create or replace (?:function|aggregate) )/m)
      .slice(1)
      .map((part) => {
        const end = / as \$\$|^as \$\$$/m.test(part) ? /\$\$;$/m : /^begin atomic$/m.test(part) ? /^end;$/m : /;$/m
        const lines = part.slice(0, part.search(end)).split('\n').length
        return { name: /kinora\.(\w+)/.exec(part)?.[1] ?? '', file: name, lines }
      }),
  )
  assert.ok(lengths.length > 100)
  const longer = (max: number) => lengths.filter(({ lines }) => lines > max).map(({ name }) => name)
  assert.deepEqual(longer(80), [])
  assert.ok(longer(60).length <= lengths.length / 10, longer(60).join(', '))
})

test('SQL functions: those of sets → marked `-- set-based`, for which migrate sets the options of the planner', () => {
  assert.deepEqual(found(sourcesOf('server/sql', '.sql'), /\bforce_generic_plan\b/g), [])
})

test(
  'triggers: every one → on the tables of sign-in, which a library writes, never on the ledger or videos',
  notDistributed('copies for the shards have triggers too'),
  async () => {
    const database = await createDatabase()
    const sql = postgres(database.url, { max: 1 })
    const rows = await sql<{ table: string }[]>`
    select distinct c.relname as table from pg_trigger t join pg_class c on c.oid = t.tgrelid where not t.tgisinternal order by 1
  `
    await sql.end()
    await database.drop()
    assert.deepEqual(
      rows.map(({ table }) => table),
      // A user stays counted when the account is deleted; a consent, a row of the library, ends with the membership.
      [
        ...['apikey', 'deleted_account', 'oauthAccessToken', 'oauthConsent', 'oauthRefreshToken', 'passkey', 'session'],
        'user',
      ],
    )
  },
)

test(
  'indexes: every one → leads with user_id, except the listed ones',
  notDistributed('each table has others too'),
  async () => {
    const database = await createDatabase()
    const sql = postgres(database.url, { max: 1 })
    const rows = await sql<{ index: string; first: string }[]>`
    select c.relname as index, a.attname as first
    from pg_index i
    join pg_class t on t.oid = i.indrelid
    join pg_class c on c.oid = i.indexrelid
    left join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0]
    where t.relnamespace = 'kinora'::regnamespace
  `
    const tables = await sql`select from pg_class where relnamespace = 'kinora'::regnamespace and relkind = 'r'`
    await sql.end()
    await database.drop()
    assert.ok(rows.length >= tables.length && tables.length >= 9)
    const others = rows.filter(({ first }) => first !== 'user_id').map(({ index }) => index)
    assert.deepEqual(others.sort(), [
      // The sweep of assets, over all users.
      'asset_due',
      'asset_of_test',
      'asset_upload_due',
      // An administrator's actions, on any user.
      'audit_by_action',
      'audit_by_actor',
      'audit_by_invited',
      'audit_pkey',
      // What is switched off, taken and found, of models and accounts.
      'catalogue_comparison_pkey',
      'catalogue_finding_pkey',
      'catalogue_switch_pkey',
      'catalogue_taken_pkey',
      // Read by transaction id, in the order in which they became visible.
      'credential_revocation_pkey',
      // Sweeps over all users.
      'credit_account_next_expiry',
      // What came into teams from a member, whose payment is returned.
      'credit_package_from',
      // A deleted account is found by the hash of its e-mail address when a new user registers.
      'deleted_account_by_email',
      // Sweeps over all users.
      'expiry_notice_age',
      // Published films of all users.
      'explore_film_administrator',
      'explore_film_by_id',
      'explore_film_listed',
      'explore_film_reported',
      'explore_report_of_film',
      // What films of all users cost and earn.
      'film_sum_of_period',
      // One gift for each mailbox, a cap for each network: whose user it was is not stored.
      'gift_address_age',
      'gift_address_pkey',
      'gift_network_pkey',
      'idempotency_key_age',
      // What all users are told.
      'incident_end',
      'incident_pkey',
      'incident_to_mail',
      // An invitation is found by its token before there is a user.
      'invitation_by_token',
      'invitation_by_user',
      'invitation_pkey',
      'key_token_age',
      // Not of a user.
      'ledger_check_run_one_running',
      'ledger_check_run_pkey',
      // The outbox, for workers and administrators.
      'mail_age',
      'mail_due',
      'mail_expiry',
      'mail_pkey',
      'mail_unsent',
      'migration_pkey',
      // Counts of moderation, by day.
      'moderation_count_pkey',
      // Checkouts at a processor, by age.
      // What payments of all users have brought.
      'owner_tag_of_tag',
      'payment_at',
      'payment_checkout_age',
      'payment_checkout_offer',
      'payment_checkout_pkey',
      // Payment events, and the processor's objects by which they find their user.
      'payment_event_body',
      'payment_event_by_state',
      'payment_event_dismissed_body',
      'payment_event_id',
      'payment_event_not_applied',
      'payment_event_notice',
      'payment_event_pkey',
      'payment_event_problem',
      'payment_event_retry',
      'payment_event_unmatched',
      'payment_object_pkey',
      // What each id of a processor is paid at.
      'payment_price_pkey',
      // Refunds that no processor has answered, of all users.
      'payment_refund_due',
      // A refund may precede the payment by which its user is known.
      'payment_return_of_source',
      'payment_return_pkey',
      'payment_return_unknown',
      'payment_returned',
      // The balances of accounts at providers, and their limits.
      'provider_balance_age',
      'provider_balance_pkey',
      'provider_slot_pkey',
      // Lookups of a user by an external or time key.
      'provider_task_age',
      'provider_task_pkey',
      // Counters of users, addresses and accounts.
      'rate_counter_pkey',
      // The rows of a processor.
      'reconcile_count_pkey',
      'reconcile_state_pkey',
      // A code is found by its text, and its users are counted.
      'redemption_code_by_text',
      'redemption_code_pkey',
      // Of persons and networks, whom it does not name.
      'redemption_mark_pkey',
      'redemption_of_code',
      // The routes that have failed, of models at accounts.
      'route_health_pkey',
      // Not of a user.
      'schema_version_pkey',
      // The list of all users' subscriptions.
      'subscription_by_id',
      'subscription_incomplete',
      'subscription_renewing',
      // Decisions on films of all users: by the link of a mail, by the bytes of an upload, and what waits.
      'takedown_by_hash',
      'takedown_by_id',
      'takedown_objected',
      'takedown_to_apply',
      // A team is an owner itself; its members and invitations are found by it, an invitation by its token and its
      // address.
      'team_invitation_by_email',
      'team_invitation_by_token',
      'team_invitation_expiry',
      'team_invitation_once',
      'team_invitation_pkey',
      'team_member_pkey',
      'team_pkey',
      // Charges of all owners, for workers.
      'top_up_due',
      // The rows of all users, in shards.
      'user_count_pkey',
      'video_due',
      'video_due_bucket',
      // What films cost and earn, over all users.
      'video_ended',
      // A film by its id alone.
      'video_ended_by_id',
      // Those that failed, over all users.
      'video_failed',
      // The retention sweep, over all users.
      'video_file_due',
      'video_files_completed',
      'video_files_deleted',
      // Recent events of all users.
      'video_log_at',
      'video_of_test',
      // A file is looked up by its hash alone; films that are to be signed, of all users.
      'video_provenance_by_film',
      'video_provenance_by_thumbnail',
      'video_provenance_due',
      'video_provenance_signed_later',
      'video_share_administrator',
      // Deliveries by age; endpoints that are due, of all users.
      'webhook_delivery_age',
      'webhook_endpoint_due',
      'webhook_endpoint_failing_due',
    ])
  },
)
