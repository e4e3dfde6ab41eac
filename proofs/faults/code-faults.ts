/** Planted faults of redemption codes, and of the debts of those who are deleted (planted-faults.ts). */
import { type Fault, faultsIn } from './fault.ts'

export const codeFaults: Fault[] = [
  ...faultsIn('sql/credit_redeem.sql', [
    ['code: one more use than it allows', 'c.uses < c.uses_max', 'c.uses <= c.uses_max'],
    ['code: redeemed after its end', 'c.ended_at is null and c.expires_at', 'c.expires_at'],
    ['code: each attempt takes a use', 'c.uses - 1', 'c.uses'],
    [
      'code: a repetition grants again',
      "outcome := 'replayed';\n  else",
      "outcome := 'replayed';\n  end if;\n  if true then",
    ],
  ]),
  ...faultsIn('sql/credit_gift.sql', [
    [
      'code: a person redeems it with each account',
      '1) on conflict do nothing',
      '1) on conflict (code_id, hash) do update set uses = 1',
    ],
    ['code: a network has one more', 'm.uses < p_network_max', 'm.uses <= p_network_max'],
    ['code: those who have paid are new customers', 'if p_new_customers and exists', 'if false and exists'],
  ]),
  ...faultsIn('sql/account.sql', [
    ['debt: a team that owes is deleted unasked', 'kinora.credit_owed(p_team_id) > p_owed', 'false'],
    ['debt: an account that owes is deleted unasked', 'kinora.credit_owed(p_user_id) > p_owed', 'false'],
  ]),
  ...faultsIn('src/account-data/delete.ts', [
    ['debt: the payers of a deleted team owe nothing', '  await passOnOwed(app, userId)\n', ''],
  ]),
]
