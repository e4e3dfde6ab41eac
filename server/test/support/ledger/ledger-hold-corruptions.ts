/** Corruptions of holds and their slices, of videos, and of what API keys used. */
import type { Corruption } from './corruption.ts'
import { ANN, DONE, FAILED, GIFT, idOf, KEY, OPEN } from './ledger-fixture.ts'

export const holdCorruptions: Corruption[] = [
  {
    name: 'hold: for more credits than its slices',
    sql: `update credit_hold set credits = credits + 1 where id = '${OPEN}'`,
    found: {
      'a key has used what its holds took': `key ${KEY}`,
      'frozen is what the open holds hold': 'account',
      'slices add up to the hold': `hold ${OPEN}`,
      'credits follow the status': `video ${OPEN}`,
      'freeze and release are in the history': `video ${OPEN}`,
    },
  },
  {
    name: 'hold: frozen a minute earlier',
    sql: `update credit_hold set created_at = created_at - interval '1 minute' where id = '${OPEN}'`,
    found: {
      'a hold begins and ends when its rows were written': `video ${OPEN}`,
      'a key has used what its holds took': `key ${KEY}`,
    },
  },
  {
    name: 'hold: released later than its row says',
    sql: `update credit_hold set closed_at = closed_at + interval '1 minute' where id = '${FAILED}'`,
    found: { 'a hold begins and ends when its rows were written': `video ${FAILED}` },
  },
  {
    name: 'hold: its slices deleted',
    sql: `delete from credit_slice where hold_id = '${FAILED}'`,
    found: { 'slices add up to the hold': `hold ${FAILED}` },
  },
  {
    name: 'slice: of an unknown hold',
    sql: `insert into credit_slice values ('${ANN}', '${idOf(99)}', '${GIFT}', 3)`,
    found: { 'slices add up to the hold': `hold ${idOf(99)}` },
  },
  {
    name: 'slice: of an unknown package',
    sql: `update credit_slice set package_id = '${idOf(99)}' where hold_id = '${FAILED}' and credits > 12`,
    found: { 'open, settled and moved slices match the package': `package ${idOf(99)}` },
  },
  {
    name: 'hold: settled, but marked released',
    sql: `update credit_hold set state = 'released' where id = '${DONE}'`,
    found: {
      'used is what was settled': 'account',
      'credits follow the status': `video ${DONE}`,
      'freeze and release are in the history': `video ${DONE}`,
      'open, settled and moved slices match the package': `package ${GIFT}`,
    },
  },
  {
    name: 'hold: deleted with its slices',
    sql: `delete from credit_slice where hold_id = '${OPEN}'; delete from credit_hold where id = '${OPEN}'`,
    found: {
      'a key has used what its holds took': `key ${KEY}`,
      'frozen is what the open holds hold': 'account',
      'open holds are counted': 'account',
      'credits follow the status': `video ${OPEN}`,
      'freeze and release are in the history': `video ${OPEN}`,
      'open, settled and moved slices match the package': `package ${GIFT}`,
    },
  },
  {
    name: 'video: COMPLETED, its hold still open',
    sql: `update video set status = 'COMPLETED', video_key = 'k', due_at = null where id = '${OPEN}'`,
    found: { 'credits follow the status': `video ${OPEN}`, 'final videos are counted': 'videos delta-1-5 COMPLETED' },
  },
  {
    name: 'video: a price other than its hold',
    sql: `update video set credits = 15 where id = '${OPEN}'`,
    found: { 'credits follow the status': `video ${OPEN}` },
  },
  {
    name: 'video: FAILED, its hold settled',
    sql: `update video set status = 'FAILED', error = 'e', video_key = null where id = '${DONE}'`,
    found: { 'credits follow the status': `video ${DONE}`, 'final videos are counted': 'videos delta-1-5' },
  },
  {
    name: 'video: its row gone',
    sql: `delete from video where id = '${DONE}'`,
    found: { 'credits follow the status': `video ${DONE}`, 'final videos are counted': 'videos delta-1-5 COMPLETED' },
  },
  {
    name: 'API key: used one too low',
    sql: 'update kinora.api_key_usage set credits = credits - 1',
    found: { 'a key has used what its holds took': `key ${KEY}` },
  },
  {
    name: 'API key: usage deleted',
    sql: 'delete from kinora.api_key_usage',
    found: { 'a key has used what its holds took': `key ${KEY}` },
  },
  {
    name: 'API key: a hold of another day',
    sql: `update credit_hold set created_at = created_at + interval '1 day' where key_id is not null`,
    found: {
      'a hold begins and ends when its rows were written': `video ${OPEN}`,
      'a key has used what its holds took': `key ${KEY}`,
    },
  },
]
