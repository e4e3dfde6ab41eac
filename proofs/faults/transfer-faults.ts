/** Planted faults of transfers into teams and of refunds of moved credits, as those of ledger-faults.ts. */
import { type Fault, faultsIn } from './fault.ts'

export const transferFaults: Fault[] = [
  ...faultsIn('sql/credit_grant.sql', [
    ['transfer: the welcome gift moves', "p_source = 'new-user' or ", ''],
    [
      'transfer: credits of codes and invitations move',
      "return p_source = 'new-user' or p_source like any('{code:%,invitation:%}');",
      "return p_source = 'new-user';",
    ],
  ]),
  ...faultsIn('sql/credit_transfer.sql', [
    [
      'debt of a deleted team: what its films give back pays nothing',
      'p.refund_claimed + p.passed_on > 0',
      'p.refund_claimed > 0',
    ],
    ['transfer: a payment that is being returned moves', 'and c.part > 0', 'and c.part > 9'],
    [
      'transfer: a grace package of a gift or a returned payment moves',
      'r.id = coalesce(p.root_id, p.id)',
      'r.id = p.id',
    ],
    [
      'transfer: who is no member moves',
      'when not exists (select from kinora.team_member m',
      'when false and not exists (select from kinora.team_member m',
    ],
    ['transfer: into a locked team', 'when v_team.locked_at is not null then', 'when false then'],
    ['transfer: of a user who owes', 'when credits > 0 then', 'when false then'],
    ['transfer: a key is not compared with its request', 'v_key.request_hash <> p_request_hash', 'false'],
    ['transfer: the team is not locked', 'where t.id = p_team_id for share', 'where t.id = p_team_id'],
    ['transfer: the last package is taken whole', 'least(t.until, p_credits)', 't.until'],
    [
      'transfer: the team has the credits longer',
      's.credits, s.credits, s.expires_at,',
      "s.credits, s.credits, s.expires_at + interval '1 day',",
    ],
    ['transfer: the member keeps the total', '-p_credits, p_total => -p_credits', '-p_credits, p_total => 0'],
    ['transfer: what the team owes is not paid', 'if p_collects then', 'if false then'],
  ]),
  ...faultsIn('sql/credit_refund_claim.sql', [
    [
      'refund of moved credits: each package rounds by itself',
      'round(t.until * r.part)::bigint - round((t.until - t.initial) * r.part)::bigint',
      'round(t.initial * r.part)::bigint',
    ],
    [
      'refund of moved credits: the user pays all',
      'round((select coalesce(sum(initial), 0) from transferred) * r.part)',
      '0',
    ],
    [
      'refund of moved credits: those of a grace package are not found',
      'and (p.id = p_root_id or p.root_id = p_root_id)',
      'and p.id = p_root_id',
    ],
    [
      'refund of moved credits: the teams are not locked',
      'from kinora.credit_package where from_user_id = p_user_id order by user_id',
      'from kinora.credit_package where false',
    ],
    [
      'debt of a deleted team: no payer owes it',
      'where p.user_id = p_root.user_id and p.id = p_root.id and v_owed > 0',
      'where false',
    ],
    [
      'debt of a deleted team: the payer owes it again with each refund',
      's.claimed, passed_on = 0, assumed = 0',
      's.claimed',
    ],
    [
      'refund: the row of the history does not name it',
      'p_source => kinora.credit_return_source(p_root.user_id, p_root.id)\n      ),\n      p_now\n    );\n  end loop;\nend\n$$;\n\n-- Gives',
      'p_source => null\n      ),\n      p_now\n    );\n  end loop;\nend\n$$;\n\n-- Gives',
    ],
    [
      'refund of moved credits: a reversed expiry of the team forgets the claim',
      'elsif v_root.from_user_id is not null then',
      'elsif false then',
    ],
  ]),
]
