/** Corruptions of a transfer, and of an order, that verify() must report, as those of ledger-edge-corruptions.ts. */
import { CHAIN, type EdgeCorruption } from './ledger-edge-corruptions.ts'
import { GIFT, GRANT, OTHER, TEAM } from './ledger-edge-fixture.ts'

/** A user who has bought 10 credits and moved 6 of them into a team. */
const TRANSFER = `
  select credit_grant('${OTHER}', '${OTHER}', 'x', 'ORDER_PAY', 10, '2037-01-01', '2035-01-01', null, null);
  insert into team (id, name, created_at) values ('${TEAM}', 'North', '2035-01-01');
  insert into team_member (team_id, user_id, role, created_at) values ('${TEAM}', '${OTHER}', 'owner', '2035-01-01');
  select credit_transfer('${OTHER}', '${TEAM}', '${GIFT}', 6, '2035-01-02', null, null);`
const TRANSFERRED = 'a transferred package is as the rows of its transfer say'
export const transferCorruptions: EdgeCorruption[] = [
  {
    name: 'transfer: claimed in the team, and no payment returned',
    sql: `${TRANSFER} update credit_package set refund_claimed = 3 where user_id = '${TEAM}'`,
    rules: [
      'refund_claimed is the sum of the refund claims',
      'transferred credits are claimed as their payment is',
      'nothing is available while refund claims are owed',
    ],
  },
  {
    name: 'transfer: more has left the member than came to the team',
    sql: `${TRANSFER} update credit_package set transferred = 7, remaining = 3 where id = '${OTHER}';
          update credit_account set total = 3, available = 3 where user_id = '${OTHER}'`,
    rules: ['transferred credits are in packages of teams', 'the history adds up to available'],
  },
  {
    name: 'transfer: the package lasts longer in the team',
    sql: `${TRANSFER} update credit_package set expires_at = expires_at + interval '1 year' where user_id = '${TEAM}'`,
    rules: [TRANSFERRED],
  },
  {
    name: 'transfer: the package of the team of another type, and of another source',
    sql: `${TRANSFER} update credit_package set trans_type = 'SUBSCRIPTION', source = 'transfer:x:y' where user_id = '${TEAM}'`,
    rules: [TRANSFERRED],
  },
  {
    name: 'transfer: the row of the member names another one',
    sql: `${TRANSFER} update credit_transaction set source = replace(source, '${GIFT}', '${GRANT}') where user_id = '${OTHER}' and credits < 0`,
    rules: [CHAIN, TRANSFERRED, 'both rows of a transfer have its credits and packages'],
  },
  {
    name: 'package: without an order, given the order -',
    sql: `update kinora.credit_package set order_no = '-' where source = 'new-user'`,
    rules: ['a package is as the row of its addition says'],
  },
]
