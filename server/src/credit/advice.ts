/**
 * What an operator does about each rule that verify() reports. First of all, for every rule: the rows stay as they are,
 * because they are the evidence, and no credits are given or taken before the cause is known.
 */
const BALANCE =
  'Compare the account with its packages and history. If packages and history agree, the account row was written by another ' +
  'program: find it, and restore the row from a backup.'
const PACKAGE =
  'Compare the package with a backup from before the difference, find what wrote to credit_package, and restore the row.'
const HISTORY =
  'A history row was changed, deleted or inserted. Read the user’s history from a backup, find what wrote to ' +
  'credit_transaction, and restore the rows.'
const COUNT =
  'The total of a list is wrong; no credits are. Find what wrote to the table, then set the counter in video_count or transaction_count ' +
  'to the expected value.'
const SUMS =
  'A report of a past period is wrong; no credits are. Find what wrote to the videos or the sums. Then, in one transaction, delete all rows of ' +
  'film_sum, film_sum_state, film_sum_stale and usage_sum: the worker’s sweep makes them again.'
const FILM =
  'Restore the file from a backup of the storage. If there is none, give the user the credits of the video back and delete it.'
const ASSET =
  'Restore the file from a backup of the storage. If there is none, delete the asset: films that were made of it stay.'

const DEBT =
  'What a team owed is owed by those who paid, once it is deleted. Compare passed_on of the team’s packages and assumed of the payer’s with a ' +
  'backup; the next refund or dispute of the payment recomputes both.'
const TRANSFER =
  'Credits that a member moved into a team are in the rows of both. Compare the packages and the two rows with a backup, and restore ' +
  'the side that differs.'

const advice: Record<string, string> = {
  'available is what is left of the packages': BALANCE,
  'frozen is what is frozen in the packages': BALANCE,
  'frozen is what the open holds hold': BALANCE,
  'used is what was used of the packages': BALANCE,
  'used is what was settled': BALANCE,
  'expired is what expired of the packages': BALANCE,
  'clawed back is what was clawed back from the packages': BALANCE,
  'total is what the packages of additions brought': BALANCE,
  'open holds are counted': BALANCE,
  'the next expiry is not overlooked':
    'Credits of this user do not expire in time. Set next_expiry_at to the expected time; the worker’s sweep then expires them.',
  'the newest row has the number of its account': BALANCE,
  'a key has used what its holds took':
    'The budget of an API key lets it spend too much or too little. Set credits and videos of the row in api_key_usage to the expected values.',
  'a gift is granted when it was decided on':
    'The new-user gift could be granted once more. Restore gift_at from a backup, or set it to the time of the gift.',
  'the history adds up to available': HISTORY,
  'the history begins with number 1': HISTORY,
  'the history has no gaps': HISTORY,
  'the history is as long as the account says': HISTORY,
  'balance after is the sum so far': HISTORY,
  'a row continues the hash chain': HISTORY,
  'the account has the hash of the newest row': HISTORY,
  'no row is before the row before it':
    'The time of a row was changed by hand, and the chain rewritten. Compare the row with a backup.',
  'no row is from the future':
    'The clock of a process was wrong when it wrote the row. Synchronise the clocks of all machines, then check what expired.',
  'credits expire when their package does':
    'Credits were written off too early, or the expiry was moved. Restore expires_at, or reverse the expiry as an administrator.',
  'slices add up to the hold':
    'A slice or the hold was changed. Restore both from a backup before the video ends, because its end moves these credits.',
  'open, settled and moved slices match the package': PACKAGE,
  'addition, expiry and claw-back are in the history': PACKAGE,
  'a package is as the row of its addition says':
    'The package was changed after it was granted; the history row has its values. Restore them, and check whether the payment ' +
    'of its source was granted a second time: take that grant back as an administrator.',
  'a grace package is as the row of its release says':
    'The grace package was changed, or inserted by hand; the row of its release has its values. Restore them.',
  'a grace package has the root and order of its parent':
    'Refund claims would not reach this package. Set root_id to the root of its parent, and order_no to its order.',
  'the type of a package follows from its source':
    'The type was rewritten, for example a grant as a purchase. The history and the audit log have the type of the grant.',
  'refund_claimed is the sum of the refund claims':
    'Read the payment’s refunds and disputes at the processor. Restore the claim or the package, whichever differs from them.',
  'transferred credits are claimed as their payment is':
    'A refund took too much or too little of what its buyer had moved into a team. Compare refund_claimed of the package with the ' +
    'refund claims on its payment.',
  'transferred credits are in packages of teams': TRANSFER,
  'a transferred package is as the rows of its transfer say': TRANSFER,
  'both rows of a transfer have its credits and packages': TRANSFER,
  'clawed back is at most refund_claimed':
    'Credits were taken that no refund or dispute asked for. Give the user as many back as an administrator.',
  'nothing is available while refund claims are owed':
    'A refunded payment’s credits can be used. Check which row was changed; the next claim or release takes what is owed.',
  'what administrators took is in the history':
    'Compare the package with the audit log, which has every taking by an administrator.',
  'credits follow the status':
    'Video and hold differ. If the video’s row is gone, restore it from a backup. If its status was changed by hand, set it back ' +
    'to that of the hold.',
  'freeze and release are in the history':
    'Compare hold and history with a backup. A refund without a released hold is credits without a payment.',
  'final videos are counted': COUNT,
  'transactions are counted': COUNT,
  'sums of films are those of the videos': SUMS,
  'usage is summed': SUMS,
  'a hold begins and ends when its rows were written':
    'The grace of the credits depends on these times. Restore created_at and closed_at of the hold from its rows in the history.',
  'an unfinished video has a next step':
    'No worker will claim it, and its credits stay frozen. Set due_at to now, and lease_until to null.',
  'an unfinished video has a deadline':
    'Its credits would stay frozen if the provider does not answer. Cancel it as an administrator, or set deadline_at.',
  'waiting holds are counted':
    'Too many or too few videos of the user count as in progress. Set waiting_holds of the account to the number of its unfinished ' +
    'videos with is_waiting.',
  'a completed video has its film': FILM,
  'a film is as large as its row says': FILM,
  'an asset has its file': ASSET,
  'an asset is as large as its row says': ASSET,
  'what administrators granted is as the audit log says':
    'The grant was changed or removed after an administrator made it. Ask the administrator, and restore the package.',
  'what administrators did is in the audit log':
    'A row names an administrator who did not do it, or the entry was deleted. Compare the audit log with a backup.',
  'what administrators took is as the audit log says':
    'Ask the administrators of the entries. Compare the package and the audit log with a backup.',
  'what administrators collected is as the audit log says':
    'Ask the administrators of the entries. Compare the history and the audit log with a backup.',
  'what administrators forgave is as the audit log says':
    'Ask the administrators of the entries. Compare the packages’ column forgiven and the audit log with a backup.',
  'what was collected paid what was owed':
    'A package paid for another one, and only one of them has it. Compare the columns collected and repaid of this user’s packages ' +
    'with a backup.',
  'expiries are reversed as the audit log says':
    'Ask the administrators of the entries. Compare the history and the audit log with a backup.',
  'the deletion of an account is in the audit log':
    'The entry or the row in deleted_account was removed or written by hand. Compare both with a backup.',
  'an idempotency key leads to what it created':
    'What a request created is gone, although nothing deletes it. Restore it from a backup.',
  'a package was paid for, given or granted by an administrator':
    'Credits were granted for nothing that is known. Look the payment up at the processor; if there is none, take them back.',
  'the packages of a payment bring what was granted for it':
    'A payment has fewer or more credits than were granted for it. Restore the package from a backup, or correct as an administrator.',
  'a payment is as its event brought it':
    'A payment was written or changed without an event, or its event was deleted. Compare with the payment at the processor, and ' +
    'restore the row that differs from it; the next event of the payment then grants or claims back.',
  'a refund or dispute is as its event brought it':
    'A refund or dispute was written or changed without an event, or its event was deleted. Compare with it at the processor.',
  'a price is as its event brought it':
    'What an id of a processor was first paid at was written or changed without an event. Compare with its first payment, and restore ' +
    'the row: later payments of the id are worth what it says.',
  'an applied payment event has its effects':
    'An event was applied, and what it brought is not known. Restore the row of the payment, refund or dispute from a backup.',
  'a payment is claimed back as far as it was returned':
    'Credits were taken that no refund, dispute or plan change asks for, or were not taken. Compare with the processor, and restore ' +
    'the claim; the next event of the payment then takes or gives back.',
  'a payment keeps the share that was not returned':
    'The row of the payment was changed. Restore it; the next event of the payment recomputes it.',
  'a refund or dispute that took credits is known':
    'The row of a refund or dispute was deleted, by which credits were taken or owed. Look it up at the processor; the next kinora reconcile ' +
    'brings it again where its event is gone too.',
  'a code is as the audit log says':
    'A code was written or changed by hand, or the entry of its making was deleted. End the code, and ask the administrator of the entry.',
  'a code has ended as the audit log says':
    'A code that an administrator ended can be redeemed again, or its end is by hand. Set ended_at of its row to the time of the entry.',
  'the credits of an invitation are as the audit log says':
    'Credits were granted for an invitation that no administrator made, with another amount or to another user. Take them back, or restore the rows.',
  'a browser token has used what its holds took':
    'The budget of a browser token lets its page spend too much. Set used of its row in key_token to the expected value.',
  'credits for one person stay with the person':
    'Credits of the welcome gift, of a code or of an invitation were moved into a team, which the service refuses. Take them from the team.',
  'a payer owes what a deleted team owed': DEBT,
  'a deleted team owes nothing': DEBT,
  'a redeemed code has brought its credits':
    'A code was marked as redeemed without its credits, or credits name it and no redemption does. Give or take them as an administrator, or ' +
    'restore the rows.',
  'a code counts the users who redeemed it':
    'The code can be redeemed too often or too seldom. Set uses of its row in redemption_code to the expected number.',
  'a grant by an administrator is in the audit log':
    'Credits were granted as an administrator’s, and no administrator did so. Take them back, or restore the entry from a backup.',
  'an audit entry has the balance before and after':
    'The entry was changed after it was written. Restore it from a backup.',
  'the reason of an audit entry is in the history':
    'The entry or the history was changed after it was written. Restore it from a backup.',
}

/** @returns the sentence for the operator; empty for a rule of another version */
export const adviceOf = (rule: string): string => advice[rule] ?? ''
