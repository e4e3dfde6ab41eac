/**
 * Generated from the document of the same name by `npm run openapi`. Do not edit: change the routes.
 * It contains types only, so none of it is in the build.
 */

export interface paths {
    "/api/v1/admin/ledger/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the ledger check in progress and the last one
         * @description Also the runs of `kinora verify --record`. An API key needs the scope `account`.
         */
        get: operations["getLedgerChecks"];
        put?: never;
        /**
         * Start to recompute every balance
         * @description Runs in the background, while the service runs. 409: a check is running already, in any process. An API key needs the scope `account`.
         */
        post: operations["checkLedger"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/costs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What films have cost and earned
         * @description Of films by the day on which they were completed or failed. A cost is what the provider stated, in USD or in a unit whose value the account has; else what it reserved; else the catalogue’s. The newest day first, at most 10,000 rows. An API key needs the scope `account`.
         */
        get: operations["listCosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/costs.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The same as CSV
         * @description All rows; what is unknown is empty. With days in the grouping, the newest first. An API key needs the scope `account`.
         */
        get: operations["downloadCosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/costs/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How the costs of each account become known, and its balance by day against the cost of its films
         * @description An API key needs the scope `account`.
         */
        get: operations["listAccountCosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/books": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Credits sold and not used yet, credits expired, and the margin of each plan
         * @description An API key needs the scope `account`.
         */
        get: operations["getBooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/books/movements.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Payments, refunds and disputes as CSV, one line a movement
         * @description Read from the processors, so that the sums are those of their reports: newest first, of one processor after the other. `fee`, `net` and `payout` are empty where a processor does not tell them. Amounts are in the account’s currency, `charged` in the payer’s; `tax` is a part of `gross`. When a processor stops answering in the middle, the download breaks off. An API key needs the scope `account`.
         */
        get: operations["downloadMovements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/credits/take": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take credits back from a user
         * @description Takes from the packages that expire first, all of the credits or none. 409: fewer are available; `error.details.available` says how many. An API key needs the scope `account`.
         */
        post: operations["takeCredits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/credits/collect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Collect credits that a user owes
         * @description Takes them from the packages that expire first. All of the credits or none. 409: fewer are owed or available; `error.details` says how many. An API key needs the scope `account`.
         */
        post: operations["collectOwed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/credits/forgive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Forgive credits that a user owes
         * @description No refund or dispute of the same payments asks for these credits again. All of the credits or none. 409: fewer are owed; `error.details` says how many. An API key needs the scope `account`.
         */
        post: operations["forgiveOwed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/credits/reverse-expiry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make expired credits available again
         * @description Reverses the expiry of one package, for example after a machine with a wrong clock has written it off. 409: nothing of it has expired, or it would expire at once because its expiry has passed by now. An API key needs the scope `account`.
         */
        post: operations["reverseExpiry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What administrators did, newest first
         * @description Every action of an administrator, and every removal of files by the service itself. Filters may be combined. An API key needs the scope `account`.
         */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Users, newest first
         * @description An API key needs the scope `account`.
         */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One user
         * @description An API key needs the scope `account`.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        /**
         * Delete the account of a user
         * @description As DELETE /api/v1/account does, on behalf of the user; the audit log keeps who did it and why. 409: a subscription still renews or a payment of it may still come, or it is the last administrator, or the last owner of a team (`details.teams`), or owes credits (`details.owed`), and `owed` does not say so. An API key needs the scope `account`.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The credit transactions of a user or a team, newest first
         * @description An API key needs the scope `account`.
         */
        get: operations["listUserTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{id}/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The subscriptions and payments of a user or a team, the latest first
         * @description At most 100 of each. An API key needs the scope `account`.
         */
        get: operations["listUserPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{id}/verification": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a user the link again that verifies the e-mail address
         * @description The audit log keeps it. 409: the address is verified, or the account deleted. An API key needs the scope `account`.
         */
        post: operations["resendVerification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/teams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Teams, newest first
         * @description An API key needs the scope `account`.
         */
        get: operations["listTeamsAsAdmin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/teams/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One team
         * @description An API key needs the scope `account`.
         */
        get: operations["getTeamAsAdmin"];
        put?: never;
        post?: never;
        /**
         * Delete a team
         * @description As DELETE /api/v1/team does, on behalf of its owners; the audit log keeps who did it and why. 409: a subscription of it still renews, or a payment of it may still come, or it owes credits (`details.owed`), and `owed` does not say so. An API key needs the scope `account`.
         */
        delete: operations["deleteTeamAsAdmin"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/teams/{id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The members of any team, with what each has spent
         * @description An API key needs the scope `account`.
         */
        get: operations["listTeamMembersAsAdmin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/teams/{id}/lock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lock a team
         * @description Its members and keys are refused within a second, and its shared and published films are hidden; films in progress end. The audit log keeps the reason. Repeating the call changes nothing. An API key needs the scope `account`.
         */
        post: operations["lockTeam"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/teams/{id}/unlock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unlock a team
         * @description The audit log keeps the reason. Repeating the call changes nothing. An API key needs the scope `account`.
         */
        post: operations["unlockTeam"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/teams/{id}/members/{userId}/owner": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a member of a team an owner
         * @description Where the owners have gone, or the account of the last one is to be deleted. The audit log keeps the reason. Repeating the call changes nothing. An API key needs the scope `account`.
         */
        post: operations["makeTeamOwner"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{id}/desk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The keys, limits, tags and notes of a user or a team
         * @description An API key needs the scope `account`.
         */
        get: operations["getDesk"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The tags of users and teams
         * @description At most 500. An API key needs the scope `account`.
         */
        get: operations["listTags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{id}/desk/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke an API key of a user or a team
         * @description It is refused within a second. The user is told by mail. An API key needs the scope `account`.
         */
        post: operations["revokeKeyOfOwner"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{id}/desk/address": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the e-mail address of a user
         * @description The old one is told by mail, and the new one gets the link that verifies it. 409: another user has it. An API key needs the scope `account`.
         */
        post: operations["changeAddressOfUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{id}/desk/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mail a user a link to choose a password, or set one
         * @description A password that is set ends all sessions, and the user is told by mail. An API key needs the scope `account`.
         */
        post: operations["setPasswordOfUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{id}/desk/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End all sessions of a user
         * @description An API key needs the scope `account`.
         */
        post: operations["endSessionsOfUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{id}/desk/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove a second factor that its user has lost
         * @description The app and its recovery codes, or the passkeys too. All sessions end, and the user is told by mail. 409: there is none. An API key needs the scope `account`.
         */
        post: operations["removeFactorOfUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{id}/desk/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Limit a user or a team
         * @description All limits at once. They count for all sessions, keys and members of it within a second, beside the budgets of keys and members: the smallest counts. An API key needs the scope `account`.
         */
        post: operations["setLimitsOfOwner"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{id}/desk/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the tags of a user or a team
         * @description All tags at once. For administrators alone; users read them in their export. An API key needs the scope `account`.
         */
        post: operations["setTagsOfOwner"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{id}/desk/note": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Note something about a user or a team
         * @description For administrators alone; users read it in their export. An API key needs the scope `account`.
         */
        post: operations["addNoteToOwner"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{id}/desk/note-deletion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete a note about a user or a team
         * @description An API key needs the scope `account`.
         */
        post: operations["deleteNoteOfOwner"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/videos/{uuid}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a video that its user has deleted
         * @description As long as its files are kept (DELETED_KEPT). It is in its folder again, and its link to share works; a project does not get its take back. 409: it is not deleted, or its files are gone. An API key needs the scope `account`.
         */
        post: operations["restoreVideo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/videos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Unfinished videos of all users, oldest first
         * @description An API key needs the scope `account`.
         */
        get: operations["listUnfinishedVideos"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/videos/ended": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Completed, failed and cancelled videos of all users, the latest end first
         * @description Of the period in which they ended, deleted ones included; with userId and without from, of all time. A page may be slow when few of very many videos match: a shorter period is faster. An API key needs the scope `account`.
         */
        get: operations["listEndedVideos"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/videos/{uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All that is recorded of a video of any user, without its prompt
         * @description An API key needs the scope `account`.
         */
        get: operations["getVideoForAdministrators"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Health of the AI providers
         * @description An API key needs the scope `account`.
         */
        get: operations["listProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find what a customer writes about
         * @description Finds users, teams, films, payments, subscriptions, API keys and invitations by an address, a name, an id, a link to a film or of an invitation, a provider’s task id, a processor’s id (of an order, invoice, charge, customer or subscription), a whole key, or what the list of keys shows of one. At most 10 of a kind. The text is in the body, and in no log: it may be a key. An API key needs the scope `account`.
         */
        post: operations["searchAsAdmin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Films, sign-ups, credits and revenue of a period, and what needs an operator now
         * @description While the database does not answer: as this administrator read it last at this process. An API key needs the scope `account`.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Payments of all users, the latest first
         * @description An API key needs the scope `account`.
         */
        get: operations["listPayments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/payments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A payment, with its refunds, its disputes and the attempts that failed
         * @description An API key needs the scope `account`.
         */
        get: operations["getPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/payments/{id}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refund a payment at the processor
         * @description The processor’s event takes the credits back. One refund of a payment is asked for at a time; without an answer it stays open, and the worker asks again with the same idempotency key. The answer of a processor that refuses is in `refunds`. 409: it is disputed, nothing is left, or another refund is open. An API key needs the scope `account`.
         */
        post: operations["refundPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Subscriptions of all users, newest first
         * @description A period is that of their beginnings. An API key needs the scope `account`.
         */
        get: operations["listSubscriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/payments/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Payment events, newest first
         * @description An API key needs the scope `account`.
         */
        get: operations["listPaymentEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/payments/events/{id}/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Apply a payment event again
         * @description With today’s catalogue, and for the given user when it is unmatched. An effect that was applied is not applied twice. An API key needs the scope `account`.
         */
        post: operations["applyPaymentEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/payments/events/{id}/dismiss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Dismiss an unmatched or failed payment event
         * @description For a payment that has nothing to do with this service, or whose credits were granted by hand: the event leaves the lists of unmatched and failed events and the metric, and nothing applies it any more except an administrator. Repeating the call changes nothing. An API key needs the scope `account`.
         */
        post: operations["dismissPaymentEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/mails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The outbox of mail, newest first
         * @description Without SMTP_URL nothing is sent, and the messages wait here until they expire. An API key needs the scope `account`.
         */
        get: operations["listMails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/mails/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One mail with its text
         * @description A link that signs in, resets a password or verifies an address is shown only while mail is not set up; the audit log keeps who has seen it. An API key needs the scope `account`.
         */
        get: operations["getMail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/mails/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a mail again
         * @description One that has failed; one that was sent or is out of date as another mail, to the present address of its user. 409: it waits, or has a link, which is gone; its user asks for a new one. An API key needs the scope `account`.
         */
        post: operations["retryMail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/explore/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reported films, the longest waiting first
         * @description An API key needs the scope `account`.
         */
        get: operations["listReportedFilms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/explore/{id}/decide": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove a published film, or leave it and close its reports
         * @description A removed film is never published again, and its maker gets the reason by mail. Repeating the call changes nothing. 404: no film was published with this id. An API key needs the scope `account`.
         */
        post: operations["decideOnPublishedFilm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/takedowns/film": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The film that a link leads to
         * @description A link of a share, of Explore, of a sample, of a file or of the studio, or the uuid; also one that does not work any more, and of a locked account. The prompt is not shown. An API key needs the scope `account`.
         */
        get: operations["findFilm"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/videos/{uuid}/prompt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Read the prompt of a film, which the audit log keeps
         * @description An API key needs the scope `account`.
         */
        put: operations["readPrompt"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/videos/{uuid}/takedown": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Hide a film everywhere, or remove it
         * @description No user sees it any more: its share, Explore, samples, library, links, ZIPs, and the cuts that contain it; its bytes are refused as an upload. The files of a hidden film are kept for 210 days, so that an objection can bring it back; those of a removed one are deleted within minutes. The maker gets the statement of reasons by mail, with a link to object. Repeating the call changes nothing; a hidden film can be removed. An API key needs the scope `account`.
         */
        put: operations["takeDownFilm"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/takedowns/{id}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Lift a takedown, or let it stand against an objection
         * @description The maker gets the answer by mail. A lifted one shows the film again where its files are kept. Repeating the call changes nothing. An API key needs the scope `account`.
         */
        put: operations["answerTakedown"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/takedowns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Takedowns with their statements of reasons, newest first
         * @description An API key needs the scope `account`.
         */
        get: operations["listTakedowns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/takedowns.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All statements of reasons as CSV, oldest first
         * @description With the words of the EU’s database of statements (DSA, article 24) where it has them. They name no user. An API key needs the scope `account`.
         */
        get: operations["downloadTakedowns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/incidents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What was told to all users, and maintenance, newest first
         * @description An API key needs the scope `account`.
         */
        get: operations["listIncidents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/incidents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Tell all users something, or change it
         * @description The caller chooses the id, a UUID, so that a repetition changes nothing. An earlier endsAt ends it. With `pauses` films in progress go on; new ones and uploads are refused. An API key needs the scope `account`.
         */
        put: operations["setIncident"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every model with its routes, cost, price, margin and state
         * @description An API key needs the scope `account`.
         */
        get: operations["listAdminModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/switches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Switch a model, an account or a route off or on
         * @description `model` alone is a model, `account` alone every route of an account, both are one route. All processes follow within a second. What is off gets no new film; films in progress go on, those that were not sent yet by another route where there is one. Repeating the call changes nothing. An API key needs the scope `account`.
         */
        put: operations["setSwitch"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/catalogue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How vendors’ lists differ from the catalogue, and the drafts in force
         * @description An API key needs the scope `account`.
         */
        get: operations["listCatalogueFindings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/catalogue/take": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put the draft of a finding in force
         * @description After the check of `kinora catalogue check`. All processes follow within a second. A file of CATALOGUE_DIR wins over a draft. An API key needs the scope `account`.
         */
        post: operations["takeCatalogueDraft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/catalogue/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A file of the catalogue as it is in force, and its versions
         * @description An API key needs the scope `account`.
         */
        get: operations["getCatalogueFile"];
        /**
         * Put another text of a file in force
         * @description After the check of `kinora catalogue check`, which the message of an error names by line. All processes follow within a second. A file of CATALOGUE_DIR wins, so that one is refused (409), as is a text that another administrator has changed meanwhile. What was paid keeps its price, and its product stays. An API key needs the scope `account`.
         */
        put: operations["putCatalogueFile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/catalogue/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take the version of a file back that is in force
         * @description The version before it, or the release’s file, counts again; a model without one leaves the catalogue. Products that were sold stay: 400 when the one before lacks one. An API key needs the scope `account`.
         */
        post: operations["restoreCatalogueFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The checklist of a new service
         * @description An API key needs the scope `account`.
         */
        get: operations["getSetup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/setup/{item}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test an item of the checklist now
         * @description By the checks of `kinora doctor`: a mail is sent to you, a file is stored and read, the newest backup is looked up, accounts at providers and processors are asked by calls that cost nothing. Takes up to half a minute. An API key needs the scope `account`.
         */
        post: operations["testSetupItem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/setup/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show the checklist first no more
         * @description An API key needs the scope `account`.
         */
        post: operations["closeSetup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Invitations, newest first
         * @description An API key needs the scope `account`.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite to sign up
         * @description Returns a link that makes one account. It is shown this once. No mail is sent. An API key needs the scope `account`.
         */
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an invitation
         * @description Repeating the call changes nothing. 409: it was used. An API key needs the scope `account`.
         */
        delete: operations["revokeInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Redemption codes, newest first
         * @description An API key needs the scope `account`.
         */
        get: operations["listCodes"];
        put?: never;
        /**
         * Make a redemption code
         * @description A user who redeems it gets its credits, once for each e-mail address; they cannot be moved into a team. 409: there is a code with these letters and digits. An API key needs the scope `account`.
         */
        post: operations["createCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/codes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a redemption code
         * @description No user can redeem it any more; what was redeemed stays. Repeating the call changes nothing. An API key needs the scope `account`.
         */
        delete: operations["endCode"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/moderation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What moderation has decided, by day
         * @description An API key needs the scope `account`.
         */
        get: operations["getModeration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sign-up/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an account, and sign in
         * @description Sets the session cookie; a program keeps the token. 400 with PASSWORD_TOO_COMMON or PASSWORD_IS_EMAIL: choose another password. 422: the e-mail address already has an account. Where GET /api/v1/config/sign-in has a captcha, the header X-Captcha-Response has the response of its widget: 400 MISSING_RESPONSE, 403 VERIFICATION_FAILED. 403 with SIGN_UP_CLOSED or INVITATION_NEEDED: signUp there is not open; POST /api/v1/invitation opens an invitation.
         */
        post: operations["signUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sign-in/email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in
         * @description Sets the session cookie; a program keeps the token. Of a user with a second factor the response has twoFactorRedirect instead. 403: the account is locked. 429: too many attempts failed; Retry-After says how long to wait.
         */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End this session
         * @description End this session.
         */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/get-session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The session, its user and the balance
         * @description null when the request has no valid session.
         */
        get: operations["getSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/update-user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change your name, or the language of mails
         * @description Change your name, or the language of mails.
         */
        post: operations["updateUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/change-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change your password
         * @description With revokeOtherSessions all sessions end, and the response has a new one: in the cookie, and as token for programs. 400 with PASSWORD_TOO_COMMON or PASSWORD_IS_EMAIL: choose another password. 403: also while an administrator impersonates the user.
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/verify-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check your password
         * @description 400 with INVALID_PASSWORD: it is another one.
         */
        post: operations["verifyPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/list-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your sessions
         * @description Your sessions.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/revoke-session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End one of your sessions
         * @description It stops working within a second. A token that is not yours changes nothing and gets the same response.
         */
        post: operations["revokeSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/revoke-other-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End all sessions but this one
         * @description End all sessions but this one.
         */
        post: operations["revokeOtherSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/revoke-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End all your sessions, this one too
         * @description End all your sessions, this one too.
         */
        post: operations["revokeSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/api-key/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an API key
         * @description The only response with the key itself: it is stored as a hash and cannot be shown again. Without the password the sign-in must be at most 10 minutes old; else 403 with SESSION_NOT_FRESH. 403: also while an administrator impersonates the user. At most 100 keys a user: 400 with TOO_MANY_KEYS.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/api-key/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your API keys
         * @description Your API keys.
         */
        get: operations["listApiKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/api-key/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change an API key
         * @description What is left out stays. Other scopes, another budget or expiry count within a second, and take the password, or a sign-in of at most 10 minutes; else 403 with SESSION_NOT_FRESH. A disabled key stops working within a second. 404: it is not one of your keys. 403: also while an administrator impersonates the user.
         */
        post: operations["updateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/api-key/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete an API key
         * @description It stops working within a second. 404: it is not one of your keys.
         */
        post: operations["deleteApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sign-in/social": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin a sign-in with Google, GitHub or an OpenID provider
         * @description Returns the provider’s address, to which the browser goes next; it comes back to callbackURL with the session cookie, or to /sign-in with ?error=…. A new user gets an account, as with sign-up/email. An account that exists is joined only when it and the provider have verified the same e-mail address. 404: the provider is not set up.
         */
        post: operations["signInWithProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/link-social": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to link an account at a provider to yours
         * @description As sign-in/social. The provider must have verified your e-mail address; it is verified here too then. 403 with SESSION_NOT_FRESH: send the password too. 403: also while an administrator impersonates the user. 404: the provider is not set up.
         */
        post: operations["linkProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/list-accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your password, and your accounts at providers
         * @description Your password, and your accounts at providers.
         */
        get: operations["listAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/unlink-account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unlink your account at a provider, or remove your password
         * @description 400: you have no such account, or it is the last one. 403 with SESSION_NOT_FRESH: send the password too.
         */
        post: operations["unlinkAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sign-in/magic-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mail a link that signs in
         * @description The response is the same, and takes the same time, whether or not the address has an account. The link works for ten minutes, once. Where mail is not set up none is sent. 429: several messages were sent to the address within an hour.
         */
        post: operations["mailSignInLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/magic-link/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sign in with the token of a mailed link
         * @description Sets the session cookie; a program keeps the token. The address is verified then; a password that was set before it was verified is removed. Of a user with a second factor the response has twoFactorRedirect instead. 400 with INVALID_TOKEN: the link was used, or is older than ten minutes.
         */
        get: operations["signInWithLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/passkey/generate-register-options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Begin to add a passkey
         * @description Sets a cookie with the challenge, which is good for five minutes.
         */
        get: operations["passkeyCreationOptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/passkey/verify-registration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a passkey
         * @description With the cookie of generate-register-options. 403 with SESSION_NOT_FRESH: send the password too. 403: also while an administrator impersonates the user.
         */
        post: operations["addPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/passkey/generate-authenticate-options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Begin a sign-in with a passkey
         * @description Sets a cookie with the challenge, which is good for five minutes.
         */
        get: operations["passkeyRequestOptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/passkey/verify-authentication": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a passkey
         * @description With the cookie of generate-authenticate-options; sets the session cookie. The passkey must have verified its user, and counts as both factors. 403: the account is locked.
         */
        post: operations["signInWithPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/passkey/list-user-passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your passkeys
         * @description Your passkeys.
         */
        get: operations["listPasskeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/passkey/delete-passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete a passkey
         * @description As verify-registration. 401, 404: it is not one of your passkeys.
         */
        post: operations["deletePasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/two-factor/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to set up codes of an authenticator app (TOTP)
         * @description The second factor counts once verify-totp has accepted a code. 403 with SESSION_NOT_FRESH: a user without a password signs in again. 403: also while an administrator impersonates the user.
         */
        post: operations["enableTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/two-factor/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove the second factor
         * @description As two-factor/enable. The response sets a new session.
         */
        post: operations["disableTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/two-factor/generate-backup-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the recovery codes
         * @description As two-factor/enable.
         */
        post: operations["generateRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/two-factor/verify-totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finish a sign-in, or the set-up of the second factor, with a code of the app
         * @description With the cookie of the sign-in, or with the session of the set-up. After five wrong codes the sign-in begins again; after ten in a row the second factor is locked for 15 minutes.
         */
        post: operations["verifyTotp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/two-factor/verify-backup-code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Finish a sign-in with a recovery code
         * @description As verify-totp; the code is used up.
         */
        post: operations["verifyRecoveryCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/request-password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mail a link that resets the password
         * @description The response is the same, and takes the same time, whether or not the address has an account. The link works for an hour, once. 429: several messages were sent to the address within an hour.
         */
        post: operations["requestPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a new password, with the token of a mailed link
         * @description All sessions of the user end, and earlier links stop working; API keys stay valid. 400 with INVALID_TOKEN: the link was used, or is older than an hour. 400 with PASSWORD_TOO_COMMON or PASSWORD_IS_EMAIL: choose another password; the link still works.
         */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/send-verification-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mail a link that verifies your e-mail address
         * @description The link works for an hour. 400: the address is not yours, or is verified already.
         */
        post: operations["sendVerificationEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/verify-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify an e-mail address, with the token of a mailed link
         * @description Of a change of address: the link to the present address mails the new one, whose link makes the change. Both need a session of the user. 401: the link is wrong or older than an hour, or a change needs you to sign in.
         */
        get: operations["verifyEmail"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/change-email": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change your e-mail address
         * @description Mails a link to your present address if it is verified, and then one to the new address. The response is the same when the new address has an account, which gets no message. Without the password the sign-in must be at most 10 minutes old; else 403 with SESSION_NOT_FRESH. 403: also while an administrator impersonates the user.
         */
        post: operations["changeEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/admin/create-user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a user
         * @description Without a password the user cannot sign in until set-user-password. 400: the e-mail address has an account.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/admin/update-user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the name or the e-mail address of a user
         * @description Change the name or the e-mail address of a user.
         */
        post: operations["updateUserAsAdmin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/admin/set-role": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a user an administrator, or an administrator a user
         * @description 409: it is the last administrator.
         */
        post: operations["setRole"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/admin/set-user-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the password of a user
         * @description Sessions and keys of the user stay; end the sessions with revoke-user-sessions.
         */
        post: operations["setUserPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/admin/ban-user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lock the account of a user
         * @description Sessions end, and sessions and keys stop working within a second. 409: it is the last administrator.
         */
        post: operations["banUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/admin/unban-user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unlock the account of a user
         * @description Unlock the account of a user.
         */
        post: operations["unbanUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/admin/list-user-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The sessions of a user
         * @description The sessions of a user.
         */
        post: operations["listUserSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/admin/revoke-user-session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a session of a user
         * @description End a session of a user.
         */
        post: operations["revokeUserSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/admin/revoke-user-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End all sessions of a user
         * @description End all sessions of a user.
         */
        post: operations["revokeUserSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/admin/impersonate-user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Impersonate a user for an hour
         * @description Sets the session cookie to a session of the user; a program keeps its token. That session reads what the user sees. With a reason it also generates, cancels, uploads, arranges, shares and publishes films, and each such request is in the audit log. It makes no keys, endpoints, invitations, passwords, exports or deletions. It ends within a second with the session in which it began, and when you are no administrator any more; the user sees it in the list of sessions, and can end it. 403: the user is an administrator.
         */
        post: operations["impersonateUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/admin/stop-impersonating": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the impersonation, and return to your own session
         * @description Both are null when the administrator’s own session is over, and for a program, which goes on with its own token. 400: this session impersonates no user.
         */
        post: operations["stopImpersonating"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/admin/has-permission": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Whether you may do something to users or sessions
         * @description Whether you may do something to users or sessions.
         */
        post: operations["hasPermission"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Envelope: {
            /** @constant */
            success: true;
        };
        FieldProblem: {
            /** @description The field, such as options.style; body: the whole body, or the file that was sent */
            path: string;
            /** @description What is wrong with it */
            message: string;
            /** @description Of a file: why it is refused, such as TRUNCATED or TOO_LONG */
            reason?: string;
            /** @description The id of the shot that is refused, of several that are generated together */
            shot?: string;
            /** @description The place of that shot in its project, from 1 */
            position?: number;
            /** @description The code for that shot */
            code?: string;
            /** @description The details of that code */
            details?: unknown;
        };
        FieldProblems: components["schemas"]["FieldProblem"][];
        FieldProblemsError: {
            /**
             * @description What went wrong, for programs (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "INVALID_REQUEST" | "UNSUPPORTED_MODEL" | "MODEL_UNAVAILABLE" | "DURATION_OUT_OF_RANGE" | "UNSUPPORTED_QUALITY" | "UNSUPPORTED_ASPECT_RATIO" | "UNSUPPORTED_MODE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE";
            /** @description What went wrong and what to do, for people */
            message: string;
            details?: components["schemas"]["FieldProblems"];
            /** @description The same as the header X-Request-Id; name it when you ask for help */
            requestId: string;
        };
        RefusedContent: {
            /** @description What moderation found; may be empty */
            categories: string[];
            /** @description Each shot that is refused, of several */
            shots?: components["schemas"]["FieldProblem"][];
        };
        RefusedContentError: {
            /**
             * @description What went wrong, for programs (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "CONTENT_REFUSED";
            /** @description What went wrong and what to do, for people */
            message: string;
            details: components["schemas"]["RefusedContent"];
            /** @description The same as the header X-Request-Id; name it when you ask for help */
            requestId: string;
        };
        PlainError: {
            /**
             * @description What went wrong, for programs (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "UNAUTHENTICATED" | "METHOD_NOT_ALLOWED" | "PRECONDITION_FAILED" | "IDEMPOTENCY_KEY_REUSED" | "RATE_LIMITED" | "INTERNAL";
            /** @description What went wrong and what to do, for people */
            message: string;
            /** @description The same as the header X-Request-Id; name it when you ask for help */
            requestId: string;
        };
        MissingCredits: {
            /** @description Credits that the request costs */
            required: number;
            /** @description Credits that there are */
            available: number;
        };
        MissingCreditsError: {
            /**
             * @description What went wrong, for programs (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "INSUFFICIENT_CREDITS";
            /** @description What went wrong and what to do, for people */
            message: string;
            details: components["schemas"]["MissingCredits"];
            /** @description The same as the header X-Request-Id; name it when you ask for help */
            requestId: string;
        };
        SpentBudget: {
            /** @description Credits that the request costs */
            required: number;
            /** @description Credits of the budget */
            budget: number;
            /** @description Credits of it that are spent or held */
            used: number;
            /**
             * @description Absent: of a browser token
             * @enum {unknown}
             */
            period?: "day" | "week" | "month";
            /**
             * Format: date-time
             * @description When it begins anew
             */
            resetAt?: string;
        };
        SpentBudgetError: {
            /**
             * @description What went wrong, for programs (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "KEY_BUDGET_EXCEEDED";
            /** @description What went wrong and what to do, for people */
            message: string;
            details: components["schemas"]["SpentBudget"];
            /** @description The same as the header X-Request-Id; name it when you ask for help */
            requestId: string;
        };
        /**
         * @description Why, for programs
         * @enum {unknown}
         */
        RefusalReason: "code_ended" | "code_network_limit" | "code_not_new" | "code_person_used" | "code_unknown" | "code_used_up" | "email_not_verified" | "impersonating" | "impersonating_read_only" | "key_suspended" | "owed" | "second_factor_missing" | "sign_in_old" | "test_key";
        MissingRight: {
            reason?: components["schemas"]["RefusalReason"];
            /** @description The role that it needs in the team */
            needed?: string;
            /** @description The role of the caller */
            role?: string;
        };
        MissingRightError: {
            /**
             * @description What went wrong, for programs (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "FORBIDDEN";
            /** @description What went wrong and what to do, for people */
            message: string;
            details?: components["schemas"]["MissingRight"];
            /** @description The same as the header X-Request-Id; name it when you ask for help */
            requestId: string;
        };
        NeededConsent: {
            /** @description The statement */
            text: string;
            /** @description Its version, for PUT /api/v1/video/consent */
            version: string;
            /** @description Each shot that is refused, of several */
            shots?: components["schemas"]["FieldProblem"][];
        };
        NeededConsentError: {
            /**
             * @description What went wrong, for programs (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "CONSENT_REQUIRED";
            /** @description What went wrong and what to do, for people */
            message: string;
            details: components["schemas"]["NeededConsent"];
            /** @description The same as the header X-Request-Id; name it when you ask for help */
            requestId: string;
        };
        MissingScope: {
            /** @description The scope that it needs */
            scope: string;
            /** @description Those of the key */
            scopes: string[];
        };
        MissingScopeError: {
            /**
             * @description What went wrong, for programs (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "INSUFFICIENT_SCOPE";
            /** @description What went wrong and what to do, for people */
            message: string;
            details: components["schemas"]["MissingScope"];
            /** @description The same as the header X-Request-Id; name it when you ask for help */
            requestId: string;
        };
        NotFoundDetails: components["schemas"]["FieldProblems"] | {
            reason?: components["schemas"]["RefusalReason"];
        };
        NotFoundError: {
            /**
             * @description What went wrong, for programs (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "NOT_FOUND";
            /** @description What went wrong and what to do, for people */
            message: string;
            details?: components["schemas"]["NotFoundDetails"];
            /** @description The same as the header X-Request-Id; name it when you ask for help */
            requestId: string;
        };
        ConflictDetails: components["schemas"]["FieldProblems"] | {
            reason?: components["schemas"]["RefusalReason"];
            /** @description Credits that are owed; send them as `owed` */
            owed?: number;
            /** @description Credits that can be moved or taken */
            available?: number;
            /** @description What the shots cost now */
            credits?: number;
            /** @description Places of shots without a finished take */
            shots?: number[];
            /** @description Teams of which the user is the last owner */
            teams?: {
                id: string;
                name: string;
            }[];
            /** @description The plan of the running subscription */
            plan?: string | null;
            /** @description Its status */
            status?: string;
            /** @description The statement of today */
            text?: string | null;
            /** @description The version that there is now, of a project, a shot or the statement */
            version?: number | string | null;
            /** @description Who made that version */
            changedBy?: {
                id: string;
                name: string | null;
            };
            /** @description When */
            changedAt?: string;
        };
        ConflictError: {
            /**
             * @description What went wrong, for programs (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "CONFLICT";
            /** @description What went wrong and what to do, for people */
            message: string;
            details?: components["schemas"]["ConflictDetails"];
            /** @description The same as the header X-Request-Id; name it when you ask for help */
            requestId: string;
        };
        FullProgress: {
            /** @description The most films in progress */
            maxInProgress: number;
        };
        FullProgressError: {
            /**
             * @description What went wrong, for programs (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "TOO_MANY_IN_PROGRESS";
            /** @description What went wrong and what to do, for people */
            message: string;
            details: components["schemas"]["FullProgress"];
            /** @description The same as the header X-Request-Id; name it when you ask for help */
            requestId: string;
        };
        Unready: {
            database: string;
            storage: string;
            clock: string;
        };
        UnreadyError: {
            /**
             * @description What went wrong, for programs (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "UNAVAILABLE";
            /** @description What went wrong and what to do, for people */
            message: string;
            details?: components["schemas"]["Unready"];
            /** @description The same as the header X-Request-Id; name it when you ask for help */
            requestId: string;
        };
        Error: {
            /** @constant */
            success: false;
            data: Record<string, never>;
            error: components["schemas"]["FieldProblemsError"] | components["schemas"]["RefusedContentError"] | components["schemas"]["PlainError"] | components["schemas"]["MissingCreditsError"] | components["schemas"]["SpentBudgetError"] | components["schemas"]["MissingRightError"] | components["schemas"]["NeededConsentError"] | components["schemas"]["MissingScopeError"] | components["schemas"]["NotFoundError"] | components["schemas"]["ConflictError"] | components["schemas"]["FullProgressError"] | components["schemas"]["UnreadyError"];
        };
        /**
         * @example {
         *       "id": "01939b1e-1111-7aaa-8bbb-000000000001",
         *       "name": "Ann",
         *       "kind": "member"
         *     }
         */
        Maker: {
            /** Format: uuid */
            id: string;
            /** @description null: a former member, an API key that was deleted, or a program that was disconnected */
            name: string | null;
            /**
             * @description program: connected by OAuth
             * @enum {unknown}
             */
            kind: "member" | "key" | "program";
        };
        /** @description Who made these: members of the team, API keys, or connected programs; none for sessions of your own */
        Makers: components["schemas"]["Maker"][];
        Deleted: {
            id: string;
            /** @constant */
            deleted: true;
        };
        /**
         * @description total = available + frozen + used + expired + clawedBack
         * @example {
         *       "available": 44,
         *       "frozen": 0,
         *       "used": 16,
         *       "total": 70,
         *       "expiringSoon": 0,
         *       "expired": 10,
         *       "clawedBack": 0,
         *       "owed": 0
         *     }
         */
        Balance: {
            /** @description Usable now: not frozen, not expired */
            available: number;
            /** @description Reserved for videos in progress */
            frozen: number;
            /** @description Consumed over all time */
            used: number;
            /** @description Ever received */
            total: number;
            /** @description Available credits that expire within 7 days */
            expiringSoon: number;
            /** @description Expired unused, over all time */
            expired: number;
            /** @description Taken back for refunds and disputes, and by administrators */
            clawedBack: number;
            /** @description Credits of refunded or disputed payments that could not be taken back, because they are used or frozen */
            owed: number;
        };
        /**
         * @description Why the credits moved. SYSTEM_ADJUST: by an administrator, for a redemption code, or between a user and a team (`source` begins with transfer:)
         * @enum {unknown}
         */
        TransType: "NEW_USER" | "ORDER_PAY" | "SUBSCRIPTION" | "VIDEO_CONSUME" | "REFUND" | "EXPIRED" | "SYSTEM_ADJUST";
        /**
         * @example {
         *       "id": "01939b1e-5d6b-7000-8000-000000000001",
         *       "transNo": "K7Q2-9MFX-4T",
         *       "transType": "VIDEO_CONSUME",
         *       "credits": -16,
         *       "balanceAfter": 44,
         *       "videoUuid": "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50",
         *       "prompt": null,
         *       "orderNo": null,
         *       "remark": "delta-1-5, 4 s",
         *       "state": "settled",
         *       "madeBy": null,
         *       "createdAt": "2026-01-15T09:30:00.000Z",
         *       "n": 2,
         *       "packageId": null,
         *       "source": null,
         *       "expiresAt": null,
         *       "graces": null,
         *       "actorId": null,
         *       "hash": "9f2c6f5d0b1e4a7c8d3e5f60718293a4b5c6d7e8f90123456789abcdef012345"
         *     }
         */
        CreditTransaction: {
            /** Format: uuid */
            id: string;
            /** @description Transaction number, short enough to read aloud */
            transNo: string;
            transType: components["schemas"]["TransType"];
            /** @description Signed: negative when credits left the balance */
            credits: number;
            /** @description Available credits right after this row: the sum of all rows up to it */
            balanceAfter: number;
            /** @description The video; null on other rows */
            videoUuid: string | null;
            /** @description The first 200 characters of the film’s prompt, where prompts was asked for and it has one */
            prompt: string | null;
            /** @description Order number of a purchase; null on other rows */
            orderNo: string | null;
            /** @description A note */
            remark: string | null;
            /** @description frozen, settled or released; null on rows without a video */
            state: string | null;
            /** @description The API key, connected program or member of the team that spent them; null: a session of your own, or no video */
            madeBy: string | null;
            /**
             * Format: date-time
             * @description When it happened
             */
            createdAt: string;
            /** @description Number of the row among yours, from 1 without gaps */
            n: number;
            /** @description The package that was added, or that the credits left; null on rows of videos */
            packageId: string | null;
            /** @description What an addition was granted for: payment-…, new-user, adjust:…, code:… or invitation:…; transfer:… of a move; return:, the processor and ids of the refunds and disputes, of what these took or gave back; null on other rows */
            source: string | null;
            /**
             * Format: date-time
             * @description When the credits of an addition expire; null on other rows
             */
            expiresAt: string | null;
            /** @description Packages in which credits of an expired package came back; null when there are none */
            graces: {
                /** Format: uuid */
                packageId: string;
                credits: number;
                /**
                 * Format: date-time
                 * @description When they expire
                 */
                expiresAt: string;
            }[] | null;
            /** @description The administrator who caused it; null when it was none */
            actorId: string | null;
            /** @description SHA-256, in hexadecimal, of the 32 bytes of the hash of row n − 1 (none for the first row) and the row as UTF-8 text: a JSON array of n, id, transNo, transType, credits, balanceAfter, packageId, videoUuid, orderNo, remark, actorId, source, expiresAt, graces as arrays of packageId, credits and expiresAt, and createdAt, its elements separated by a comma and a space, its times in milliseconds since 1970 */
            hash: string;
        };
        CreditHistory: {
            transactions: components["schemas"]["CreditTransaction"][];
            makers: components["schemas"]["Makers"];
            /**
             * @description Number of all rows that match
             * @example 1
             */
            total: number;
            /** @example 1 */
            page: number;
            /** @example 20 */
            pageSize: number;
            /**
             * @description Cursor of the next page; null on the last
             * @example null
             */
            nextCursor: string | null;
        };
        /**
         * @example {
         *       "id": "01939b1e-2222-7aaa-8bbb-000000000009",
         *       "state": "running",
         *       "startedAt": "2026-01-15T09:30:00.000Z",
         *       "finishedAt": null,
         *       "usersTotal": 1240,
         *       "users": 0,
         *       "differences": [],
         *       "total": 0,
         *       "error": null
         *     }
         */
        LedgerCheck: {
            /** Format: uuid */
            id: string;
            /**
             * @description finished: all users are checked; stopped: at a shutdown; abandoned: its process died
             * @enum {unknown}
             */
            state: "running" | "finished" | "stopped" | "failed" | "abandoned";
            /**
             * Format: date-time
             * @description When it started
             */
            startedAt: string;
            /**
             * Format: date-time
             * @description When it ended; null while it runs
             */
            finishedAt: string | null;
            /** @description Number of users when it started */
            usersTotal: number;
            /** @description Number of users checked so far */
            users: number;
            /** @description Empty when the ledger is correct; at most the first 500 */
            differences: {
                /** Format: uuid */
                userId: string;
                /** @description What differs: the account, a package, a hold, a transaction or a video */
                subject: string;
                /** @description The invariant that is broken */
                rule: string;
                expected: string;
                found: string;
                /** @description What an operator does about it */
                advice: string;
            }[];
            /** @description Number of all differences */
            total: number;
            /** @description Why it failed */
            error: string | null;
        };
        /**
         * @example {
         *       "day": "2026-01-15",
         *       "model": "veo-3.1-fast",
         *       "account": null,
         *       "vendorModel": null,
         *       "userId": null,
         *       "email": null,
         *       "team": null,
         *       "films": 117,
         *       "failed": 2,
         *       "cancelled": 1,
         *       "filmSeconds": 702,
         *       "creditsEarned": 1989,
         *       "creditsReturned": 51,
         *       "earnedUsd": 105.8432,
         *       "unvaluedCredits": 0,
         *       "costUsd": 70.2,
         *       "marginUsd": 35.6432,
         *       "statedCosts": 0,
         *       "reservedCosts": 0,
         *       "catalogueCosts": 117,
         *       "unknownCosts": 2,
         *       "unpriced": [
         *         {
         *           "unit": "units",
         *           "amount": 702
         *         }
         *       ],
         *       "differing": 0,
         *       "differingExpectedUsd": 0,
         *       "differingFoundUsd": 0,
         *       "p50Seconds": 41,
         *       "p95Seconds": 88
         *     }
         */
        Costs: {
            /** @description In the operator’s time zone; null when it is not grouped by, as the next six */
            day: string | null;
            /** @description The model */
            model: string | null;
            /** @description The account at the AI provider */
            account: string | null;
            /** @description The provider’s name of the model; null also of films that were never sent */
            vendorModel: string | null;
            /** @description The user or team */
            userId: string | null;
            /** @description The user’s e-mail address; null for a team, and when the account was deleted */
            email: string | null;
            /** @description The name of the team, empty when it was deleted; null for a user */
            team: string | null;
            /** @description Completed films */
            films: number;
            /** @description Films that failed */
            failed: number;
            /** @description Films that were cancelled */
            cancelled: number;
            /** @description Seconds of completed films */
            filmSeconds: number;
            /** @description Of completed films */
            creditsEarned: number;
            /** @description Of films that failed or were cancelled */
            creditsReturned: number;
            /** @description What the credits of completed films were sold for, without tax and refunds; of gifts nothing; null when none has a value */
            earnedUsd: number | null;
            /** @description Credits that were sold in another currency than USD, or whose payment is apart: they are in no sum */
            unvaluedCredits: number;
            /** @description Of the films whose cost is known; null when none is */
            costUsd: number | null;
            /** @description What the films whose cost is known have earned, less that cost; null also when credits of theirs have no value */
            marginUsd: number | null;
            /** @description Films whose cost the provider has stated */
            statedCosts: number;
            /** @description Films whose cost the provider has reserved */
            reservedCosts: number;
            /** @description Films whose cost is the catalogue’s */
            catalogueCosts: number;
            /** @description Films whose cost is unknown, and in no sum */
            unknownCosts: number;
            /** @description What providers have stated in units whose value in USD is unknown */
            unpriced: {
                unit: string;
                amount: number;
            }[];
            /** @description Films whose stated cost is not the catalogue’s, by more than a tenth */
            differing: number;
            /** @description What these cost by the catalogue */
            differingExpectedUsd: number;
            /** @description What these have cost */
            differingFoundUsd: number;
            /** @description Generation time that half of the completed films did not exceed */
            p50Seconds: number | null;
            /** @description The same of 95 of 100 */
            p95Seconds: number | null;
        };
        /**
         * @example {
         *       "from": "2026-01-01",
         *       "to": "2026-01-31",
         *       "zone": "Europe/Berlin",
         *       "months": [
         *         {
         *           "month": "2026-02",
         *           "currency": "USD",
         *           "owedCredits": 720,
         *           "owedCents": 2243,
         *           "expiredCredits": 0,
         *           "expiredCents": 0
         *         }
         *       ],
         *       "plans": [
         *         {
         *           "plan": "Pro",
         *           "films": 14,
         *           "credits": 240,
         *           "unvaluedCredits": 0,
         *           "unknownCredits": 0,
         *           "earnedUsd": 7.475,
         *           "costUsd": 8.4,
         *           "marginUsd": -0.925
         *         }
         *       ]
         *     }
         */
        Books: {
            /** Format: date */
            from: string;
            /** Format: date */
            to: string;
            /** @description TIME_ZONE, in which days and months begin */
            zone: string;
            /** @description As of now, by month and currency */
            months: {
                /** @description In which the credits expire */
                month: string;
                /** @description ISO 4217; null: credits that were a gift, or whose payment is apart */
                currency: string | null;
                /** @description Not used yet; those of videos in progress too */
                owedCredits: number;
                /** @description What they were sold for, without tax and refunds: deferred revenue */
                owedCents: number;
                /** @description Expired unused, in months of the period */
                expiredCredits: number;
                /** @description What these were sold for: breakage */
                expiredCents: number;
            }[];
            plans: {
                /** @description The plan or pack; null: gifts, and credits whose payment is apart */
                plan: string | null;
                /** @description Completed in the period; one that used credits of several counts for each */
                films: number;
                /** @description That they used */
                credits: number;
                /** @description Of these, sold in another currency than USD */
                unvaluedCredits: number;
                /** @description Of these, used by films whose cost is unknown */
                unknownCredits: number;
                /** @description What they were sold for, without tax and refunds */
                earnedUsd: number;
                /** @description The share of the films’ costs, by credits */
                costUsd: number;
                /** @description Of films whose cost is known; null when credits of it have no value in USD */
                marginUsd: number | null;
            }[];
        };
        /**
         * @example {
         *       "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
         *       "credits": 40,
         *       "available": {
         *         "before": 44,
         *         "after": 4
         *       },
         *       "packages": [
         *         {
         *           "id": "01939b1e-2222-7aaa-8bbb-000000000002",
         *           "credits": 40,
         *           "expiresAt": "2026-02-14T09:30:00.000Z"
         *         }
         *       ],
         *       "dryRun": false
         *     }
         */
        TakenCredits: {
            userId: string;
            /** @description Credits taken */
            credits: number;
            available: {
                /** @description Available before */
                before: number;
                /** @description Available after */
                after: number;
            };
            /** @description What is taken from which package */
            packages: {
                /** Format: uuid */
                id: string;
                /** @description Credits taken from it */
                credits: number;
                /**
                 * Format: date-time
                 * @description When it expires
                 */
                expiresAt: string;
            }[];
            /** @description Whether nothing was changed */
            dryRun: boolean;
        };
        /**
         * @example {
         *       "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
         *       "credits": 16,
         *       "owed": {
         *         "before": 16,
         *         "after": 0
         *       },
         *       "available": {
         *         "before": 60,
         *         "after": 44
         *       },
         *       "packages": [
         *         {
         *           "id": "01939b1e-2222-7aaa-8bbb-000000000002",
         *           "credits": 16,
         *           "expiresAt": "2026-02-14T09:30:00.000Z"
         *         }
         *       ],
         *       "dryRun": false
         *     }
         */
        OwedSettlement: {
            userId: string;
            /** @description Credits collected or forgiven */
            credits: number;
            available: {
                /** @description Available before */
                before: number;
                /** @description Available after */
                after: number;
            };
            /** @description What is taken from which package */
            packages: {
                /** Format: uuid */
                id: string;
                /** @description Credits taken from it */
                credits: number;
                /**
                 * Format: date-time
                 * @description When it expires
                 */
                expiresAt: string;
            }[];
            /** @description Whether nothing was changed */
            dryRun: boolean;
            owed: {
                /** @description Owed before */
                before: number;
                /** @description Owed after */
                after: number;
            };
        };
        /**
         * @example {
         *       "id": "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50",
         *       "createdAt": "2026-01-15T09:30:00.000Z",
         *       "action": "credits.take",
         *       "actorId": "01939b1e-1111-7aaa-8bbb-000000000009",
         *       "actorEmail": "root@example.com",
         *       "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
         *       "userEmail": "ann@example.com",
         *       "team": null,
         *       "subject": null,
         *       "before": {
         *         "available": 44,
         *         "frozen": 16,
         *         "used": 0,
         *         "expired": 0,
         *         "clawedBack": 0,
         *         "total": 60
         *       },
         *       "after": {
         *         "available": 4,
         *         "frozen": 16,
         *         "used": 0,
         *         "expired": 0,
         *         "clawedBack": 40,
         *         "total": 60,
         *         "credits": 40,
         *         "packages": [
         *           [
         *             "01939b1e-2222-7aaa-8bbb-000000000002",
         *             40,
         *             1771061400000
         *           ]
         *         ]
         *       },
         *       "requestId": "01939b1e-3333-7aaa-8bbb-000000000001",
         *       "reason": "Granted twice by mistake"
         *     }
         */
        AuditEntry: {
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description When it was done
             */
            createdAt: string;
            /** @description What was done: credits.add, credits.take, credits.collect, credits.forgive, credits.reverse-expiry, payment.apply, payment.dismiss, payment.refund, video.remove-files, webhook.disable, mail.retry, mail.show-link, catalogue.switch, catalogue.take, catalogue.restore, catalogue.sample, setup.test, setup.close, invitation.create, invitation.revoke, code.create, code.end, explore.remove, explore.keep, takedown.decide, takedown.answer, video.read-prompt, incident.set, team.lock, team.unlock, team.make-owner, team.create, team.rename, team.set-second-factor, team.invite, team.revoke-invitation, team.join, team.leave, team.remove-member, team.set-role, team.set-budget, team.create-key, team.delete-key, team.create-endpoint, team.delete-endpoint, team.connect-program, team.disconnect-program, team.take-over-key, team.take-over-endpoint, team.delete-folder, team.delete-project, team.buy, team.move-credits, user.create, user.update, user.set-role, user.ban, user.unban, user.impersonate, user.act, user.stop-impersonating, user.revoke-session, user.resend-verification, key.revoke, user.change-address, user.send-password, user.set-password, user.revoke-sessions, user.remove-factor, limits.set, tags.set, note.add, note.delete, video.restore, account.delete; others may follow */
            action: string;
            /**
             * Format: uuid
             * @description The administrator; 00000000-0000-0000-0000-000000000000 for the service itself
             */
            actorId: string;
            /** @description The administrator’s e-mail address; null for the service itself and for a deleted account */
            actorEmail: string | null;
            /** @description The user or team that it concerns; null for none */
            userId: string | null;
            /** @description The user’s e-mail address; null for a team, and when the account was deleted */
            userEmail: string | null;
            /** @description The name of the team, empty when it was deleted; null for a user */
            team: string | null;
            /** @description Id of the package, payment event, video, session, mail, webhook endpoint or deleted user that it concerns */
            subject: string | null;
            /** @description What was there before, by action: a balance, the state of an event, the changed fields of a user */
            before: {
                [key: string]: unknown;
            } | null;
            /** @description What was there after it */
            after: {
                [key: string]: unknown;
            } | null;
            /** @description The request, as in x-request-id and in the log; null for the service itself */
            requestId: string | null;
            /** @description Why, in the words of the administrator; for the service itself the setting */
            reason: string | null;
        };
        UserCredits: {
            /** @description Usable now: not frozen, not expired */
            available: number;
            /** @description Reserved for videos in progress */
            frozen: number;
            /** @description Consumed over all time */
            used: number;
            /** @description Ever received */
            total: number;
            /** @description Expired unused, over all time */
            expired: number;
            /** @description Taken back for refunds and disputes, and by administrators */
            clawedBack: number;
            /** @description Credits of refunded or disputed payments that could not be taken back, because they are used or frozen */
            owed: number;
        };
        /**
         * @example {
         *       "id": "01939b1e-1111-7aaa-8bbb-000000000001",
         *       "email": "ann@example.com",
         *       "name": "Ann",
         *       "role": "user",
         *       "createdAt": "2026-01-15T09:30:00.000Z",
         *       "deletedAt": null,
         *       "banned": false,
         *       "credits": {
         *         "available": 44,
         *         "frozen": 16,
         *         "used": 0,
         *         "total": 60,
         *         "expired": 0,
         *         "clawedBack": 0,
         *         "owed": 0
         *       }
         *     }
         */
        ListedUser: {
            id: string;
            email: string;
            name: string;
            /** @description user or admin */
            role: string;
            /**
             * Format: date-time
             * @description When the user signed up
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the account was deleted; e-mail address and name are gone then. Null: it was not
             */
            deletedAt: string | null;
            /** @description Whether the account is locked now */
            banned: boolean;
            credits: components["schemas"]["UserCredits"];
        };
        /**
         * @example {
         *       "id": "01939b1e-1111-7aaa-8bbb-000000000001",
         *       "email": "ann@example.com",
         *       "name": "Ann",
         *       "role": "user",
         *       "createdAt": "2026-01-15T09:30:00.000Z",
         *       "deletedAt": null,
         *       "banned": false,
         *       "credits": {
         *         "available": 44,
         *         "frozen": 16,
         *         "used": 0,
         *         "total": 60,
         *         "expired": 0,
         *         "clawedBack": 0,
         *         "owed": 0
         *       },
         *       "banReason": null,
         *       "banExpires": null,
         *       "inProgress": 1,
         *       "emailVerified": true,
         *       "twoFactorEnabled": false,
         *       "signInMethods": [
         *         "credential",
         *         "google"
         *       ],
         *       "passkeys": 1,
         *       "apiKeys": 2,
         *       "sessions": 1,
         *       "giftRefusal": null
         *     }
         */
        UserDetail: {
            id: string;
            email: string;
            name: string;
            /** @description user or admin */
            role: string;
            /**
             * Format: date-time
             * @description When the user signed up
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the account was deleted; e-mail address and name are gone then. Null: it was not
             */
            deletedAt: string | null;
            /** @description Whether the account is locked now */
            banned: boolean;
            credits: components["schemas"]["UserCredits"];
            /** @description Why it is locked */
            banReason: string | null;
            /**
             * Format: date-time
             * @description When the lock ends; null: when an administrator removes it
             */
            banExpires: string | null;
            /** @description Videos in progress */
            inProgress: number;
            emailVerified: boolean;
            /** @description Whether a sign-in needs a second factor */
            twoFactorEnabled: boolean;
            /** @description credential: the password; else a provider’s id */
            signInMethods: string[];
            passkeys: number;
            apiKeys: number;
            /** @description Sessions that have not expired */
            sessions: number;
            /** @description Why the user had no new-user gift; null: it was granted, or is not decided */
            giftRefusal: ("address_used" | "domain_denied" | "network_limit") | null;
        };
        /**
         * @example {
         *       "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
         *       "deleted": true
         *     }
         */
        DeletedAccount: {
            userId: string;
            /** @constant */
            deleted: true;
        };
        /**
         * @example {
         *       "id": "01939b1e-7777-7000-8000-000000000001",
         *       "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
         *       "processor": "payment-b",
         *       "externalId": "sub_01",
         *       "plan": "pro-monthly",
         *       "status": "active",
         *       "currentPeriodStart": "2026-01-15T09:30:00.000Z",
         *       "currentPeriodEnd": "2026-02-15T09:30:00.000Z",
         *       "cancelAtPeriodEnd": false,
         *       "cancelledAt": null,
         *       "isRetried": false,
         *       "createdAt": "2026-01-15T09:30:00.000Z",
         *       "updatedAt": "2026-01-15T09:30:00.000Z"
         *     }
         */
        Subscription: {
            /** Format: uuid */
            id: string;
            userId: string;
            processor: string;
            /** @description The processor’s id of the subscription */
            externalId: string;
            /** @description An id of GET /api/v1/config/plans */
            plan: string | null;
            /** @description active, trialing, past_due, cancelled, expired or incomplete */
            status: string;
            /**
             * Format: date-time
             * @description Start of the period that is paid for
             */
            currentPeriodStart: string | null;
            /**
             * Format: date-time
             * @description End of that period
             */
            currentPeriodEnd: string | null;
            cancelAtPeriodEnd: boolean;
            /**
             * Format: date-time
             * @description When it was cancelled
             */
            cancelledAt: string | null;
            /** @description It has expired, and the processor tries its payment again until it is cancelled */
            isRetried: boolean;
            /**
             * Format: date-time
             * @description When the first event about it was received
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed
             */
            updatedAt: string;
        };
        /**
         * @example {
         *       "id": "payment-b:in_01",
         *       "processor": "payment-b",
         *       "orderNo": "in_01",
         *       "remark": "Pro, monthly",
         *       "currency": "USD",
         *       "received": 2990,
         *       "returned": 0,
         *       "credits": 960,
         *       "at": "2026-01-15T09:30:00.000Z"
         *     }
         */
        UserPayment: {
            /** @description The processor and its id of the order or invoice */
            id: string;
            processor: string;
            /** @description The processor’s id of the order or invoice */
            orderNo: string;
            /** @description What was bought */
            remark: string;
            /** @description ISO 4217 */
            currency: string;
            /** @description Without tax, in the currency’s smallest unit */
            received: number;
            /** @description What of it was refunded or disputed since */
            returned: number;
            /** @description What it granted */
            credits: number;
            /**
             * Format: date-time
             * @description When it was made
             */
            at: string;
        };
        /**
         * @example {
         *       "id": "01939b1e-7777-7aaa-8bbb-000000000001",
         *       "name": "Studio North",
         *       "members": 3,
         *       "createdAt": "2026-01-15T09:30:00.000Z",
         *       "deletedAt": null,
         *       "locked": false,
         *       "credits": {
         *         "available": 44,
         *         "frozen": 16,
         *         "used": 0,
         *         "total": 60,
         *         "expired": 0,
         *         "clawedBack": 0,
         *         "owed": 0
         *       }
         *     }
         */
        ListedTeam: {
            id: string;
            /** @description Empty when it was deleted */
            name: string;
            /** @description How many it has */
            members: number;
            /**
             * Format: date-time
             * @description When it was made
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was deleted; its books remain
             */
            deletedAt: string | null;
            /** @description Whether its members and keys are refused */
            locked: boolean;
            credits: components["schemas"]["UserCredits"];
        };
        /**
         * @example {
         *       "id": "01939b1e-7777-7aaa-8bbb-000000000001",
         *       "name": "Studio North",
         *       "members": 3,
         *       "createdAt": "2026-01-15T09:30:00.000Z",
         *       "deletedAt": null,
         *       "locked": false,
         *       "credits": {
         *         "available": 44,
         *         "frozen": 16,
         *         "used": 0,
         *         "total": 60,
         *         "expired": 0,
         *         "clawedBack": 0,
         *         "owed": 0
         *       },
         *       "lockReason": null,
         *       "lockedAt": null,
         *       "inProgress": 1,
         *       "apiKeys": 2
         *     }
         */
        AdminTeam: {
            id: string;
            /** @description Empty when it was deleted */
            name: string;
            /** @description How many it has */
            members: number;
            /**
             * Format: date-time
             * @description When it was made
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was deleted; its books remain
             */
            deletedAt: string | null;
            /** @description Whether its members and keys are refused */
            locked: boolean;
            credits: components["schemas"]["UserCredits"];
            /** @description Why it is locked */
            lockReason: string | null;
            /**
             * Format: date-time
             * @description Since when it is locked
             */
            lockedAt: string | null;
            /** @description Videos in progress */
            inProgress: number;
            apiKeys: number;
        };
        /**
         * @description viewer: reads. maker: makes films too, and changes own ones. admin: changes the films of all, and manages members, keys and webhooks. owner: pays, and deletes the team
         * @enum {unknown}
         */
        TeamRole: "viewer" | "maker" | "admin" | "owner";
        MemberBudgetState: {
            credits: number;
            /** @enum {unknown} */
            period: "day" | "week" | "month";
            used: number;
            /**
             * Format: date-time
             * @description When the next period begins
             */
            resetAt: string;
        };
        /** @description Credits frozen or spent in the UTC day, the ISO week and the calendar month */
        MemberUse: {
            day: number;
            week: number;
            month: number;
        };
        /**
         * @example {
         *       "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
         *       "name": "Ann",
         *       "email": "ann@example.com",
         *       "role": "maker",
         *       "budget": null,
         *       "used": {
         *         "day": 16,
         *         "week": 32,
         *         "month": 96
         *       },
         *       "createdAt": "2026-01-15T09:30:00.000Z"
         *     }
         */
        TeamMember: {
            /** Format: uuid */
            userId: string;
            name: string;
            email: string;
            role: components["schemas"]["TeamRole"];
            /** @description What the member may spend in a period; null: as much as the team has */
            budget: components["schemas"]["MemberBudgetState"] | null;
            used: components["schemas"]["MemberUse"];
            /** @description Whether the member has set one up; only owners read it */
            hasSecondFactor?: boolean;
            /**
             * Format: date-time
             * @description Since when
             */
            createdAt: string;
        };
        /** @enum {unknown} */
        Scope: "read" | "generate" | "account";
        KeyBudgetState: {
            /** @description Credits that films may cost in a period */
            credits: number;
            /**
             * @description day: from 0:00 UTC; week: from Monday, 0:00 UTC; month: from the first, 0:00 UTC
             * @enum {unknown}
             */
            period: "day" | "week" | "month";
            /** @description Credits used in the period; films that failed or were cancelled are taken off */
            used: number;
            /**
             * Format: date-time
             * @description When the next period begins
             */
            resetAt: string;
        };
        /** @description Credits frozen or spent in the UTC day, the ISO week and the calendar month; released ones are taken off */
        KeyUse: {
            /** @description Credits */
            day: number;
            /** @description Credits */
            week: number;
            /** @description Credits */
            month: number;
        };
        /**
         * @example {
         *       "id": "01939b1e-1111-7aaa-8bbb-000000000001",
         *       "name": "Ann"
         *     }
         */
        MadeBy: {
            /** Format: uuid */
            id: string;
            /** @description null: a former member */
            name: string | null;
        };
        /**
         * @example {
         *       "id": "01939b1e-3333-7000-8000-000000000001",
         *       "name": "server",
         *       "start": "kin_FWSvPk",
         *       "enabled": true,
         *       "test": false,
         *       "scopes": [
         *         "read",
         *         "generate"
         *       ],
         *       "budget": {
         *         "credits": 500,
         *         "period": "month",
         *         "used": 0,
         *         "resetAt": "2026-02-01T00:00:00.000Z"
         *       },
         *       "used": {
         *         "day": 0,
         *         "week": 0,
         *         "month": 0
         *       },
         *       "lastRequest": null,
         *       "expiresAt": null,
         *       "createdAt": "2026-01-15T09:30:00.000Z",
         *       "madeBy": {
         *         "id": "01939b1e-1111-7aaa-8bbb-000000000001",
         *         "name": "Ann"
         *       },
         *       "suspendedAt": null,
         *       "endsAt": null
         *     }
         */
        TeamKey: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description The first characters, to distinguish keys */
            start: string;
            enabled: boolean;
            /** @description Whether it is a test key: its films cost nothing, are not real, and go after a day */
            test: boolean;
            /** @description read: reads films, models, events and credits; generate: makes, cancels, deletes and shares films; account: all the rest */
            scopes: components["schemas"]["Scope"][];
            /** @description What it may spend in a period; null: as much as the account has */
            budget: components["schemas"]["KeyBudgetState"] | null;
            used: components["schemas"]["KeyUse"];
            /**
             * Format: date-time
             * @description When it was last used, to the minute
             */
            lastRequest: string | null;
            /**
             * Format: date-time
             * @description When it expires; null: never
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When it was created
             */
            createdAt: string;
            /** @description The member of the team who answers for it; null: it is your own */
            madeBy: components["schemas"]["MadeBy"] | null;
            /**
             * Format: date-time
             * @description Since when it is suspended, because an administrator has locked or deleted the account of its maker
             */
            suspendedAt: string | null;
            /**
             * Format: date-time
             * @description When it ends unless an owner takes it over; null: it is not suspended
             */
            endsAt: string | null;
        };
        OwnerLimits: {
            /** @description Videos in progress at a time; null: MAX_IN_PROGRESS */
            inProgress: number | null;
            /** @description Requests of one person a minute, of which generate and uploads have no more; null: 600 */
            requestsPerMinute: number | null;
            /** @description What it may spend in a period; null: as much as the account has */
            budget: components["schemas"]["KeyBudgetState"] | null;
        };
        OwnerNote: {
            /** Format: uuid */
            id: string;
            text: string;
            /**
             * Format: uuid
             * @description The administrator who wrote it
             */
            actorId: string;
            /** @description null: a deleted account */
            actorEmail: string | null;
            /**
             * Format: date-time
             * @description When it was written
             */
            createdAt: string;
        };
        /**
         * @example {
         *       "apiKeys": [
         *         {
         *           "id": "01939b1e-3333-7000-8000-000000000001",
         *           "name": "server",
         *           "start": "kin_FWSvPk",
         *           "enabled": true,
         *           "test": false,
         *           "scopes": [
         *             "read",
         *             "generate"
         *           ],
         *           "budget": {
         *             "credits": 500,
         *             "period": "month",
         *             "used": 0,
         *             "resetAt": "2026-02-01T00:00:00.000Z"
         *           },
         *           "used": {
         *             "day": 0,
         *             "week": 0,
         *             "month": 0
         *           },
         *           "lastRequest": null,
         *           "expiresAt": null,
         *           "createdAt": "2026-01-15T09:30:00.000Z",
         *           "madeBy": {
         *             "id": "01939b1e-1111-7aaa-8bbb-000000000001",
         *             "name": "Ann"
         *           },
         *           "suspendedAt": null,
         *           "endsAt": null
         *         }
         *       ],
         *       "limits": {
         *         "inProgress": 2,
         *         "requestsPerMinute": null,
         *         "budget": {
         *           "credits": 500,
         *           "period": "day",
         *           "used": 0,
         *           "resetAt": "2026-02-01T00:00:00.000Z"
         *         }
         *       },
         *       "tags": [
         *         "vip"
         *       ],
         *       "notes": [
         *         {
         *           "id": "01939b1e-8888-7000-8000-000000000001",
         *           "text": "Asked for an invoice by post",
         *           "actorId": "01939b1e-1111-7aaa-8bbb-000000000009",
         *           "actorEmail": "root@example.com",
         *           "createdAt": "2026-01-15T09:30:00.000Z"
         *         }
         *       ]
         *     }
         */
        Desk: {
            apiKeys: components["schemas"]["TeamKey"][];
            limits: components["schemas"]["OwnerLimits"];
            tags: string[];
            /** @description The newest 200, the newest first */
            notes: components["schemas"]["OwnerNote"][];
        };
        /** @description What the key may spend; without it as much as the account has */
        KeyBudget: {
            /** @description Credits that films may cost in a period */
            credits: number;
            /**
             * @description day: from 0:00 UTC; week: from Monday, 0:00 UTC; month: from the first, 0:00 UTC
             * @enum {unknown}
             */
            period: "day" | "week" | "month";
        };
        /**
         * @example {
         *       "uuid": "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50",
         *       "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
         *       "email": "ann@example.com",
         *       "team": null,
         *       "model": "delta-1-5",
         *       "status": "GENERATING",
         *       "provider": "provider-b",
         *       "providerTaskId": "task_01",
         *       "attempt": 4,
         *       "progress": 42,
         *       "createdAt": "2026-01-15T09:30:00.000Z",
         *       "submittedAt": "2026-01-15T09:30:00.000Z",
         *       "acceptedAt": "2026-01-15T09:30:00.000Z",
         *       "dueAt": "2026-01-15T09:30:31.000Z",
         *       "leaseUntil": null,
         *       "deadlineAt": "2026-01-15T09:45:00.000Z",
         *       "isOverdue": false,
         *       "why": "Waiting for provider-b (42 %); asked again at 09:30:31 UTC, given up at 09:45:00 UTC.",
         *       "lastEvent": {
         *         "event": "accepted",
         *         "detail": "provider-b task_01",
         *         "at": "2026-01-15T09:30:00.000Z"
         *       }
         *     }
         */
        UnfinishedVideo: {
            /** Format: uuid */
            uuid: string;
            /** Format: uuid */
            userId: string;
            /** @description The user’s e-mail address; null for a team, and when the account was deleted */
            email: string | null;
            /** @description The name of the team, empty when it was deleted; null for a user */
            team: string | null;
            model: string;
            /** @enum {unknown} */
            status: "PENDING" | "GENERATING" | "UPLOADING";
            /** @description The AI provider of the current or next attempt */
            provider: string;
            /** @description The provider’s id of the task; quote it to the provider’s support */
            providerTaskId: string | null;
            /** @description Attempts at the current step so far */
            attempt: number;
            /** @description 0 to 99 */
            progress: number;
            /**
             * Format: date-time
             * @description When it was requested
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was sent to the provider
             */
            submittedAt: string | null;
            /**
             * Format: date-time
             * @description When the provider accepted it
             */
            acceptedAt: string | null;
            /**
             * Format: date-time
             * @description When the next step is due
             */
            dueAt: string;
            /**
             * Format: date-time
             * @description When the lease of a worker ends; null: no worker has claimed it
             */
            leaseUntil: string | null;
            /**
             * Format: date-time
             * @description Deadline of the provider; the task is given up then
             */
            deadlineAt: string;
            /** @description Due for more than a minute, and no worker has claimed it */
            isOverdue: boolean;
            /** @description What the video waits for, and until when, in a sentence */
            why: string;
            /** @description The latest entry of its log */
            lastEvent: {
                event: string;
                /** @description Details */
                detail: string | null;
                /**
                 * Format: date-time
                 * @description When
                 */
                at: string;
            } | null;
        };
        /**
         * @example {
         *       "uuid": "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50",
         *       "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
         *       "email": "ann@example.com",
         *       "team": null,
         *       "model": "delta-1-5",
         *       "account": "provider-b",
         *       "vendorModel": "delta-1.5",
         *       "credits": 16,
         *       "errorCode": "PROVIDER_ERROR",
         *       "error": "The provider ran out of luck.",
         *       "outcome": "failed",
         *       "createdAt": "2026-01-15T09:30:00.000Z",
         *       "completedAt": "2026-01-15T09:31:12.000Z"
         *     }
         */
        EndedVideo: {
            /** Format: uuid */
            uuid: string;
            /** Format: uuid */
            userId: string;
            /** @description The user’s e-mail address; null for a team, and when the account was deleted */
            email: string | null;
            /** @description The name of the team, empty when it was deleted; null for a user */
            team: string | null;
            model: string;
            /** @description The account at the AI provider by which it was sent last, or would have been */
            account: string;
            /** @description The provider’s name of the model; null: it was never sent */
            vendorModel: string | null;
            /** @description Its price */
            credits: number;
            /** @description Why it failed, for programs */
            errorCode: string | null;
            /** @description Why it failed */
            error: string | null;
            /** @enum {unknown} */
            outcome: "completed" | "failed" | "cancelled";
            /**
             * Format: date-time
             * @description When it was requested
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was completed or failed
             */
            completedAt: string;
        };
        CreditOrigin: {
            /** Format: uuid */
            packageId: string;
            /** @description Of the price */
            credits: number;
            /** @description ORDER_PAY, SUBSCRIPTION, NEW_USER, SYSTEM_ADJUST: as in the history */
            transType: string;
            /** @description Of the payment that bought them; null: a gift, a grant or a code */
            orderNo: string | null;
            /** @description What was bought */
            remark: string | null;
            /** @description Where it was paid */
            processor: string | null;
            /** @description Of a team: the member who moved them there */
            fromUserId: string | null;
            /**
             * Format: date-time
             * @description When the account got them
             */
            grantedAt: string;
        };
        /**
         * @example {
         *       "uuid": "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50",
         *       "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
         *       "email": "ann@example.com",
         *       "team": null,
         *       "model": "delta-1-5",
         *       "account": "provider-b",
         *       "vendorModel": "delta-1.5",
         *       "credits": 16,
         *       "errorCode": "PROVIDER_ERROR",
         *       "error": "The provider ran out of luck.",
         *       "status": "FAILED",
         *       "durationS": 4,
         *       "quality": "720p",
         *       "aspectRatio": "16:9",
         *       "accounts": [
         *         "provider-b",
         *         "provider-a"
         *       ],
         *       "provider": "provider-b",
         *       "providerTaskId": "task_01",
         *       "creditState": "released",
         *       "reservedCost": null,
         *       "finalCost": {
         *         "amount": 12,
         *         "unit": "units",
         *         "usd": 0.06
         *       },
         *       "catalogueUsd": 0.05,
         *       "attempt": 0,
         *       "film": null,
         *       "createdAt": "2026-01-15T09:30:00.000Z",
         *       "submittedAt": "2026-01-15T09:30:00.000Z",
         *       "acceptedAt": "2026-01-15T09:30:01.000Z",
         *       "resultAt": null,
         *       "completedAt": "2026-01-15T09:31:12.000Z",
         *       "deletedAt": null,
         *       "filesRemovedAt": null,
         *       "deadlineAt": "2026-01-15T09:45:00.000Z",
         *       "dueAt": null,
         *       "paidBy": [
         *         {
         *           "packageId": "01939b1e-2222-7aaa-8bbb-000000000002",
         *           "credits": 16,
         *           "transType": "ORDER_PAY",
         *           "orderNo": "cs_01",
         *           "remark": "Pack of 500",
         *           "processor": "payment-b",
         *           "fromUserId": null,
         *           "grantedAt": "2026-01-14T09:30:00.000Z"
         *         }
         *       ],
         *       "log": [
         *         {
         *           "id": "01939b1e-6152-7c3e-9f0a-4b1c2d3e4f51",
         *           "event": "accepted",
         *           "detail": "provider-b task_01",
         *           "at": "2026-01-15T09:30:01.000Z"
         *         }
         *       ]
         *     }
         */
        VideoForAdministrators: {
            /** Format: uuid */
            uuid: string;
            /** Format: uuid */
            userId: string;
            /** @description The user’s e-mail address; null for a team, and when the account was deleted */
            email: string | null;
            /** @description The name of the team, empty when it was deleted; null for a user */
            team: string | null;
            model: string;
            /** @description The account at the AI provider by which it was sent last, or would have been */
            account: string;
            /** @description The provider’s name of the model; null: it was never sent */
            vendorModel: string | null;
            /** @description Its price */
            credits: number;
            /** @description Why it failed, for programs */
            errorCode: string | null;
            /** @description Why it failed */
            error: string | null;
            /** @enum {unknown} */
            status: "PENDING" | "GENERATING" | "UPLOADING" | "COMPLETED" | "FAILED";
            /** @description Ordered seconds */
            durationS: number;
            quality: string;
            aspectRatio: string;
            /** @description Accounts of its routes, in order of preference */
            accounts: string[];
            /** @description The adapter of the account; null when the account has no settings now */
            provider: string | null;
            /** @description The provider’s id of the task; quote it to the provider’s support */
            providerTaskId: string | null;
            /**
             * @description What became of the credits
             * @enum {unknown}
             */
            creditState: "frozen" | "settled" | "released";
            /** @description What the provider has reserved, in its unit */
            reservedCost: {
                amount: number;
                unit: string;
                /** @description Its value */
                usd: number | null;
            } | null;
            /** @description What the provider says that the film has cost */
            finalCost: {
                amount: number;
                unit: string;
                /** @description Its value */
                usd: number | null;
            } | null;
            /** @description Cost in USD by the catalogue, as it was when the task was sent */
            catalogueUsd: number | null;
            /** @description Attempts at the current step so far */
            attempt: number;
            /** @description Measured when the film was stored */
            film: {
                durationS: number;
                width: number;
                height: number;
                sizeBytes: number;
            } | null;
            /**
             * Format: date-time
             * @description When it was requested
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was sent to the provider
             */
            submittedAt: string | null;
            /**
             * Format: date-time
             * @description When the provider accepted it
             */
            acceptedAt: string | null;
            /**
             * Format: date-time
             * @description When the provider was first known to have finished
             */
            resultAt: string | null;
            /**
             * Format: date-time
             * @description When it was completed or failed
             */
            completedAt: string | null;
            /**
             * Format: date-time
             * @description When its user deleted it
             */
            deletedAt: string | null;
            /**
             * Format: date-time
             * @description When retention removed the film
             */
            filesRemovedAt: string | null;
            /**
             * Format: date-time
             * @description Deadline of the provider
             */
            deadlineAt: string;
            /**
             * Format: date-time
             * @description When the next step is due; null: it has ended
             */
            dueAt: string | null;
            /** @description Where its credits came from, in the order in which they are used */
            paidBy: components["schemas"]["CreditOrigin"][];
            /** @description The newest 200 entries of its log, oldest first; retention removes them after a while */
            log: {
                /** Format: uuid */
                id: string;
                event: string;
                /** @description Details */
                detail: string | null;
                /**
                 * Format: date-time
                 * @description When
                 */
                at: string;
            }[];
        };
        /**
         * @example {
         *       "id": "provider-b",
         *       "configured": true,
         *       "off": null,
         *       "models": [
         *         "delta-1-5"
         *       ],
         *       "failingModels": [],
         *       "inProgress": 3,
         *       "waiting": 0,
         *       "succeeded": 117,
         *       "failed": 2,
         *       "refused": 1,
         *       "failureShare": 0.017,
         *       "medianSeconds": 41.3,
         *       "lastSuccessAt": "2026-01-15T09:30:00.000Z",
         *       "lastFailureAt": "2026-01-15T08:58:11.000Z",
         *       "lastFailureReason": "no connection",
         *       "balance": null
         *     }
         */
        ProviderHealth: {
            id: string;
            /** @description Whether its settings are there */
            configured: boolean;
            /** @description The switch that keeps it off; null: none */
            off: {
                /** @description Empty: every model of the account */
                model: string;
                /** @description Empty: every account of the model */
                account: string;
                reason: string;
                /** @description The administrator; the nil UUID for an operator at a terminal */
                actorId: string;
                /** @description null for an operator at a terminal and for a deleted account */
                actorEmail: string | null;
                /**
                 * Format: date-time
                 * @description Since when it is off
                 */
                createdAt: string;
            } | null;
            /** @description Models that are made there */
            models: string[];
            /** @description Models whose route there fails: half of its last tasks failed, and it is tried last until one succeeds */
            failingModels: string[];
            /** @description Tasks in progress */
            inProgress: number;
            /** @description Videos waiting to be submitted to it */
            waiting: number;
            /** @description Films that were stored, within the window */
            succeeded: number;
            /** @description Films that it failed, did not finish in time or made unusable, and those that no provider or another one took, within the window */
            failed: number;
            /** @description Tasks that it refused for their content, within the window */
            refused: number;
            /** @description 0 to 1: failed / (failed + succeeded); null when both are 0 */
            failureShare: number | null;
            /** @description From acceptance to result */
            medianSeconds: number | null;
            /**
             * Format: date-time
             * @description Within the last 24 hours; within the window when the last hour has 5,000 outcomes or more
             */
            lastSuccessAt: string | null;
            /**
             * Format: date-time
             * @description As lastSuccessAt; also of a submit that was repeated with success
             */
            lastFailureAt: string | null;
            /** @description The reason of that failure */
            lastFailureReason: string | null;
            /** @description What is left on the account, asked once an hour; null: the vendor has no call that tells */
            balance: {
                /** @description What was told last; null: never */
                amount: number | null;
                /** @description `USD` or the vendor’s own unit */
                unit: string | null;
                /** @description What it is worth; null: unknown */
                usd: number | null;
                /**
                 * Format: date-time
                 * @description When that was
                 */
                toldAt: string | null;
                /** @description Why the vendor did not tell when it was asked last; null: it did, or was not asked yet */
                problem: string | null;
                /** @description By how much it fell within a day */
                spentLastDay: number;
                /** @description How long it lasts at that rate; null while nothing is spent */
                secondsLeft: number | null;
            } | null;
        };
        /**
         * @example {
         *       "kind": "film",
         *       "id": "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50",
         *       "label": "alpha-2",
         *       "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
         *       "email": "ann@example.com",
         *       "team": null
         *     }
         */
        SearchResult: {
            /**
             * @description share, explore and task are ways to a film
             * @enum {unknown}
             */
            kind: "user" | "team" | "film" | "share" | "explore" | "task" | "payment" | "subscription" | "key" | "invitation";
            /** @description Of the film, user, team, key or invitation; of a payment the processor’s */
            id: string;
            /** @description A name, a model, a processor; empty for what was deleted */
            label: string;
            /** @description The user or team that it belongs to */
            userId: string | null;
            /** @description The user’s e-mail address; null for a team, and when the account was deleted */
            email: string | null;
            /** @description The name of the team, empty when it was deleted; null for a user */
            team: string | null;
        };
        /**
         * @example {
         *       "from": "2026-01-01",
         *       "to": "2026-01-30",
         *       "films": {
         *         "films": 117,
         *         "failed": 2,
         *         "cancelled": 1,
         *         "filmSeconds": 702,
         *         "creditsEarned": 1989,
         *         "creditsReturned": 51,
         *         "earnedUsd": 105.8432,
         *         "unvaluedCredits": 0,
         *         "costUsd": 70.2,
         *         "marginUsd": 35.6432,
         *         "statedCosts": 0,
         *         "reservedCosts": 0,
         *         "catalogueCosts": 117,
         *         "unknownCosts": 2,
         *         "unpriced": [
         *           {
         *             "unit": "units",
         *             "amount": 702
         *           }
         *         ],
         *         "differing": 0,
         *         "differingExpectedUsd": 0,
         *         "differingFoundUsd": 0,
         *         "p50Seconds": 41,
         *         "p95Seconds": 88
         *       },
         *       "signUps": 12,
         *       "credits": {
         *         "sold": 4800,
         *         "used": 1989,
         *         "returned": 51,
         *         "owed": 0
         *       },
         *       "revenue": [
         *         {
         *           "currency": "USD",
         *           "received": 19950,
         *           "returned": 3990
         *         }
         *       ],
         *       "days": [
         *         {
         *           "day": "2026-01-15",
         *           "films": 117,
         *           "failed": 2,
         *           "revenue": [
         *             {
         *               "currency": "USD",
         *               "received": 19950,
         *               "returned": 3990
         *             }
         *           ]
         *         }
         *       ],
         *       "readAt": null,
         *       "now": {
         *         "inProgress": 1,
         *         "overdue": 0,
         *         "providers": [
         *           {
         *             "id": "provider-b",
         *             "configured": true,
         *             "failed": 2,
         *             "failureShare": 0.017
         *           }
         *         ],
         *         "catalogueProblems": 0,
         *         "paymentEvents": 0,
         *         "mails": {
         *           "isSetUp": true,
         *           "pending": 0,
         *           "oldestS": 0
         *         },
         *         "webhooksFailing": 0,
         *         "ledger": {
         *           "differences": 0,
         *           "checkedAt": "2026-01-30T03:00:00.000Z"
         *         },
         *         "backup": {
         *           "target": "s3://backups/kinora",
         *           "madeAt": "2026-01-30T02:00:00.000Z",
         *           "error": null
         *         },
         *         "freeBytes": 80000000000
         *       }
         *     }
         */
        Overview: {
            /** Format: date */
            from: string;
            /** Format: date */
            to: string;
            /** @description Of films that ended in the period, as in listCosts */
            films: {
                /** @description Completed films */
                films: number;
                /** @description Films that failed */
                failed: number;
                /** @description Films that were cancelled */
                cancelled: number;
                /** @description Seconds of completed films */
                filmSeconds: number;
                /** @description Of completed films */
                creditsEarned: number;
                /** @description Of films that failed or were cancelled */
                creditsReturned: number;
                /** @description What the credits of completed films were sold for, without tax and refunds; of gifts nothing; null when none has a value */
                earnedUsd: number | null;
                /** @description Credits that were sold in another currency than USD, or whose payment is apart: they are in no sum */
                unvaluedCredits: number;
                /** @description Of the films whose cost is known; null when none is */
                costUsd: number | null;
                /** @description What the films whose cost is known have earned, less that cost; null also when credits of theirs have no value */
                marginUsd: number | null;
                /** @description Films whose cost the provider has stated */
                statedCosts: number;
                /** @description Films whose cost the provider has reserved */
                reservedCosts: number;
                /** @description Films whose cost is the catalogue’s */
                catalogueCosts: number;
                /** @description Films whose cost is unknown, and in no sum */
                unknownCosts: number;
                /** @description What providers have stated in units whose value in USD is unknown */
                unpriced: {
                    unit: string;
                    amount: number;
                }[];
                /** @description Films whose stated cost is not the catalogue’s, by more than a tenth */
                differing: number;
                /** @description What these cost by the catalogue */
                differingExpectedUsd: number;
                /** @description What these have cost */
                differingFoundUsd: number;
                /** @description Generation time that half of the completed films did not exceed */
                p50Seconds: number | null;
                /** @description The same of 95 of 100 */
                p95Seconds: number | null;
            };
            /** @description Accounts that were made in the period, deleted ones included */
            signUps: number;
            credits: {
                /** @description Granted for payments of the period */
                sold: number;
                /** @description Of films that were completed */
                used: number;
                /** @description Of films that failed or were cancelled */
                returned: number;
                /** @description By all users now */
                owed: number;
            };
            /** @description By currency */
            revenue: {
                /** @description ISO 4217 */
                currency: string;
                /** @description What payments brought, without tax, in the smallest unit */
                received: number;
                /** @description What of it was refunded or disputed since */
                returned: number;
            }[];
            /**
             * Format: date-time
             * @description When the figures were read, while the database does not answer; null: now
             */
            readAt: string | null;
            /** @description Days on which a film ended or a payment was made, the oldest first */
            days: {
                /**
                 * Format: date
                 * @description In the operator’s time zone
                 */
                day: string;
                /** @description Completed */
                films: number;
                failed: number;
                revenue: {
                    /** @description ISO 4217 */
                    currency: string;
                    /** @description What payments brought, without tax, in the smallest unit */
                    received: number;
                    /** @description What of it was refunded or disputed since */
                    returned: number;
                }[];
            }[];
            now: {
                /** @description Videos that are not final */
                inProgress: number;
                /** @description Videos due for more than a minute that no worker has claimed */
                overdue: number;
                /** @description As in listProviders */
                providers: {
                    id: string;
                    configured: boolean;
                    failed: number;
                    /** @description 0 to 1; null: nothing ended */
                    failureShare: number | null;
                }[];
                /** @description Mistakes in files of models */
                catalogueProblems: number;
                /** @description Payment events that need attention */
                paymentEvents: number;
                mails: {
                    /** @description Whether SMTP_URL is set */
                    isSetUp: boolean;
                    /** @description Messages that wait to be sent; 0 without SMTP_URL */
                    pending: number;
                    /** @description For how long the oldest has waited, in seconds */
                    oldestS: number;
                };
                /** @description Endpoints of users to which no delivery succeeds */
                webhooksFailing: number;
                ledger: {
                    /** @description Of the last recorded check of the books */
                    differences: number;
                    /**
                     * Format: date-time
                     * @description When it got to its end; null: never
                     */
                    checkedAt: string | null;
                };
                /** @description Read every five minutes; null: BACKUP_TO is not set */
                backup: {
                    /** @description BACKUP_TO */
                    target: string;
                    /**
                     * Format: date-time
                     * @description Of the newest backup; null: there is none
                     */
                    madeAt: string | null;
                    /** @description Why backups cannot be listed */
                    error: string | null;
                } | null;
                /** @description Of the disk that has DATA_DIR */
                freeBytes: number;
            };
        };
        /**
         * @example {
         *       "id": "payment-b:in_01",
         *       "processor": "payment-b",
         *       "orderNo": "in_01",
         *       "remark": "Pro, monthly",
         *       "currency": "USD",
         *       "received": 2990,
         *       "returned": 0,
         *       "credits": 960,
         *       "at": "2026-01-15T09:30:00.000Z",
         *       "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
         *       "email": "ann@example.com",
         *       "team": null
         *     }
         */
        AdminPayment: {
            userId: string;
            /** @description The user’s e-mail address; null for a team, and when the account was deleted */
            email: string | null;
            /** @description The name of the team, empty when it was deleted; null for a user */
            team: string | null;
            /** @description The processor and its id of the order or invoice */
            id: string;
            processor: string;
            /** @description The processor’s id of the order or invoice */
            orderNo: string;
            /** @description What was bought */
            remark: string;
            /** @description ISO 4217 */
            currency: string;
            /** @description Without tax, in the currency’s smallest unit */
            received: number;
            /** @description What of it was refunded or disputed since */
            returned: number;
            /** @description What it granted */
            credits: number;
            /**
             * Format: date-time
             * @description When it was made
             */
            at: string;
        };
        /**
         * @example {
         *       "payment": {
         *         "id": "payment-b:in_01",
         *         "processor": "payment-b",
         *         "orderNo": "in_01",
         *         "remark": "Pro, monthly",
         *         "currency": "USD",
         *         "received": 2990,
         *         "returned": 2990,
         *         "credits": 960,
         *         "at": "2026-01-15T09:30:00.000Z",
         *         "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
         *         "email": "ann@example.com",
         *         "team": null
         *       },
         *       "paid": 2990,
         *       "left": 0,
         *       "refund": {
         *         "hindrance": "nothing_left",
         *         "takesPart": true
         *       },
         *       "url": "https://dashboard.stripe.com/invoices/in_01",
         *       "refunds": [
         *         {
         *           "id": "01939b1e-7777-7000-8000-000000000001",
         *           "cents": 2990,
         *           "state": "accepted",
         *           "externalId": "re_01",
         *           "answer": null,
         *           "reason": "Bought by mistake",
         *           "actorId": "01939b1e-1111-7aaa-8bbb-000000000009",
         *           "actorEmail": "root@example.com",
         *           "createdAt": "2026-01-16T09:30:00.000Z",
         *           "endedAt": "2026-01-16T09:30:01.000Z"
         *         }
         *       ],
         *       "returns": [
         *         {
         *           "key": "re_01",
         *           "kind": "refund",
         *           "cents": 2990,
         *           "state": "taken",
         *           "at": "2026-01-16T09:30:01.000Z"
         *         }
         *       ],
         *       "notices": [
         *         {
         *           "about": "dispute",
         *           "objectId": "du_01",
         *           "status": "needs_response",
         *           "reason": "fraudulent",
         *           "tried": null,
         *           "amount": 2990,
         *           "currency": "USD",
         *           "dueAt": "2026-01-24T09:30:00.000Z",
         *           "attempts": null,
         *           "url": "https://dashboard.stripe.com/disputes/du_01",
         *           "at": "2026-01-15T09:30:00.000Z"
         *         }
         *       ]
         *     }
         */
        PaymentDetail: {
            payment: components["schemas"]["AdminPayment"];
            /** @description In money, with tax, in the currency’s smallest unit */
            paid: number;
            /** @description What of it can be refunded */
            left: number;
            refund: {
                /** @description Why it cannot be refunded here now. not_set_up: the processor; no_call: the processor has none for it. Null: it can */
                hindrance: ("not_set_up" | "no_call" | "disputed" | "in_progress" | "nothing_left") | null;
                /** @description Whether the processor refunds a part */
                takesPart: boolean;
            };
            /** @description The processor’s own page of it; null: the processor is not set up */
            url: string | null;
            /** @description Asked for here, the latest first */
            refunds: {
                /** Format: uuid */
                id: string;
                /** @description In the currency’s smallest unit */
                cents: number;
                /**
                 * @description open: the processor has not answered, and the worker asks again; accepted: its event takes the credits
                 * @enum {unknown}
                 */
                state: "open" | "accepted" | "refused";
                /** @description The processor’s id of it */
                externalId: string | null;
                /** @description Why the processor refuses, in its words */
                answer: string | null;
                reason: string;
                actorId: string;
                /** @description The administrator; null when the account was deleted */
                actorEmail: string | null;
                /**
                 * Format: date-time
                 * @description When it was asked for
                 */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description When the processor answered
                 */
                endedAt: string | null;
            }[];
            /** @description What the processor reports, the latest first */
            returns: {
                /** @description The processor’s id of the refund, dispute or credit note, or of the charge */
                key: string;
                kind: string;
                /** @description What it takes of the payment */
                cents: number;
                /** @enum {unknown} */
                state: "taken" | "given back" | "failed";
                /**
                 * Format: date-time
                 * @description When it was made
                 */
                at: string;
            }[];
            /** @description Disputes of it, and attempts to pay it that failed */
            notices: {
                /** @enum {unknown} */
                about: "dispute" | "failure";
                /** @description The dispute; or the payment, invoice or subscription that failed */
                objectId: string;
                /** @description In the processor’s words, as the next two */
                status: string | null;
                /** @description Why it is disputed, or failed */
                reason: string | null;
                /** @description The payment method that was tried */
                tried: string | null;
                /** @description In the currency’s smallest unit */
                amount: number | null;
                /** @description ISO 4217 */
                currency: string | null;
                /**
                 * Format: date-time
                 * @description Until when a dispute is answered; when a failed payment is tried again
                 */
                dueAt: string | null;
                /** @description How often it was tried */
                attempts: number | null;
                /** @description The processor’s own page; null: the processor is not set up */
                url: string | null;
                /**
                 * Format: date-time
                 * @description When it was received
                 */
                at: string;
            }[];
        };
        /**
         * @example {
         *       "id": "01939b1e-7777-7000-8000-000000000001",
         *       "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
         *       "processor": "payment-b",
         *       "externalId": "sub_01",
         *       "plan": "pro-monthly",
         *       "status": "active",
         *       "currentPeriodStart": "2026-01-15T09:30:00.000Z",
         *       "currentPeriodEnd": "2026-02-15T09:30:00.000Z",
         *       "cancelAtPeriodEnd": false,
         *       "cancelledAt": null,
         *       "isRetried": false,
         *       "createdAt": "2026-01-15T09:30:00.000Z",
         *       "updatedAt": "2026-01-15T09:30:00.000Z",
         *       "email": "ann@example.com",
         *       "team": null
         *     }
         */
        AdminSubscription: {
            /** Format: uuid */
            id: string;
            userId: string;
            processor: string;
            /** @description The processor’s id of the subscription */
            externalId: string;
            /** @description An id of GET /api/v1/config/plans */
            plan: string | null;
            /** @description active, trialing, past_due, cancelled, expired or incomplete */
            status: string;
            /**
             * Format: date-time
             * @description Start of the period that is paid for
             */
            currentPeriodStart: string | null;
            /**
             * Format: date-time
             * @description End of that period
             */
            currentPeriodEnd: string | null;
            cancelAtPeriodEnd: boolean;
            /**
             * Format: date-time
             * @description When it was cancelled
             */
            cancelledAt: string | null;
            /** @description It has expired, and the processor tries its payment again until it is cancelled */
            isRetried: boolean;
            /**
             * Format: date-time
             * @description When the first event about it was received
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed
             */
            updatedAt: string;
            /** @description The user’s e-mail address; null for a team, and when the account was deleted */
            email: string | null;
            /** @description The name of the team, empty when it was deleted; null for a user */
            team: string | null;
        };
        /**
         * @example {
         *       "id": "01939b1e-8888-7000-8000-000000000001",
         *       "processor": "payment-b",
         *       "externalId": "evt_01",
         *       "type": "invoice.payment_succeeded",
         *       "state": "applied",
         *       "reason": null,
         *       "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
         *       "receivedAt": "2026-01-15T09:30:00.000Z",
         *       "appliedAt": "2026-01-15T09:30:00.000Z",
         *       "retryAt": null,
         *       "dismissedAt": null,
         *       "dismissedReason": null,
         *       "effects": [
         *         "Gives 960 credits (Pro), good until 2026-02-15."
         *       ],
         *       "notice": null,
         *       "body": "{\"id\":\"evt_01\",\"type\":\"invoice.payment_succeeded\"}"
         *     }
         */
        ListedPaymentEvent: {
            /** Format: uuid */
            id: string;
            processor: string;
            /** @description The processor’s id of the event */
            externalId: string;
            type: string;
            /**
             * @description applied; ignored: it changes nothing; unmatched: its user, or the payment that it returns, is not known; waiting: the worker reads what it lacks from the processor, within minutes; failed: it cannot be applied before a fault is fixed; dismissed: an administrator decided that no credits are owed for it
             * @enum {unknown}
             */
            state: "applied" | "ignored" | "unmatched" | "waiting" | "failed" | "dismissed";
            /** @description Why it was not applied */
            reason: string | null;
            /** @description The user it was applied to; of an ignored event, the user it is about */
            userId: string | null;
            /**
             * Format: date-time
             * @description When it was received
             */
            receivedAt: string;
            /**
             * Format: date-time
             * @description When it was applied
             */
            appliedAt: string | null;
            /**
             * Format: date-time
             * @description When it is tried again by itself
             */
            retryAt: string | null;
            /**
             * Format: date-time
             * @description When an administrator dismissed it
             */
            dismissedAt: string | null;
            /** @description Why, in the words of the administrator */
            dismissedReason: string | null;
            /** @description What applying it does by today’s catalogue, in sentences */
            effects: string[];
            /** @description What it tells of a dispute, or of a payment that failed; null: it is of neither */
            notice: {
                /** @enum {unknown} */
                about: "dispute" | "failure";
                /** @description The dispute; or the payment, invoice or subscription that failed */
                objectId: string;
                /** @description In the processor’s words, as the next two */
                status: string | null;
                /** @description Why it is disputed, or failed */
                reason: string | null;
                /** @description The payment method that was tried */
                tried: string | null;
                /** @description In the currency’s smallest unit */
                amount: number | null;
                /** @description ISO 4217 */
                currency: string | null;
                /**
                 * Format: date-time
                 * @description Until when a dispute is answered; when a failed payment is tried again
                 */
                dueAt: string | null;
                /** @description How often it was tried */
                attempts: number | null;
                /** @description The processor’s own page; null: the processor is not set up */
                url: string | null;
            } | null;
            /** @description The raw body */
            body: string;
        };
        /**
         * @example {
         *       "id": "01939b1e-8888-7000-8000-000000000001",
         *       "processor": "payment-b",
         *       "externalId": "evt_01",
         *       "type": "invoice.payment_succeeded",
         *       "state": "applied",
         *       "reason": null,
         *       "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
         *       "receivedAt": "2026-01-15T09:30:00.000Z",
         *       "appliedAt": "2026-01-15T09:30:00.000Z",
         *       "retryAt": null,
         *       "dismissedAt": null,
         *       "dismissedReason": null
         *     }
         */
        PaymentEvent: {
            /** Format: uuid */
            id: string;
            processor: string;
            /** @description The processor’s id of the event */
            externalId: string;
            type: string;
            /**
             * @description applied; ignored: it changes nothing; unmatched: its user, or the payment that it returns, is not known; waiting: the worker reads what it lacks from the processor, within minutes; failed: it cannot be applied before a fault is fixed; dismissed: an administrator decided that no credits are owed for it
             * @enum {unknown}
             */
            state: "applied" | "ignored" | "unmatched" | "waiting" | "failed" | "dismissed";
            /** @description Why it was not applied */
            reason: string | null;
            /** @description The user it was applied to; of an ignored event, the user it is about */
            userId: string | null;
            /**
             * Format: date-time
             * @description When it was received
             */
            receivedAt: string;
            /**
             * Format: date-time
             * @description When it was applied
             */
            appliedAt: string | null;
            /**
             * Format: date-time
             * @description When it is tried again by itself
             */
            retryAt: string | null;
            /**
             * Format: date-time
             * @description When an administrator dismissed it
             */
            dismissedAt: string | null;
            /** @description Why, in the words of the administrator */
            dismissedReason: string | null;
        };
        /**
         * @example {
         *       "id": "01939b1e-7777-7000-8000-000000000001",
         *       "kind": "credit.low",
         *       "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
         *       "to": "ann@example.com",
         *       "subject": "Your Kinora credits are running low",
         *       "status": "failed",
         *       "attempts": 1,
         *       "response": "550 no such mailbox here",
         *       "createdAt": "2026-01-15T09:30:00.000Z",
         *       "attemptedAt": "2026-01-15T09:30:00.000Z",
         *       "nextAttemptAt": null,
         *       "expiresAt": "2026-01-18T09:30:00.000Z",
         *       "canRetry": true
         *     }
         */
        ListedMail: {
            /**
             * Format: uuid
             * @description The part before the @ of its Message-ID
             */
            id: string;
            /** @description password.reset, sign-in.new, credit.low and so on; others may follow */
            kind: string;
            /** @description Whose it is; null when the recipient has no account */
            userId: string | null;
            /** @description The address of the recipient; empty: the owners of the team, to each of whom it is passed on */
            to: string;
            subject: string;
            /**
             * @description failed: the server refused it, or no attempt is left; expired: it was out of date before it could be sent
             * @enum {unknown}
             */
            status: "pending" | "sent" | "failed" | "expired";
            attempts: number;
            /** @description What the SMTP server responded to the latest attempt, or why there was no response */
            response: string | null;
            /**
             * Format: date-time
             * @description When it was written
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last sent
             */
            attemptedAt: string | null;
            /**
             * Format: date-time
             * @description When it is sent next; null when its status is final
             */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description It is not sent after this time
             */
            expiresAt: string;
            /** @description Whether it can be sent again: it waits no more, and has no link for its reader */
            canRetry: boolean;
        };
        /**
         * @example {
         *       "id": "01939b1e-7777-7000-8000-000000000001",
         *       "kind": "credit.low",
         *       "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
         *       "to": "ann@example.com",
         *       "subject": "Your Kinora credits are running low",
         *       "status": "failed",
         *       "attempts": 1,
         *       "response": "550 no such mailbox here",
         *       "createdAt": "2026-01-15T09:30:00.000Z",
         *       "attemptedAt": "2026-01-15T09:30:00.000Z",
         *       "nextAttemptAt": null,
         *       "expiresAt": "2026-01-18T09:30:00.000Z",
         *       "canRetry": true,
         *       "text": "44 credits left\n\nYou asked for a mail when fewer than 50 credits are available."
         *     }
         */
        Mail: {
            /**
             * Format: uuid
             * @description The part before the @ of its Message-ID
             */
            id: string;
            /** @description password.reset, sign-in.new, credit.low and so on; others may follow */
            kind: string;
            /** @description Whose it is; null when the recipient has no account */
            userId: string | null;
            /** @description The address of the recipient; empty: the owners of the team, to each of whom it is passed on */
            to: string;
            subject: string;
            /**
             * @description failed: the server refused it, or no attempt is left; expired: it was out of date before it could be sent
             * @enum {unknown}
             */
            status: "pending" | "sent" | "failed" | "expired";
            attempts: number;
            /** @description What the SMTP server responded to the latest attempt, or why there was no response */
            response: string | null;
            /**
             * Format: date-time
             * @description When it was written
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last sent
             */
            attemptedAt: string | null;
            /**
             * Format: date-time
             * @description When it is sent next; null when its status is final
             */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description It is not sent after this time
             */
            expiresAt: string;
            /** @description Whether it can be sent again: it waits no more, and has no link for its reader */
            canRetry: boolean;
            /** @description As plain text */
            text: string;
        };
        /**
         * @example {
         *       "id": "01939b1e-8888-7aaa-8bbb-000000000001",
         *       "uuid": "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50",
         *       "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
         *       "email": "ann@example.com",
         *       "team": null,
         *       "prompt": "A paper boat in a rain gutter, dawn",
         *       "model": "delta-1-5",
         *       "aspectRatio": "16:9",
         *       "isPublished": true,
         *       "videoUrl": "https://kinora.example/files/video/01939b1e-1111-7aaa-8bbb-000000000001/01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50.mp4?exp=1768555800&sig=…",
         *       "thumbnailUrl": "https://kinora.example/files/video/01939b1e-1111-7aaa-8bbb-000000000001/01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50.jpg?exp=1768555800&sig=…",
         *       "openReports": 1,
         *       "reports": [
         *         {
         *           "userId": "01939b1e-1111-7aaa-8bbb-000000000002",
         *           "reason": "violence",
         *           "note": null,
         *           "createdAt": "2026-01-15T09:30:00.000Z"
         *         }
         *       ]
         *     }
         */
        ReportedFilm: {
            /**
             * Format: uuid
             * @description Of the publication
             */
            id: string;
            /** Format: uuid */
            uuid: string;
            /** Format: uuid */
            userId: string;
            /** @description The user’s e-mail address; null for a team, and when the account was deleted */
            email: string | null;
            /** @description The name of the team, empty when it was deleted; null for a user */
            team: string | null;
            prompt: string;
            model: string;
            aspectRatio: string;
            /** @description false: its maker has taken it back */
            isPublished: boolean;
            /** @description Signed link to the film */
            videoUrl: string;
            /** @description Signed link to a JPEG */
            thumbnailUrl: string;
            /** @description Reports since the last decision */
            openReports: number;
            /** @description The latest of them, at most 20 */
            reports: {
                /** @description Who reports it */
                userId: string;
                /** @enum {unknown} */
                reason: "sexual" | "violence" | "hate" | "person" | "copyright" | "spam" | "other";
                /** @description What the user says; null: nothing, or the account was deleted */
                note: string | null;
                /**
                 * Format: date-time
                 * @description When it was reported
                 */
                createdAt: string;
            }[];
        };
        /**
         * @example {
         *       "id": "01939b1e-9999-7aaa-8bbb-000000000001",
         *       "uuid": "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50",
         *       "state": "hidden",
         *       "ground": "terms",
         *       "rule": "Terms, section 4: real persons",
         *       "source": "notice",
         *       "isAutomated": false,
         *       "reason": "It shows a real person who has not agreed.",
         *       "decidedAt": "2026-01-15T09:30:00.000Z",
         *       "objection": null,
         *       "objectedAt": null,
         *       "answer": null,
         *       "answeredAt": null,
         *       "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
         *       "email": "ann@example.com",
         *       "team": null,
         *       "cutIds": [],
         *       "actorId": "01939b1e-1111-7aaa-8bbb-000000000002"
         *     }
         */
        Takedown: {
            /** Format: uuid */
            id: string;
            /**
             * Format: uuid
             * @description Of the film
             */
            uuid: string;
            /**
             * @description hidden: no user sees it, and its files are kept for an objection; removed: its files are deleted; lifted: it was wrong
             * @enum {unknown}
             */
            state: "hidden" | "removed" | "lifted";
            /**
             * @description law: it is illegal; terms: it is against the terms of the service
             * @enum {unknown}
             */
            ground: "law" | "terms";
            /** @description Which law, or which part of the terms */
            rule: string;
            /**
             * @description notice: a user or an authority told the operator; own: the operator found it
             * @enum {unknown}
             */
            source: "notice" | "own";
            /** @description Whether a program found it; an administrator decides */
            isAutomated: boolean;
            /** @description The facts */
            reason: string;
            /**
             * Format: date-time
             * @description When it was decided
             */
            decidedAt: string;
            /** @description What the maker says against it */
            objection: string | null;
            /**
             * Format: date-time
             * @description When
             */
            objectedAt: string | null;
            /** @description What an administrator says to that, or why it was lifted */
            answer: string | null;
            /**
             * Format: date-time
             * @description When
             */
            answeredAt: string | null;
            /** Format: uuid */
            userId: string;
            /** @description The user’s e-mail address; null for a team, and when the account was deleted */
            email: string | null;
            /** @description The name of the team, empty when it was deleted; null for a user */
            team: string | null;
            /** @description The cuts that contain it, in its state too */
            cutIds: string[];
            /**
             * Format: uuid
             * @description The administrator who decided
             */
            actorId: string;
        };
        /**
         * @example {
         *       "uuid": "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50",
         *       "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
         *       "email": "ann@example.com",
         *       "team": null,
         *       "model": "delta-1-5",
         *       "aspectRatio": "16:9",
         *       "createdAt": "2026-01-15T09:30:00.000Z",
         *       "deletedAt": null,
         *       "videoUrl": "https://kinora.example/files/review/video/01939b1e-1111-7aaa-8bbb-000000000001/01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50.mp4?exp=1768555800&sig=…",
         *       "thumbnailUrl": "https://kinora.example/files/review/video/01939b1e-1111-7aaa-8bbb-000000000001/01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50.jpg?exp=1768555800&sig=…",
         *       "isShared": true,
         *       "isPublished": false,
         *       "isSample": false,
         *       "isOwnerLocked": false,
         *       "others": [],
         *       "takedown": null
         *     }
         */
        FilmToTakeDown: {
            /** Format: uuid */
            uuid: string;
            /** Format: uuid */
            userId: string;
            /** @description The user’s e-mail address; null for a team, and when the account was deleted */
            email: string | null;
            /** @description The name of the team, empty when it was deleted; null for a user */
            team: string | null;
            model: string;
            aspectRatio: string;
            /**
             * Format: date-time
             * @description When it was requested
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When its user deleted it
             */
            deletedAt: string | null;
            /** @description Signed link for administrators, also while it is hidden; null: its files are gone */
            videoUrl: string | null;
            /** @description The same of its poster, a JPEG */
            thumbnailUrl: string | null;
            /** @description Whether it has a public link */
            isShared: boolean;
            /** @description Whether it is on Explore */
            isPublished: boolean;
            /** @description Whether it is the sample of a model */
            isSample: boolean;
            /** @description Whether the account or team is locked, so that its links do not work */
            isOwnerLocked: boolean;
            /** @description Films that were made from it, the latest 50 */
            others: {
                /** Format: uuid */
                uuid: string;
                /** @description true: it contains the film and shares its state */
                isCut: boolean;
            }[];
            /** @description The latest decision; null: none */
            takedown: components["schemas"]["Takedown"] | null;
        };
        /**
         * @example {
         *       "id": "01939b1e-aaaa-7aaa-8bbb-000000000001",
         *       "textEn": "We move to larger machines.",
         *       "textZh": "我们正在迁移到更大的服务器。",
         *       "isBanner": true,
         *       "isMail": false,
         *       "pauses": true,
         *       "startsAt": "2026-01-20T02:00:00.000Z",
         *       "endsAt": "2026-01-20T03:00:00.000Z",
         *       "isMailed": false,
         *       "actorId": "01939b1e-1111-7aaa-8bbb-000000000002",
         *       "changedAt": "2026-01-15T09:30:00.000Z"
         *     }
         */
        Incident: {
            /** Format: uuid */
            id: string;
            /** @description In English, and in the errors of the API */
            textEn: string;
            /** @description In Chinese */
            textZh: string;
            /** @description Whether the pages show it; of maintenance from now on */
            isBanner: boolean;
            /** @description Whether it is mailed to all users who want such mails, once */
            isMail: boolean;
            /** @description Whether new films and uploads are refused from startsAt to endsAt, with 503 and Retry-After */
            pauses: boolean;
            /**
             * Format: date-time
             * @description From when on it counts
             */
            startsAt: string;
            /**
             * Format: date-time
             * @description Until when
             */
            endsAt: string;
            /** @description Whether the mail to every user is written */
            isMailed: boolean;
            /**
             * Format: uuid
             * @description The administrator who wrote or changed it last
             */
            actorId: string;
            /**
             * Format: date-time
             * @description When
             */
            changedAt: string;
        };
        /**
         * @example {
         *       "id": "delta-1-5",
         *       "name": "Delta 1.5",
         *       "company": "Delta Motion",
         *       "asOf": null,
         *       "state": "off",
         *       "off": {
         *         "model": "delta-1-5",
         *         "account": "provider-b",
         *         "reason": "Half of its films are black",
         *         "actorId": "01939b1e-1111-7aaa-8bbb-000000000001",
         *         "actorEmail": "root@example.com",
         *         "createdAt": "2026-01-15T09:30:00.000Z"
         *       },
         *       "leftOut": [
         *         {
         *           "field": "quality",
         *           "values": [
         *             "1080p"
         *           ]
         *         }
         *       ],
         *       "routes": [
         *         {
         *           "account": "provider-b",
         *           "state": "off",
         *           "failingSince": null,
         *           "unknownModel": null,
         *           "off": {
         *             "model": "delta-1-5",
         *             "account": "provider-b",
         *             "reason": "Half of its films are black",
         *             "actorId": "01939b1e-1111-7aaa-8bbb-000000000001",
         *             "actorEmail": "root@example.com",
         *             "createdAt": "2026-01-15T09:30:00.000Z"
         *           },
         *           "models": {
         *             "text-to-video": "delta-1-5"
         *           },
         *           "cost": null,
         *           "figures": {
         *             "film": {
         *               "mode": "text-to-video",
         *               "seconds": 4,
         *               "quality": "720p"
         *             },
         *             "credits": 16,
         *             "costUsd": null,
         *             "margin": null,
         *             "margins": []
         *           }
         *         }
         *       ]
         *     }
         */
        AdminModel: {
            id: string;
            name: string;
            company: string;
            /** @description The day on which its values were read from the vendors’ pages */
            asOf: string | null;
            /**
             * @description offered: users can make films; waiting: none of its accounts has settings; off: by a switch of it or of all its routes; unavailable, unlisted: by its file
             * @enum {unknown}
             */
            state: "offered" | "waiting" | "off" | "unavailable" | "unlisted";
            /** @description The switch that keeps it off; null: none */
            off: {
                /** @description Empty: every model of the account */
                model: string;
                /** @description Empty: every account of the model */
                account: string;
                reason: string;
                /** @description The administrator; the nil UUID for an operator at a terminal */
                actorId: string;
                /** @description null for an operator at a terminal and for a deleted account */
                actorEmail: string | null;
                /**
                 * Format: date-time
                 * @description Since when it is off
                 */
                createdAt: string;
            } | null;
            /** @description What the file has and no account with settings makes, so that it is not offered */
            leftOut: {
                /** @description Of a request, or `mode` */
                field: string;
                /** @description Empty: the whole field */
                values: unknown[];
            }[];
            /** @description In order of preference */
            routes: {
                account: string;
                /**
                 * @description failing: half of its last tasks failed, or its vendor does not know the model, and it is tried last; waiting: its account has no settings
                 * @enum {unknown}
                 */
                state: "in-use" | "failing" | "waiting" | "off";
                /**
                 * Format: date-time
                 * @description null: it does not fail
                 */
                failingSince: string | null;
                /** @description What the vendor said when it did not know the model, perhaps a retired one; null: it knows it */
                unknownModel: string | null;
                /** @description The switch that keeps it off; null: none */
                off: {
                    /** @description Empty: every model of the account */
                    model: string;
                    /** @description Empty: every account of the model */
                    account: string;
                    reason: string;
                    /** @description The administrator; the nil UUID for an operator at a terminal */
                    actorId: string;
                    /** @description null for an operator at a terminal and for a deleted account */
                    actorEmail: string | null;
                    /**
                     * Format: date-time
                     * @description Since when it is off
                     */
                    createdAt: string;
                } | null;
                /** @description The vendor’s name of the model, by mode */
                models: {
                    [key: string]: string;
                };
                /** @description null: the catalogue knows none */
                cost: {
                    /** @description second, clip, megapixel or input second */
                    per: string;
                    /** @description The day on which it was read */
                    asOf: string | null;
                    /** @description The vendor’s page */
                    source: string | null;
                } | null;
                /** @description Of the shortest film; of a route that is not in use, with the price that the model would have */
                figures: {
                    film: {
                        mode: string;
                        seconds: number;
                        quality: string;
                    };
                    /** @description What it is sold for; null without a price */
                    credits: number | null;
                    /** @description What the vendor charges by the catalogue; null: unknown */
                    costUsd: number | null;
                    /** @description 0 to 1 of what its credits bring at CREDIT_USD, below 0 for a loss; null: unknown */
                    margin: number | null;
                    /** @description As margin, of what the credits of each product bring that is sold in USD; the cheapest first */
                    margins: {
                        product: string;
                        name: string;
                        margin: number;
                    }[];
                } | null;
            }[];
        };
        /**
         * @example {
         *       "account": "openrouter",
         *       "kind": "new",
         *       "name": "acme/dream-3",
         *       "model": "dream-3",
         *       "text": "openrouter has acme/dream-3",
         *       "foundAt": "2026-01-15T03:00:09.000Z",
         *       "draft": "{ \"id\": \"dream-3\" }",
         *       "digest": "d41d8cd98f00b204e9800998ecf8427e",
         *       "problems": [],
         *       "needsPrice": false
         *     }
         */
        CatalogueFinding: {
            account: string;
            /**
             * @description new: no route names it; gone: the vendor lists it no more; repriced; values: it takes other ones
             * @enum {unknown}
             */
            kind: "new" | "gone" | "repriced" | "values";
            /** @description The vendor’s name of the model */
            name: string;
            /** @description Its id here, also of one that is not there yet */
            model: string;
            /** @description What differs */
            text: string;
            /**
             * Format: date-time
             * @description When it was found first
             */
            foundAt: string;
            /** @description The text of the model’s changed file; null: none can be made */
            draft: string | null;
            /** @description Of the draft; taking it names it */
            digest: string | null;
            /** @description What the check says of the draft; none: it can be taken */
            problems: string[];
            /** @description Taking it needs usdPerSecond or creditsPerSecond */
            needsPrice: boolean;
        };
        /**
         * @example {
         *       "file": "templates.json",
         *       "of": "release",
         *       "text": "{ \"templates\": [] }",
         *       "versions": []
         *     }
         */
        CatalogueFile: {
            /** @description plans.json, templates.json or models/<id>.json; catalogue/README.md has the fields of each */
            file: string;
            /** @description release; taken: an administrator wrote it, or took it as a draft; own: of CATALOGUE_DIR, which wins over both; null: there is no such file */
            of: ("release" | "taken" | "own") | null;
            /** @description As it is in force; empty: there is none */
            text: string;
            /** @description Those of administrators, the newest first */
            versions: {
                /** @description Of this file, counted from 1 */
                version: number;
                reason: string;
                /** @description Of the administrator; null for a deleted account */
                actorEmail: string | null;
                /**
                 * Format: date-time
                 * @description Since when it is in force
                 */
                createdAt: string;
            }[];
        };
        /**
         * @example {
         *       "id": "01939b1e-6666-7aaa-8bbb-000000000001",
         *       "email": "ann@example.com",
         *       "credits": 200,
         *       "replacesGift": true,
         *       "expiresAt": "2026-01-22T09:30:00.000Z",
         *       "state": "open",
         *       "actorId": "01939b1e-1111-7aaa-8bbb-000000000002",
         *       "createdAt": "2026-01-15T09:30:00.000Z",
         *       "usedAt": null,
         *       "usedBy": null
         *     }
         */
        AdminInvitation: {
            /** Format: uuid */
            id: string;
            /** @description The one address that may sign up with it; null: any */
            email: string | null;
            /** @description Its gift; 0: none */
            credits: number;
            /** @description Whether the new-user gift is left out */
            replacesGift: boolean;
            /**
             * Format: date-time
             * @description Until when it can be used
             */
            expiresAt: string;
            /** @enum {unknown} */
            state: "open" | "used" | "revoked" | "expired";
            /** @description Who made it; the nil UUID for an operator at a terminal */
            actorId: string;
            /**
             * Format: date-time
             * @description When it was made
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When an account was made with it
             */
            usedAt: string | null;
            /** @description The id of that user; null after the deletion of the account */
            usedBy: string | null;
        };
        /**
         * @example {
         *       "id": "01939b1e-6666-7aaa-8bbb-000000000011",
         *       "code": "SPRING-2026",
         *       "credits": 200,
         *       "creditDays": 365,
         *       "usesMax": 50,
         *       "newCustomers": true,
         *       "networkMax": 5,
         *       "note": "Newsletter of spring",
         *       "uses": 12,
         *       "state": "open",
         *       "actorId": "01939b1e-1111-7aaa-8bbb-000000000002",
         *       "createdAt": "2026-01-15T09:30:00.000Z",
         *       "expiresAt": "2026-02-14T09:30:00.000Z"
         *     }
         */
        AdminCode: {
            /** Format: uuid */
            id: string;
            /** @description Capitals, hyphens and spaces do not count when it is redeemed */
            code: string;
            /** @description What each user gets */
            credits: number;
            /** @description How long these credits last */
            creditDays: number;
            /** @description How many users may redeem it */
            usesMax: number;
            /** @description How many have */
            uses: number;
            /** @description Whether only those may who have paid nothing yet */
            newCustomers: boolean;
            /** @description How many users of one network (IPv4 /24, IPv6 /64) may; null: any number */
            networkMax: number | null;
            /** @description For administrators */
            note: string | null;
            /**
             * @description ended: by an administrator
             * @enum {unknown}
             */
            state: "open" | "used_up" | "ended" | "expired";
            /** @description Who made it; the nil UUID for an operator at a terminal */
            actorId: string;
            /**
             * Format: date-time
             * @description When it was made
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Until when it can be redeemed
             */
            expiresAt: string;
        };
        /**
         * @example {
         *       "enabled": true,
         *       "fail": "closed",
         *       "days": [
         *         {
         *           "day": "2026-01-15",
         *           "allowed": 1204,
         *           "refused": 7,
         *           "failed": 0,
         *           "categories": [
         *             {
         *               "category": "violence",
         *               "requests": 7
         *             }
         *           ]
         *         }
         *       ]
         *     }
         */
        ModerationCounts: {
            /** @description Whether MODERATION_URL is set */
            enabled: boolean;
            /**
             * @description What becomes of a request without a verdict: closed: 503; open: its film is made
             * @enum {unknown}
             */
            fail: "closed" | "open";
            /** @description The days with requests, the newest first */
            days: {
                /** @description In UTC */
                day: string;
                allowed: number;
                refused: number;
                /** @description Requests without a verdict in time, or with an answer that is not as documented */
                failed: number;
                /** @description Of the refused requests, the most frequent first; a request may have several */
                categories: {
                    category: string;
                    requests: number;
                }[];
            }[];
        };
        /**
         * @description Of the mails to you (BCP 47)
         * @enum {unknown}
         */
        Language: "en" | "zh-Hans";
        /**
         * @example {
         *       "id": "01939b1e-1111-7aaa-8bbb-000000000001",
         *       "name": "Ann",
         *       "email": "ann@example.com",
         *       "emailVerified": false,
         *       "image": null,
         *       "language": null,
         *       "role": "user",
         *       "twoFactorEnabled": false,
         *       "banned": false,
         *       "banReason": null,
         *       "banExpires": null,
         *       "createdAt": "2026-01-15T09:30:00.000Z",
         *       "updatedAt": "2026-01-15T09:30:00.000Z"
         *     }
         */
        User: {
            /** Format: uuid */
            id: string;
            name: string;
            /** Format: email */
            email: string;
            emailVerified: boolean;
            /** @description Not used by this service */
            image: string | null;
            /** @description Of mails (BCP 47); null: not known, so English */
            language: components["schemas"]["Language"] | null;
            /** @description user or admin */
            role: string | null;
            /** @description Whether a sign-in needs a second factor */
            twoFactorEnabled: boolean | null;
            banned: boolean | null;
            /** @description Why an administrator locked the account */
            banReason: string | null;
            /**
             * Format: date-time
             * @description When the lock ends; null: when an administrator removes it
             */
            banExpires: string | null;
            /**
             * Format: date-time
             * @description When the user signed up
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed
             */
            updatedAt: string;
        };
        SignedIn: {
            /** @example oS1GaTdHdvq0kQ9r0bFf3cVn2eXyZ5wL */
            token: string;
            user: components["schemas"]["User"];
        };
        /**
         * @description For programs
         * @enum {unknown}
         */
        SignInCode: "INVALID_EMAIL_OR_PASSWORD" | "INVALID_EMAIL" | "INVALID_PASSWORD" | "PASSWORD_TOO_SHORT" | "PASSWORD_TOO_LONG" | "PASSWORD_TOO_COMMON" | "PASSWORD_IS_EMAIL" | "NOT_IMPERSONATING" | "LAST_ADMINISTRATOR" | "YOU_CANNOT_IMPERSONATE_ADMINS" | "YOU_CANNOT_BAN_YOURSELF" | "YOU_ARE_NOT_ALLOWED_TO_BAN_USERS" | "YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE" | "YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS" | "USER_NOT_FOUND" | "NO_FIELDS_TO_UPDATE" | "USER_ALREADY_EXISTS" | "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL" | "INVALID_TOKEN" | "TOKEN_EXPIRED" | "INVALID_USER" | "EMAIL_MISMATCH" | "EMAIL_ALREADY_VERIFIED" | "BANNED_USER" | "MISSING_OR_NULL_ORIGIN" | "INVALID_NAME" | "TOO_MANY_KEYS" | "KEY_NOT_FOUND" | "INVALID_PASSKEY_NAME" | "NAME_REQUIRED" | "INVALID_NAME_LENGTH" | "EXPIRES_IN_IS_TOO_SMALL" | "EXPIRES_IN_IS_TOO_LARGE" | "SERVER_ONLY_PROPERTY" | "PROVIDER_NOT_FOUND" | "INVALID_CALLBACK_URL" | "FAILED_TO_UNLINK_LAST_ACCOUNT" | "ACCOUNT_NOT_FOUND" | "SECOND_FACTOR_REQUIRED" | "USER_NOT_VERIFIED" | "INVALID_CODE" | "INVALID_BACKUP_CODE" | "INVALID_TWO_FACTOR_COOKIE" | "TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE" | "ACCOUNT_TEMPORARILY_LOCKED" | "TOTP_ALREADY_ENABLED" | "TOTP_NOT_ENABLED" | "TWO_FACTOR_NOT_ENABLED" | "CHALLENGE_NOT_FOUND" | "PASSKEY_NOT_FOUND" | "AUTHENTICATION_FAILED" | "FAILED_TO_VERIFY_REGISTRATION" | "SIGN_UP_CLOSED" | "INVITATION_NEEDED" | "MISSING_RESPONSE" | "VERIFICATION_FAILED" | "INVALID_ORIGIN" | "INVALID_REQUEST" | "UNSUPPORTED_MODEL" | "MODEL_UNAVAILABLE" | "DURATION_OUT_OF_RANGE" | "UNSUPPORTED_QUALITY" | "UNSUPPORTED_ASPECT_RATIO" | "UNSUPPORTED_MODE" | "CONTENT_REFUSED" | "UNAUTHENTICATED" | "INSUFFICIENT_CREDITS" | "KEY_BUDGET_EXCEEDED" | "FORBIDDEN" | "CONSENT_REQUIRED" | "INSUFFICIENT_SCOPE" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "PRECONDITION_FAILED" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_KEY_REUSED" | "RATE_LIMITED" | "TOO_MANY_IN_PROGRESS" | "INTERNAL" | "UNAVAILABLE";
        SignInError: {
            /** @constant */
            success: false;
            data: Record<string, never>;
            error: {
                code: components["schemas"]["SignInCode"];
                /** @description What went wrong and what to do, for people */
                message: string;
                /** @description Of the codes of the API, as everywhere */
                details?: unknown;
                /** @description The same as the header X-Request-Id */
                requestId: string;
            };
            code: components["schemas"]["SignInCode"];
            /** @description What went wrong and what to do, for people */
            message: string;
        };
        /**
         * @example {
         *       "success": true
         *     }
         */
        Success: {
            success: boolean;
        };
        /**
         * @example {
         *       "id": "01939b1e-2222-7000-8000-000000000001",
         *       "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
         *       "token": "sha256:9kqfxhVU4o3GDJ3yYx0y8cVqLq5oY0hE4C1n3m1xj7k",
         *       "ipAddress": "203.0.113.7",
         *       "userAgent": "Mozilla/5.0",
         *       "impersonatedBy": null,
         *       "impersonationReason": null,
         *       "createdAt": "2026-01-15T09:30:00.000Z",
         *       "updatedAt": "2026-01-15T09:30:00.000Z",
         *       "expiresAt": "2026-02-14T09:30:00.000Z"
         *     }
         */
        Session: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            userId: string;
            /** @description Identifies the session to revoke-session. A hash, so no credential; only impersonate-user returns the token itself */
            token: string;
            /** @description IP address of the sign-in */
            ipAddress: string | null;
            /** @description Browser or program of the sign-in */
            userAgent: string | null;
            /** @description Id of the administrator who impersonates the user in this session */
            impersonatedBy: string | null;
            /** @description Why the administrator may change something; null: the session reads only */
            impersonationReason: string | null;
            /**
             * Format: date-time
             * @description When the user signed in
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was last used or extended
             */
            updatedAt: string;
            /**
             * Format: date-time
             * @description When it expires
             */
            expiresAt: string;
        };
        /**
         * @example {
         *       "status": true
         *     }
         */
        Status: {
            status: boolean;
        };
        /**
         * @example {
         *       "id": "01939b1e-3333-7000-8000-000000000001",
         *       "name": "server",
         *       "start": "kin_FWSvPk",
         *       "enabled": true,
         *       "test": false,
         *       "scopes": [
         *         "read",
         *         "generate"
         *       ],
         *       "budget": {
         *         "credits": 500,
         *         "period": "month",
         *         "used": 0,
         *         "resetAt": "2026-02-01T00:00:00.000Z"
         *       },
         *       "used": {
         *         "day": 0,
         *         "week": 0,
         *         "month": 0
         *       },
         *       "lastRequest": null,
         *       "expiresAt": null,
         *       "createdAt": "2026-01-15T09:30:00.000Z",
         *       "key": "kin_FWSvPktLTZzGuUzqKiGUhWupTqwbfCwsAeTG"
         *     }
         */
        CreatedApiKey: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description The first characters, to distinguish keys */
            start: string;
            enabled: boolean;
            /** @description Whether it is a test key: its films cost nothing, are not real, and go after a day */
            test: boolean;
            /** @description read: reads films, models, events and credits; generate: makes, cancels, deletes and shares films; account: all the rest */
            scopes: components["schemas"]["Scope"][];
            /** @description What it may spend in a period; null: as much as the account has */
            budget: components["schemas"]["KeyBudgetState"] | null;
            used: components["schemas"]["KeyUse"];
            /**
             * Format: date-time
             * @description When it was last used, to the minute
             */
            lastRequest: string | null;
            /**
             * Format: date-time
             * @description When it expires; null: never
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When it was created
             */
            createdAt: string;
            /** @description Send it as x-api-key */
            key: string;
        };
        /**
         * @example {
         *       "id": "01939b1e-3333-7000-8000-000000000001",
         *       "name": "server",
         *       "start": "kin_FWSvPk",
         *       "enabled": true,
         *       "test": false,
         *       "scopes": [
         *         "read",
         *         "generate"
         *       ],
         *       "budget": {
         *         "credits": 500,
         *         "period": "month",
         *         "used": 0,
         *         "resetAt": "2026-02-01T00:00:00.000Z"
         *       },
         *       "used": {
         *         "day": 0,
         *         "week": 0,
         *         "month": 0
         *       },
         *       "lastRequest": null,
         *       "expiresAt": null,
         *       "createdAt": "2026-01-15T09:30:00.000Z"
         *     }
         */
        ApiKey: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description The first characters, to distinguish keys */
            start: string;
            enabled: boolean;
            /** @description Whether it is a test key: its films cost nothing, are not real, and go after a day */
            test: boolean;
            /** @description read: reads films, models, events and credits; generate: makes, cancels, deletes and shares films; account: all the rest */
            scopes: components["schemas"]["Scope"][];
            /** @description What it may spend in a period; null: as much as the account has */
            budget: components["schemas"]["KeyBudgetState"] | null;
            used: components["schemas"]["KeyUse"];
            /**
             * Format: date-time
             * @description When it was last used, to the minute
             */
            lastRequest: string | null;
            /**
             * Format: date-time
             * @description When it expires; null: never
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When it was created
             */
            createdAt: string;
        };
        /**
         * @example {
         *       "url": "https://accounts.google.com/o/oauth2/v2/auth?response_type=code&state=x",
         *       "redirect": true
         *     }
         */
        ProviderRedirect: {
            /** Format: uri */
            url: string;
            redirect: boolean;
        };
        /**
         * @example {
         *       "id": "01939b1e-4444-7000-8000-000000000001",
         *       "providerId": "google",
         *       "createdAt": "2026-01-15T09:30:00.000Z"
         *     }
         */
        LinkedAccount: {
            /** Format: uuid */
            id: string;
            /** @description credential: the password */
            providerId: string;
            /**
             * Format: date-time
             * @description When it was added
             */
            createdAt: string;
        };
        /**
         * @example {
         *       "id": "01939b1e-5555-7000-8000-000000000001",
         *       "name": "Laptop",
         *       "createdAt": "2026-01-15T09:30:00.000Z"
         *     }
         */
        Passkey: {
            /** Format: uuid */
            id: string;
            /** @description The user’s name for it */
            name: string | null;
            /**
             * Format: date-time
             * @description When it was added
             */
            createdAt: string;
        };
    };
    responses: {
        /** @description 500 INTERNAL, 503 UNAVAILABLE */
        ServerError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "INTERNAL" | "UNAVAILABLE";
                    };
                };
            };
        };
        /** @description 400 INVALID_REQUEST, 401 UNAUTHENTICATED, 403 FORBIDDEN, 403 INSUFFICIENT_SCOPE, 404 NOT_FOUND, 429 RATE_LIMITED */
        UserReadError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "INVALID_REQUEST" | "UNAUTHENTICATED" | "FORBIDDEN" | "INSUFFICIENT_SCOPE" | "NOT_FOUND" | "RATE_LIMITED";
                    };
                };
            };
        };
        /** @description 400 INVALID_REQUEST, 401 UNAUTHENTICATED, 403 FORBIDDEN, 403 INSUFFICIENT_SCOPE, 404 NOT_FOUND, 413 PAYLOAD_TOO_LARGE, 415 UNSUPPORTED_MEDIA_TYPE, 429 RATE_LIMITED */
        UserChangeError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "INVALID_REQUEST" | "UNAUTHENTICATED" | "FORBIDDEN" | "INSUFFICIENT_SCOPE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED";
                    };
                };
            };
        };
        /** @description 400 INVALID_REQUEST, 401 UNAUTHENTICATED, 403 FORBIDDEN, 403 INSUFFICIENT_SCOPE, 404 NOT_FOUND, 409 CONFLICT, 413 PAYLOAD_TOO_LARGE, 415 UNSUPPORTED_MEDIA_TYPE, 429 RATE_LIMITED */
        UserChangeConflictError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "INVALID_REQUEST" | "UNAUTHENTICATED" | "FORBIDDEN" | "INSUFFICIENT_SCOPE" | "NOT_FOUND" | "CONFLICT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED";
                    };
                };
            };
        };
        /** @description 400 INVALID_REQUEST, 401 UNAUTHENTICATED, 403 FORBIDDEN, 403 INSUFFICIENT_SCOPE, 404 NOT_FOUND, 409 CONFLICT, 413 PAYLOAD_TOO_LARGE, 415 UNSUPPORTED_MEDIA_TYPE, 422 IDEMPOTENCY_KEY_REUSED, 429 RATE_LIMITED */
        UserChangeConflictIdempotencyKeyReusedError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "INVALID_REQUEST" | "UNAUTHENTICATED" | "FORBIDDEN" | "INSUFFICIENT_SCOPE" | "NOT_FOUND" | "CONFLICT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_KEY_REUSED" | "RATE_LIMITED";
                    };
                };
            };
        };
        /** @description 400 INVALID_REQUEST, 401 UNAUTHENTICATED, 403 FORBIDDEN, 403 INSUFFICIENT_SCOPE, 404 NOT_FOUND, 429 RATE_LIMITED, 503 UNAVAILABLE */
        UserReadUnavailableError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "INVALID_REQUEST" | "UNAUTHENTICATED" | "FORBIDDEN" | "INSUFFICIENT_SCOPE" | "NOT_FOUND" | "RATE_LIMITED" | "UNAVAILABLE";
                    };
                };
            };
        };
        /** @description The code says what was wrong */
        AuthRefusal: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SignInError"];
            };
        };
    };
    parameters: {
        /** @description Up to 255 characters of your choice. A repeated request with the same key and body returns what the first one made, with the header Idempotent-Replayed, and does nothing twice, for at least 24 hours; the same key with another body is 422. */
        IdempotencyKey: string;
        /** @description From 1 */
        Page: number;
        PageSize: number;
        /** @description nextCursor of the previous page; equally fast at any depth. page is ignored */
        CursorOrPage: string;
        /** @description The uuid that generate returned */
        VideoUuid: string;
        /** @description nextCursor of the previous page */
        Cursor: string;
        /** @description Why the credits moved. SYSTEM_ADJUST: by an administrator, for a redemption code, or between a user and a team (`source` begins with transfer:) */
        TransType: "NEW_USER" | "ORDER_PAY" | "SUBSCRIPTION" | "VIDEO_CONSUME" | "REFUND" | "EXPIRED" | "SYSTEM_ADJUST";
        /** @description First day, in the operator’s time zone; default: 29 days before the last */
        FirstReportDay: string;
        /** @description Last day; default: today. At most 366 days */
        LastReportDay: string;
    };
    requestBodies: never;
    headers: {
        /** @description That of the request, or a new one; name it when you ask for help */
        "X-Request-Id": string;
        /** @description The limit that counted: q requests in w seconds (draft-ietf-httpapi-ratelimit-headers) */
        "RateLimit-Policy": string;
        /** @description What is left of it: r requests, for t seconds */
        RateLimit: string;
        /** @description The same q */
        "X-RateLimit-Limit": number;
        /** @description The same r */
        "X-RateLimit-Remaining": number;
        /** @description The same t, in seconds */
        "X-RateLimit-Reset": number;
        /** @description Seconds after which the request may succeed */
        "Retry-After": number;
        /** @description true: the response is that of an earlier request with this Idempotency-Key */
        "Idempotent-Replayed": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getLedgerChecks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            /** @description The check in progress, with what it has found so far */
                            running: components["schemas"]["LedgerCheck"] | null;
                            /** @description The last check that has ended */
                            last: components["schemas"]["LedgerCheck"] | null;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    checkLedger: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["LedgerCheck"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listCosts: {
        parameters: {
            query?: {
                /** @description First day, in the operator’s time zone; default: 29 days before the last */
                from?: components["parameters"]["FirstReportDay"];
                /** @description Last day; default: today. At most 366 days */
                to?: components["parameters"]["LastReportDay"];
                /** @description One or more of day, model, account, route, user, with commas between them; a route is a model at an account */
                groupBy?: string;
                /** @description Of the films of this account at an AI provider */
                account?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            /**
                             * Format: date
                             * @example 2026-01-01
                             */
                            from: string;
                            /**
                             * Format: date
                             * @example 2026-01-31
                             */
                            to: string;
                            total: components["schemas"]["Costs"];
                            rows: components["schemas"]["Costs"][];
                            /**
                             * @description false: there are more rows
                             * @example true
                             */
                            isComplete: boolean;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    downloadCosts: {
        parameters: {
            query?: {
                /** @description First day, in the operator’s time zone; default: 29 days before the last */
                from?: components["parameters"]["FirstReportDay"];
                /** @description Last day; default: today. At most 366 days */
                to?: components["parameters"]["LastReportDay"];
                /** @description One or more of day, model, account, route, user, with commas between them; a route is a model at an account */
                groupBy?: string;
                /** @description Of the films of this account at an AI provider */
                account?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description CSV */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listAccountCosts: {
        parameters: {
            query?: {
                /** @description First day, in the operator’s time zone; default: 29 days before the last */
                from?: components["parameters"]["FirstReportDay"];
                /** @description Last day; default: today. At most 366 days */
                to?: components["parameters"]["LastReportDay"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            accounts: {
                                account: string;
                                /** @description When the vendor says what a film costs: submit or poll; null: never */
                                says: string | null;
                                /** @description What is left on the account, asked once an hour; null: the vendor has no call that tells */
                                balance: {
                                    /** @description What was told last; null: never */
                                    amount: number | null;
                                    /** @description `USD` or the vendor’s own unit */
                                    unit: string | null;
                                    /** @description What it is worth; null: unknown */
                                    usd: number | null;
                                    /**
                                     * Format: date-time
                                     * @description When that was
                                     */
                                    toldAt: string | null;
                                    /** @description Why the vendor did not tell when it was asked last; null: it did, or was not asked yet */
                                    problem: string | null;
                                    /** @description By how much it fell within a day */
                                    spentLastDay: number;
                                    /** @description How long it lasts at that rate; null while nothing is spent */
                                    secondsLeft: number | null;
                                } | null;
                                /** @description On which the balance was read and the cost of every film is known */
                                days: number;
                                /** @description By how much the balance fell on these days; null: it is not known in USD */
                                fellUsd: number | null;
                                /** @description What the films that ended on these days have cost */
                                costUsd: number | null;
                                /** @description Those on which both differ by more than a tenth of the cost, the largest differences first */
                                differing: {
                                    day: string;
                                    fellUsd: number;
                                    costUsd: number;
                                }[];
                            }[];
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getBooks: {
        parameters: {
            query?: {
                /** @description First day, in the operator’s time zone; default: 29 days before the last */
                from?: components["parameters"]["FirstReportDay"];
                /** @description Last day; default: today. At most 366 days */
                to?: components["parameters"]["LastReportDay"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["Books"];
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    downloadMovements: {
        parameters: {
            query?: {
                /** @description First day, in the operator’s time zone; default: 29 days before the last */
                from?: components["parameters"]["FirstReportDay"];
                /** @description Last day; default: today. At most 366 days */
                to?: components["parameters"]["LastReportDay"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description CSV */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            "4XX": components["responses"]["UserReadUnavailableError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    takeCredits: {
        parameters: {
            query?: never;
            header?: {
                /** @description Up to 255 characters of your choice. A repeated request with the same key and body returns what the first one made, with the header Idempotent-Replayed, and does nothing twice, for at least 24 hours; the same key with another body is 422. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The user whose credits they are */
                    userId: string;
                    /** @description Shown in the user’s history and in the audit log */
                    reason: string;
                    /**
                     * @description true: only return what would happen
                     * @default false
                     */
                    dryRun?: boolean | null;
                    credits: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["TakenCredits"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictIdempotencyKeyReusedError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    collectOwed: {
        parameters: {
            query?: never;
            header?: {
                /** @description Up to 255 characters of your choice. A repeated request with the same key and body returns what the first one made, with the header Idempotent-Replayed, and does nothing twice, for at least 24 hours; the same key with another body is 422. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The user whose credits they are */
                    userId: string;
                    /** @description Shown in the user’s history and in the audit log */
                    reason: string;
                    /**
                     * @description true: only return what would happen
                     * @default false
                     */
                    dryRun?: boolean | null;
                    credits: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["OwedSettlement"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictIdempotencyKeyReusedError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    forgiveOwed: {
        parameters: {
            query?: never;
            header?: {
                /** @description Up to 255 characters of your choice. A repeated request with the same key and body returns what the first one made, with the header Idempotent-Replayed, and does nothing twice, for at least 24 hours; the same key with another body is 422. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The user whose credits they are */
                    userId: string;
                    /** @description Shown in the user’s history and in the audit log */
                    reason: string;
                    /**
                     * @description true: only return what would happen
                     * @default false
                     */
                    dryRun?: boolean | null;
                    credits: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["OwedSettlement"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictIdempotencyKeyReusedError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    reverseExpiry: {
        parameters: {
            query?: never;
            header?: {
                /** @description Up to 255 characters of your choice. A repeated request with the same key and body returns what the first one made, with the header Idempotent-Replayed, and does nothing twice, for at least 24 hours; the same key with another body is 422. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The user whose credits they are */
                    userId: string;
                    /** @description Shown in the user’s history and in the audit log */
                    reason: string;
                    /**
                     * @description true: only return what would happen
                     * @default false
                     */
                    dryRun?: boolean | null;
                    /** @description The package whose credits have expired */
                    packageId: string;
                    /** @description Days from now until they expire again; without it they keep the expiry of their package */
                    expiryDays?: number | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            userId: string;
                            packageId: string;
                            /** @description Credits that are available again */
                            credits: number;
                            /**
                             * Format: date-time
                             * @description When they expire
                             */
                            expiryDate: string;
                            /** @description Whether nothing was changed */
                            dryRun: boolean;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictIdempotencyKeyReusedError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /** @description Entries that concern this user */
                userId?: string;
                /** @description Entries of this administrator */
                actorId?: string;
                /** @description Entries of this action */
                action?: string;
                pageSize?: components["parameters"]["PageSize"];
                /** @description nextCursor of the previous page */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            entries: components["schemas"]["AuditEntry"][];
                            /**
                             * @description Number of all rows that match
                             * @example 1
                             */
                            total: number;
                            /** @example 20 */
                            pageSize: number;
                            /**
                             * @description Cursor of the next page; null on the last
                             * @example null
                             */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description A part of the e-mail address or the name, or a whole user id. Of more than 2,000 users, total counts 200 at most. */
                q?: string;
                /** @description true: only users who owe credits; not with q or a period */
                owes?: boolean;
                /** @description Only users with this tag; not with q, owes or a period */
                tag?: string;
                /** @description Those who signed up from this day on, in UTC; not with q */
                from?: string;
                /** @description Last day; default: today. At most 366 days */
                to?: string;
                pageSize?: components["parameters"]["PageSize"];
                /** @description nextCursor of the previous page */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            users: components["schemas"]["ListedUser"][];
                            /**
                             * @description Number of all rows that match
                             * @example 1
                             */
                            total: number;
                            /** @example 20 */
                            pageSize: number;
                            /**
                             * @description Cursor of the next page; null on the last
                             * @example null
                             */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["UserDetail"];
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why; kept in the audit log */
                    reason: string;
                    /** @description The credits that you know to be owed. 409 names them (`details.owed`) where they are more */
                    owed?: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["DeletedAccount"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listUserTransactions: {
        parameters: {
            query?: {
                /** @description From 1 */
                page?: components["parameters"]["Page"];
                pageSize?: components["parameters"]["PageSize"];
                /** @description nextCursor of the previous page; equally fast at any depth. page is ignored */
                cursor?: components["parameters"]["CursorOrPage"];
                /** @description Why the credits moved. SYSTEM_ADJUST: by an administrator, for a redemption code, or between a user and a team (`source` begins with transfer:) */
                transType?: components["parameters"]["TransType"];
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["CreditHistory"];
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listUserPayments: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            subscriptions: components["schemas"]["Subscription"][];
                            payments: components["schemas"]["UserPayment"][];
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    resendVerification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            userId: string;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listTeamsAsAdmin: {
        parameters: {
            query?: {
                /** @description A part of its name, or of the e-mail address or name of a member, which finds 100 users at most, or a whole id */
                q?: string;
                /** @description true: only teams that owe credits */
                owes?: boolean;
                /** @description Only teams with this tag */
                tag?: string;
                pageSize?: components["parameters"]["PageSize"];
                /** @description nextCursor of the previous page */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            teams: components["schemas"]["ListedTeam"][];
                            /**
                             * @description Number of all rows that match
                             * @example 1
                             */
                            total: number;
                            /** @example 20 */
                            pageSize: number;
                            /**
                             * @description Cursor of the next page; null on the last
                             * @example null
                             */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getTeamAsAdmin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["AdminTeam"];
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteTeamAsAdmin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why; kept in the audit log */
                    reason: string;
                    /** @description The credits that you know to be owed. 409 names them (`details.owed`) where they are more */
                    owed?: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listTeamMembersAsAdmin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            members: components["schemas"]["TeamMember"][];
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    lockTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why; kept in the audit log */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["AdminTeam"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    unlockTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why; kept in the audit log */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["AdminTeam"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    makeTeamOwner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                /** @description The user id of the member */
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why; kept in the audit log */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            userId: string;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getDesk: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Of a user or a team */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["Desk"];
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listTags: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            tags: {
                                tag: string;
                                /** @description Users and teams */
                                owners: number;
                            }[];
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    revokeKeyOfOwner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Of a user or a team */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why; kept in the audit log */
                    reason: string;
                    /** Format: uuid */
                    keyId: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["Desk"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    changeAddressOfUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Of a user or a team */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why; kept in the audit log */
                    reason: string;
                    /** Format: email */
                    email: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["Desk"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    setPasswordOfUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Of a user or a team */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why; kept in the audit log */
                    reason: string;
                    /** @description None of the most used passwords, and not the e-mail address */
                    password?: string | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["Desk"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    endSessionsOfUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Of a user or a team */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why; kept in the audit log */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["Desk"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    removeFactorOfUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Of a user or a team */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why; kept in the audit log */
                    reason: string;
                    /**
                     * @description true: the passkeys too
                     * @default false
                     */
                    passkeys?: boolean | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["Desk"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    setLimitsOfOwner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Of a user or a team */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why; kept in the audit log */
                    reason: string;
                    /** @description Videos in progress at a time; null: MAX_IN_PROGRESS */
                    inProgress: number | null;
                    /** @description Requests of one person a minute, of which generate and uploads have no more; null: 600 */
                    requestsPerMinute: number | null;
                    /** @description null: as many as it has */
                    budget: components["schemas"]["KeyBudget"] | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["Desk"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    setTagsOfOwner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Of a user or a team */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why; kept in the audit log */
                    reason: string;
                    tags: string[];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["Desk"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    addNoteToOwner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Of a user or a team */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why; kept in the audit log */
                    reason: string;
                    text: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["Desk"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteNoteOfOwner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Of a user or a team */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why; kept in the audit log */
                    reason: string;
                    /** Format: uuid */
                    noteId: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["Desk"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    restoreVideo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why; kept in the audit log */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            uuid: string;
                            userId: string;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listUnfinishedVideos: {
        parameters: {
            query?: {
                /** @description overdue: due for more than a minute, and no worker has claimed it */
                state?: "in-progress" | "overdue";
                userId?: string;
                provider?: string;
                pageSize?: components["parameters"]["PageSize"];
                /** @description nextCursor of the previous page */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            videos: components["schemas"]["UnfinishedVideo"][];
                            /**
                             * @description Number of all rows that match
                             * @example 1
                             */
                            total: number;
                            /**
                             * @description Of all users and providers
                             * @example {
                             *       "inProgress": 1,
                             *       "overdue": 0
                             *     }
                             */
                            counts: {
                                inProgress: number;
                                overdue: number;
                            };
                            /** @example 20 */
                            pageSize: number;
                            /**
                             * @description Cursor of the next page; null on the last
                             * @example null
                             */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listEndedVideos: {
        parameters: {
            query?: {
                /** @description A part of the error’s text, or a whole error code or provider’s task id */
                q?: string;
                userId?: string;
                model?: string;
                account?: string;
                outcome?: "completed" | "failed" | "cancelled";
                pageSize?: components["parameters"]["PageSize"];
                /** @description nextCursor of the previous page */
                cursor?: components["parameters"]["Cursor"];
                /** @description First day, in the operator’s time zone; default: 29 days before the last */
                from?: components["parameters"]["FirstReportDay"];
                /** @description Last day; default: today. At most 366 days */
                to?: components["parameters"]["LastReportDay"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            videos: components["schemas"]["EndedVideo"][];
                            /** @example 20 */
                            pageSize: number;
                            /**
                             * @description Cursor of the next page; null on the last
                             * @example null
                             */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getVideoForAdministrators: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uuid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["VideoForAdministrators"];
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            providers: components["schemas"]["ProviderHealth"][];
                            /**
                             * @description 3600; less when a shorter window has enough outcomes
                             * @example 3600
                             */
                            windowSeconds: number;
                            /**
                             * Format: date-time
                             * @description The moment of the check
                             * @example 2026-01-15T09:30:00.000Z
                             */
                            checkedAt: string;
                            catalogue: {
                                /**
                                 * Format: date-time
                                 * @description When this process has last read the files of models
                                 * @example 2026-01-15T09:00:00.000Z
                                 */
                                readAt: string;
                                /**
                                 * @description The mistakes of files that were not taken: file, line and what to write; the former models stay
                                 * @example []
                                 */
                                problems: string[];
                            };
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    searchAsAdmin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Or a text that has it */
                    q: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            found: components["schemas"]["SearchResult"][];
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getOverview: {
        parameters: {
            query?: {
                /** @description First day, in the operator’s time zone; default: 29 days before the last */
                from?: components["parameters"]["FirstReportDay"];
                /** @description Last day; default: today. At most 366 days */
                to?: components["parameters"]["LastReportDay"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["Overview"];
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listPayments: {
        parameters: {
            query?: {
                /** @description A user id, a processor’s id (of an order, invoice, charge, customer or subscription), or a part of an e-mail address or of the name of a user or team, which finds 100 users and 100 teams at most */
                q?: string;
                /** @description First day, in the operator’s time zone; without both, all time */
                from?: string;
                /** @description Last day; default: today. At most 366 days */
                to?: string;
                /** @description Whether it, or a part, was refunded or disputed */
                state?: "kept" | "returned_in_part" | "returned";
                pageSize?: components["parameters"]["PageSize"];
                /** @description nextCursor of the previous page */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            payments: components["schemas"]["AdminPayment"][];
                            /** @example 20 */
                            pageSize: number;
                            /**
                             * @description Cursor of the next page; null on the last
                             * @example null
                             */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As of AdminPayment */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["PaymentDetail"];
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    refundPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Up to 255 characters of your choice. A repeated request with the same key and body returns what the first one made, with the header Idempotent-Replayed, and does nothing twice, for at least 24 hours; the same key with another body is 422. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description As of AdminPayment */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why; kept in the audit log */
                    reason: string;
                    /** @description In the currency’s smallest unit, with tax, where the processor refunds a part; default: all that is left */
                    cents?: number | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["PaymentDetail"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictIdempotencyKeyReusedError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listSubscriptions: {
        parameters: {
            query?: {
                /** @description A user id, a processor’s id (of an order, invoice, charge, customer or subscription), or a part of an e-mail address or of the name of a user or team, which finds 100 users and 100 teams at most */
                q?: string;
                /** @description First day, in the operator’s time zone; without both, all time */
                from?: string;
                /** @description Last day; default: today. At most 366 days */
                to?: string;
                /** @description As of Subscription */
                status?: "active" | "trialing" | "past_due" | "cancelled" | "expired" | "incomplete";
                pageSize?: components["parameters"]["PageSize"];
                /** @description nextCursor of the previous page */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            subscriptions: components["schemas"]["AdminSubscription"][];
                            /** @example 20 */
                            pageSize: number;
                            /**
                             * @description Cursor of the next page; null on the last
                             * @example null
                             */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listPaymentEvents: {
        parameters: {
            query?: {
                /** @description applied; ignored: it changes nothing; unmatched: its user, or the payment that it returns, is not known; waiting: the worker reads what it lacks from the processor, within minutes; failed: it cannot be applied before a fault is fixed; dismissed: an administrator decided that no credits are owed for it */
                state?: "applied" | "ignored" | "unmatched" | "waiting" | "failed" | "dismissed";
                /** @description dispute: the events that open one, each with its state of now; failure: payments that failed */
                about?: "dispute" | "failure";
                pageSize?: components["parameters"]["PageSize"];
                /** @description nextCursor of the previous page */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            events: components["schemas"]["ListedPaymentEvent"][];
                            /**
                             * @description Number of all rows that match
                             * @example 1
                             */
                            total: number;
                            /** @example 20 */
                            pageSize: number;
                            /**
                             * @description Cursor of the next page; null on the last
                             * @example null
                             */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    applyPaymentEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The user who paid, when the event does not name one */
                    userId?: string | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["PaymentEvent"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    dismissPaymentEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why; kept in the audit log */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["PaymentEvent"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listMails: {
        parameters: {
            query?: {
                /** @description Those of this user or team */
                userId?: string;
                status?: "pending" | "sent" | "failed" | "expired";
                pageSize?: components["parameters"]["PageSize"];
                /** @description nextCursor of the previous page */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            /**
                             * @description Whether messages are sent
                             * @example true
                             */
                            isMailSetUp: boolean;
                            mails: components["schemas"]["ListedMail"][];
                            /** @example 20 */
                            pageSize: number;
                            /**
                             * @description Cursor of the next page; null on the last
                             * @example null
                             */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getMail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["Mail"];
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    retryMail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why; kept in the audit log */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            id: string;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listReportedFilms: {
        parameters: {
            query?: {
                pageSize?: components["parameters"]["PageSize"];
                /** @description nextCursor of the previous page */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            films: components["schemas"]["ReportedFilm"][];
                            /** @example 20 */
                            pageSize: number;
                            /**
                             * @description Cursor of the next page; null on the last
                             * @example null
                             */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    decideOnPublishedFilm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description false: the film stays */
                    removes: boolean;
                    /** @description For the audit log; of a removal for its maker too */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            id: string;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    findFilm: {
        parameters: {
            query: {
                /** @description The link, or the uuid */
                link: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["FilmToTakeDown"];
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    readPrompt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The uuid that generate returned */
                uuid: components["parameters"]["VideoUuid"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why; kept in the audit log */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            prompt: string;
                            /** @description What it should not show */
                            negativePrompt: string | null;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    takeDownFilm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The uuid that generate returned */
                uuid: components["parameters"]["VideoUuid"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description false: its files are kept for an objection */
                    removes: boolean;
                    /**
                     * @description law: it is illegal; terms: it is against the terms of the service
                     * @enum {unknown}
                     */
                    ground: "law" | "terms";
                    /** @description Which law, or which part of the terms */
                    rule: string;
                    /**
                     * @description notice: a user or an authority reported it; own: found by the operator
                     * @enum {unknown}
                     */
                    source: "notice" | "own";
                    /**
                     * @description Whether a program found it
                     * @default false
                     */
                    isAutomated?: boolean;
                    /** @description The facts, for the maker and the audit log */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["Takedown"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    answerTakedown: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description false: it stands */
                    lifts: boolean;
                    /** @description For the maker and the audit log */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["Takedown"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listTakedowns: {
        parameters: {
            query?: {
                /** @description Only those with an objection to answer */
                open?: boolean;
                pageSize?: components["parameters"]["PageSize"];
                /** @description nextCursor of the previous page */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            takedowns: components["schemas"]["Takedown"][];
                            /** @example 20 */
                            pageSize: number;
                            /**
                             * @description Cursor of the next page; null on the last
                             * @example null
                             */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    downloadTakedowns: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description CSV */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listIncidents: {
        parameters: {
            query?: {
                pageSize?: components["parameters"]["PageSize"];
                /** @description nextCursor of the previous page */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            incidents: components["schemas"]["Incident"][];
                            /** @example 20 */
                            pageSize: number;
                            /**
                             * @description Cursor of the next page; null on the last
                             * @example null
                             */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    setIncident: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description In English, and in the errors of the API */
                    textEn: string;
                    /** @description In Chinese */
                    textZh: string;
                    /** @description Whether the pages show it; of maintenance from now on */
                    isBanner: boolean;
                    /** @description Whether it is mailed to all users who want such mails, once */
                    isMail: boolean;
                    /** @description Whether new films and uploads are refused from startsAt to endsAt, with 503 and Retry-After */
                    pauses: boolean;
                    /**
                     * Format: date-time
                     * @description From when on it counts
                     */
                    startsAt: string;
                    /**
                     * Format: date-time
                     * @description Until when
                     */
                    endsAt: string;
                    /** @description Why; kept in the audit log */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            id: string;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listAdminModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            /** @description Also those that no user sees */
                            models: components["schemas"]["AdminModel"][];
                            catalogue: {
                                /**
                                 * Format: date-time
                                 * @description When this process has last read the files of models
                                 * @example 2026-01-15T09:00:00.000Z
                                 */
                                readAt: string;
                                /**
                                 * @description The mistakes of files that were not taken: file, line and what to write; the former models stay
                                 * @example []
                                 */
                                problems: string[];
                            };
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    setSwitch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    model?: string;
                    account?: string;
                    on: boolean;
                    /** @description Why; shown beside what is off, and kept in the audit log */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            /** @description false: it was so already */
                            changed: boolean;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listCatalogueFindings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            /** @description Those with a draft first */
                            findings: components["schemas"]["CatalogueFinding"][];
                            /**
                             * @example [
                             *       {
                             *         "account": "openrouter",
                             *         "publishes": true,
                             *         "comparedAt": "2026-01-15T03:00:09.000Z",
                             *         "problem": null
                             *       }
                             *     ]
                             */
                            accounts: {
                                account: string;
                                /** @description false: the vendor publishes no list */
                                publishes: boolean;
                                /**
                                 * Format: date-time
                                 * @description null: never yet
                                 */
                                comparedAt: string | null;
                                /** @description Why the last comparison failed */
                                problem: string | null;
                            }[];
                            /**
                             * @description The version in force of each file that an administrator wrote
                             * @example []
                             */
                            taken: {
                                /** @description plans.json, templates.json or models/<id>.json; catalogue/README.md has the fields of each */
                                file: string;
                                /** @description Of this file, counted from 1 */
                                version: number;
                                reason: string;
                                /** @description Of the administrator; null for a deleted account */
                                actorEmail: string | null;
                                /**
                                 * Format: date-time
                                 * @description Since when it is in force
                                 */
                                createdAt: string;
                                /** @description A file of CATALOGUE_DIR wins */
                                isOverridden: boolean;
                            }[];
                            /**
                             * @example [
                             *       {
                             *         "file": "plans.json",
                             *         "of": "release"
                             *       }
                             *     ]
                             */
                            files: {
                                /** @description plans.json, templates.json or models/<id>.json; catalogue/README.md has the fields of each */
                                file: string;
                                /** @description release; taken: an administrator wrote it, or took it as a draft; own: of CATALOGUE_DIR, which wins over both; null: there is no such file */
                                of: ("release" | "taken" | "own") | null;
                            }[];
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    takeCatalogueDraft: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    account: string;
                    /**
                     * @description new: no route names it; gone: the vendor lists it no more; repriced; values: it takes other ones
                     * @enum {unknown}
                     */
                    kind: "new" | "gone" | "repriced" | "values";
                    /** @description The vendor’s name of the model */
                    name: string;
                    /** @description Its id here, also of one that is not there yet */
                    model: string;
                    /** @description Of the draft that was shown */
                    digest: string;
                    /** @description What a second of film costs here */
                    usdPerSecond?: number | null;
                    /** @description What it is sold for, instead of a cost */
                    creditsPerSecond?: number | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            /** @description false: it is in force already */
                            changed: boolean;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getCatalogueFile: {
        parameters: {
            query: {
                /** @description plans.json, templates.json or models/<id>.json; catalogue/README.md has the fields of each */
                file: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["CatalogueFile"];
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    putCatalogueFile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description plans.json, templates.json or models/<id>.json; catalogue/README.md has the fields of each */
                    file: string;
                    /** @description The whole file */
                    text: string;
                    /** @description That which is in force; 0: none */
                    version: number;
                    /** @description Why; kept in the audit log */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            /** @description false: it is in force already */
                            changed: boolean;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    restoreCatalogueFile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description plans.json, templates.json or models/<id>.json; catalogue/README.md has the fields of each */
                    file: string;
                    /** @description That which is in force; 0: none */
                    version: number;
                    /** @description Why; kept in the audit log */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            /** @description false: that version of it is not in force */
                            changed: boolean;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getSetup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            /** @description Whether administrators see it first: in production, until all is tested or one closes it */
                            isOpen: boolean;
                            /** @description In the sequence in which they are set up */
                            items: ("address" | "mail" | "storage" | "provider" | "processor" | "certificate" | "backup" | "factor")[];
                            /** @description The last one of each item */
                            tests: {
                                /** @enum {unknown} */
                                item: "address" | "mail" | "storage" | "provider" | "processor" | "certificate" | "backup" | "factor";
                                /**
                                 * @description good; advice: something is left to do; fault: the service does not work with it
                                 * @enum {unknown}
                                 */
                                state: "good" | "advice" | "fault";
                                /** @description Who tested it; null for a deleted account */
                                actorEmail: string | null;
                                /**
                                 * Format: date-time
                                 * @description When
                                 */
                                testedAt: string;
                            }[];
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    testSetupItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                item: "address" | "mail" | "storage" | "provider" | "processor" | "certificate" | "backup" | "factor";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            /**
                             * @description good; advice: something is left to do; fault: the service does not work with it
                             * @enum {unknown}
                             */
                            state: "good" | "advice" | "fault";
                            findings: {
                                what: string;
                                state: string;
                                /** @description What to do; empty: nothing */
                                remedy: string;
                                /** @description The service does not work with this */
                                isFault: boolean;
                            }[];
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    closeSetup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why; kept in the audit log */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            /** @constant */
                            isOpen: false;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                pageSize?: components["parameters"]["PageSize"];
                /** @description nextCursor of the previous page */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            invitations: components["schemas"]["AdminInvitation"][];
                            /** @example 20 */
                            pageSize: number;
                            /**
                             * @description Cursor of the next page; null on the last
                             * @example null
                             */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: email
                     * @description Without it, any address
                     */
                    email?: string | null;
                    /**
                     * @description Its gift, for 30 days
                     * @default 0
                     */
                    credits?: number | null;
                    /**
                     * @description true: instead of the new-user gift, not beside it
                     * @default false
                     */
                    replacesGift?: boolean | null;
                    /**
                     * @description How long it can be used
                     * @default 7
                     */
                    days?: number | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            /** Format: uuid */
                            id: string;
                            link: string;
                            /**
                             * Format: date-time
                             * @description Until when it can be used
                             */
                            expiresAt: string;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            id: string;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listCodes: {
        parameters: {
            query?: {
                pageSize?: components["parameters"]["PageSize"];
                /** @description nextCursor of the previous page */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            codes: components["schemas"]["AdminCode"][];
                            /** @example 20 */
                            pageSize: number;
                            /**
                             * @description Cursor of the next page; null on the last
                             * @example null
                             */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createCode: {
        parameters: {
            query?: never;
            header?: {
                /** @description Up to 255 characters of your choice. A repeated request with the same key and body returns what the first one made, with the header Idempotent-Replayed, and does nothing twice, for at least 24 hours; the same key with another body is 422. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description 8 to 40 letters and digits, with hyphens; without it a random one */
                    code?: string | null;
                    /** @description What each user gets */
                    credits: number;
                    /**
                     * @description How long these last
                     * @default 365
                     */
                    creditDays?: number | null;
                    /**
                     * @description How many users may redeem it
                     * @default 1
                     */
                    usesMax?: number | null;
                    /**
                     * @description Whether only those may who have paid nothing yet
                     * @default false
                     */
                    newCustomers?: boolean | null;
                    /**
                     * @description How many users of one network (IPv4 /24, IPv6 /64) may; null: any number
                     * @default null
                     */
                    networkMax?: number | null;
                    /**
                     * @description How long it can be redeemed
                     * @default 30
                     */
                    days?: number | null;
                    /** @description For administrators */
                    note?: string | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** @description Capitals, hyphens and spaces do not count when it is redeemed */
                            code: string;
                            /**
                             * Format: date-time
                             * @description Until when it can be redeemed
                             */
                            expiresAt: string;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictIdempotencyKeyReusedError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    endCode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            /** Format: uuid */
                            id: string;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getModeration: {
        parameters: {
            query?: {
                days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["ModerationCounts"];
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    signUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One line of visible characters, without direction marks and without the beginning of an address; blanks around it are removed */
                    name: string;
                    /** Format: email */
                    email: string;
                    /** @description None of the most used passwords, and not the e-mail address */
                    password: string;
                    /**
                     * Format: uri
                     * @description Link to a picture; not used by this service
                     */
                    image?: string | null;
                    language?: components["schemas"]["Language"];
                    /**
                     * @description false: a session cookie, deleted when the browser closes; the session expires after a day
                     * @default true
                     */
                    rememberMe?: boolean;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                    password: string;
                    /**
                     * @description false: a session cookie, deleted when the browser closes; the session expires after a day
                     * @default true
                     */
                    rememberMe?: boolean;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @example false */
                        redirect?: boolean;
                        /** @example oS1GaTdHdvq0kQ9r0bFf3cVn2eXyZ5wL */
                        token?: string;
                        user?: components["schemas"]["User"];
                        /**
                         * @description No session yet: verify-totp or verify-backup-code comes next, with the cookie
                         * @constant
                         */
                        twoFactorRedirect?: true;
                        twoFactorMethods?: string[];
                    };
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    getSession: {
        parameters: {
            query?: {
                disableRefresh?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        session: components["schemas"]["Session"];
                        user: components["schemas"]["User"];
                        credits: components["schemas"]["Balance"];
                    } | null;
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One line of visible characters, without direction marks and without the beginning of an address; blanks around it are removed */
                    name?: string;
                    /**
                     * Format: uri
                     * @description Link to a picture; not used by this service
                     */
                    image?: string | null;
                    language?: components["schemas"]["Language"];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    currentPassword: string;
                    /** @description None of the most used passwords, and not the e-mail address */
                    newPassword: string;
                    /** @default false */
                    revokeOtherSessions?: boolean;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Of the new session; null without revokeOtherSessions */
                        token: string | null;
                        user: components["schemas"]["User"];
                    };
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    verifyPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"][];
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    revokeSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The token that a list of sessions returned, or the one of the sign-in */
                    token: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    revokeOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    revokeSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One line of visible characters, without direction marks and without the beginning of an address; blanks around it are removed */
                    name: string;
                    /** @description Seconds; without it the key never expires */
                    expiresIn?: number;
                    /** @description What the key may do; all when left out */
                    scopes?: components["schemas"]["Scope"][];
                    budget?: components["schemas"]["KeyBudget"];
                    /** @description A test key: it begins with kin_test_, makes films of this service for nothing, and has films, assets, webhooks and limits of its own */
                    test?: boolean;
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                sortBy?: "createdAt" | "name" | "lastRequest" | "expiresAt";
                sortDirection?: "asc" | "desc";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        apiKeys: components["schemas"]["ApiKey"][];
                        /** @example 1 */
                        total: number;
                    };
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    updateApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    keyId: string;
                    /** @description One line of visible characters, without direction marks and without the beginning of an address; blanks around it are removed */
                    name?: string;
                    enabled?: boolean;
                    /** @description What the key may do; all when left out */
                    scopes?: components["schemas"]["Scope"][];
                    /** @description null: no budget */
                    budget?: components["schemas"]["KeyBudget"] | null;
                    /** @description Seconds from now; null: it never expires */
                    expiresIn?: number | null;
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    deleteApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    keyId: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    signInWithProvider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description An id of GET /api/v1/config/sign-in */
                    provider: string;
                    /** @description The path of this service to return to */
                    callbackURL: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderRedirect"];
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    linkProvider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description An id of GET /api/v1/config/sign-in */
                    provider: string;
                    /** @description The path of this service to return to */
                    callbackURL: string;
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderRedirect"];
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    listAccounts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkedAccount"][];
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    unlinkAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    accountId: string;
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    mailSignInLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    signInWithLink: {
        parameters: {
            query?: {
                token?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @example oS1GaTdHdvq0kQ9r0bFf3cVn2eXyZ5wL */
                        token?: string;
                        user?: components["schemas"]["User"];
                        /** @constant */
                        twoFactorRedirect?: true;
                    };
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    passkeyCreationOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    addPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One line of visible characters, without direction marks and without the beginning of an address; blanks around it are removed */
                    name?: string;
                    /** @description The toJSON() of the browser’s PublicKeyCredential */
                    response: {
                        id: string;
                        rawId: string;
                        /** @constant */
                        type: "public-key";
                        authenticatorAttachment?: string | null;
                        response: {
                            [key: string]: string | number | null | string[];
                        };
                        clientExtensionResults: {
                            [key: string]: unknown;
                        };
                    };
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkey"];
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    passkeyRequestOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    signInWithPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The toJSON() of the browser’s PublicKeyCredential */
                    response: {
                        id: string;
                        rawId: string;
                        /** @constant */
                        type: "public-key";
                        authenticatorAttachment?: string | null;
                        response: {
                            [key: string]: string | number | null | string[];
                        };
                        clientExtensionResults: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        session: components["schemas"]["Session"];
                        user: components["schemas"]["User"];
                    };
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    listPasskeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkey"][];
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    deletePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    id: string;
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    enableTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description otpauth://…, for the app */
                        totpURI: string;
                        /** @description Each is good for one sign-in; they are shown this once */
                        backupCodes: string[];
                    };
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    disableTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    generateRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        status: boolean;
                        /** @description Each is good for one sign-in; they are shown this once */
                        backupCodes: string[];
                    };
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    verifyTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    verifyRecoveryCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    code: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    requestPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description From the link of the message */
                    token: string;
                    /** @description None of the most used passwords, and not the e-mail address */
                    newPassword: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    sendVerificationEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    verifyEmail: {
        parameters: {
            query?: {
                token?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    changeEmail: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    newEmail: string;
                    password?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                    /** @description One line of visible characters, without direction marks and without the beginning of an address; blanks around it are removed */
                    name: string;
                    /** @description None of the most used passwords, and not the e-mail address */
                    password?: string;
                    /** @enum {unknown} */
                    role?: "user" | "admin";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user: components["schemas"]["User"];
                    };
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    updateUserAsAdmin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    userId: string;
                    data: {
                        /** @description One line of visible characters, without direction marks and without the beginning of an address; blanks around it are removed */
                        name?: string;
                        /** Format: email */
                        email?: string;
                    };
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    setRole: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    userId: string;
                    /** @enum {unknown} */
                    role: "user" | "admin";
                    /** @description Kept in the audit log */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user: components["schemas"]["User"];
                    };
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    setUserPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    userId: string;
                    /** @description None of the most used passwords, and not the e-mail address */
                    newPassword: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    banUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    userId: string;
                    /** @description Kept in the audit log */
                    banReason?: string;
                    /** @description Seconds; without it until unban-user */
                    banExpiresIn?: number;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user: components["schemas"]["User"];
                    };
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    unbanUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    userId: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user: components["schemas"]["User"];
                    };
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    listUserSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    userId: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sessions: components["schemas"]["Session"][];
                    };
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    revokeUserSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The token that a list of sessions returned, or the one of the sign-in */
                    sessionToken: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    revokeUserSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    userId: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    impersonateUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    userId: string;
                    /** @description Why you change something for the user; without it the session reads only */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        session: components["schemas"]["Session"];
                        user: components["schemas"]["User"];
                    };
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    stopImpersonating: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        session: components["schemas"]["Session"] | null;
                        user: components["schemas"]["User"] | null;
                    };
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
    hasPermission: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description For example { "user": ["ban"] } */
                    permissions: {
                        user?: string[];
                        session?: string[];
                    };
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        error: null;
                        success: boolean;
                    };
                };
            };
            "4XX": components["responses"]["AuthRefusal"];
            "5XX": components["responses"]["AuthRefusal"];
        };
    };
}
