/** Planted faults of films that wait for a place, and of the takes of shots (planted-faults.ts). */
import { type Fault, faultsIn } from './fault.ts'

export const waitingFaults: Fault[] = [
  ...faultsIn('sql/credit.sql', [
    [
      'batch: its films cost what the first one does',
      'coalesce(v_request.batch_credits, v_request.credits * v_size)',
      'v_request.credits * v_size',
    ],
    [
      'waiting: a film passes those that wait',
      'v_account.waiting_holds > 0 or v_account.open_holds >=',
      'v_account.open_holds - v_account.waiting_holds >=',
    ],
  ]),
  ...faultsIn('sql/video_waiting.sql', [
    [
      'waiting: films in progress take no place',
      'nullif(p_max_in_progress, 0) - v_account.open_holds + v_account.waiting_holds,',
      'nullif(p_max_in_progress, 0),',
    ],
    ['waiting: one that begins stays counted', "if v_ids <> '{}' then", 'if false then'],
    [
      'waiting: the time of the provider counts from the request',
      'deadline_at = p_now + (v.deadline_at - v.updated_at)',
      'deadline_at = v.deadline_at',
    ],
  ]),
  ...faultsIn('sql/video_apply.sql', [
    ['waiting: one that is cancelled stays counted', "where credits = 'release' and (video).is_waiting", 'where false'],
  ]),
  ...faultsIn('sql/video_generate.sql', [
    [
      'shots: two who generate all at once pay twice',
      'and (r.may_wait is not true or s.take_id is not distinct from r.take_id)',
      '',
    ],
  ]),
]
