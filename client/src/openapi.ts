/**
 * Generated from openapi.json by `npm run openapi`. Do not edit: change the routes of the service, and run it again.
 * It contains types only, so none of it is in the build.
 */

export interface paths {
    "/api/v1/video/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate a video
         * @description Freezes the price and responds at once; poll GET /api/v1/video/task, or read GET /api/v1/video/events. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`.
         */
        post: operations["generateVideo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/video/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The price of a video, without generating it
         * @description Takes the body of generate, with or without a prompt, and refuses what generate would refuse, but for what moderation decides. Nothing is generated or frozen. An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`.
         */
        post: operations["quoteVideo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/video/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your videos, newest first
         * @description With mode, favourite, folder, madeBy, subject, from or to, total counts 2,000 at most, with metadata as with q. A cursor belongs to one sort. An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`.
         */
        get: operations["listVideos"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/video/task": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Status and progress of a video
         * @description An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`.
         */
        get: operations["getTask"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/video/{uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One video in full
         * @description An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`.
         */
        get: operations["getVideo"];
        put?: never;
        post?: never;
        /**
         * Delete a video
         * @description It disappears from every list; its record and its cost stay. A generation in progress runs on. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`.
         */
        delete: operations["deleteVideo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/video/{uuid}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a video
         * @description At once until it is submitted to a provider; afterwards the provider is asked, if it can stop a task. Cancelled: the video is FAILED and its credits are back. Still GENERATING: the provider was asked and may finish it all the same. 409: it is too late, or the provider cannot stop it; the film is kept. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`.
         */
        post: operations["cancelVideo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/video/arrange": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark videos as favourites, or move them to a folder
         * @description What is left out stays as it is. 403: a maker of a team arranges own videos only. 404: you have no such folder. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`.
         */
        post: operations["arrangeVideos"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/video/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete several videos
         * @description Each as DELETE /api/v1/video/{uuid} does. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`.
         */
        post: operations["deleteVideos"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/video/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download several films
         * @description A ZIP, streamed, in which each film is named by its prompt; videos without a film are left out. 404: one of the videos is none of yours. 409: none of them has a film. An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`.
         */
        get: operations["archiveVideos"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/video/folders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your folders, by name
         * @description An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`.
         */
        get: operations["listVideoFolders"];
        put?: never;
        /**
         * Make a folder
         * @description 409: you have a folder of this name, or 200 of them, which is the most. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`.
         */
        post: operations["createVideoFolder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/video/folders/{id}": {
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
         * Delete a folder
         * @description Its videos stay, in no folder. 403: a maker of a team deletes own folders only. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`.
         */
        delete: operations["deleteVideoFolder"];
        options?: never;
        head?: never;
        /**
         * Rename a folder
         * @description 403: a maker of a team renames own folders only. 409: you have another folder of this name. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`.
         */
        patch: operations["renameVideoFolder"];
        trace?: never;
    };
    "/api/v1/video/{uuid}/share": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The public link of a film
         * @description An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`.
         */
        get: operations["getShare"];
        /**
         * Share a film by a public link
         * @description All who have the link can watch the film until it is revoked. The link of a film that is shared already stays; the other fields change. 409: the film is not completed, or no longer kept. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`.
         */
        put: operations["shareVideo"];
        post?: never;
        /**
         * Revoke the public link of a film
         * @description The link stops working at once and for ever; sharing the film again makes another one. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`.
         */
        delete: operations["revokeShare"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/share/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A shared film
         * @description Needs no credential: the token is one. 404: revoked, deleted, or no token of this service.
         */
        get: operations["getSharedVideo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/provenance/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Whether a file was made here
         * @description Needs no credential, and says nothing about the owner. A film or poster is known by its bytes, also after it was deleted; one that was changed, or is not signed yet, is not known.
         */
        post: operations["verifyProvenance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/video/{uuid}/publication": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether a film is published
         * @description An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`.
         */
        get: operations["getPublication"];
        /**
         * Publish a film on Explore
         * @description Everyone can then watch the film and read its prompt, model and settings; images that it was made from are not shown. 409: the film is not completed or no longer kept, or an administrator has removed it from Explore. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`.
         */
        put: operations["publishVideo"];
        post?: never;
        /**
         * Take a film back from Explore
         * @description It is gone from there at once. Repeating the call changes nothing. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`.
         */
        delete: operations["unpublishVideo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/explore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Published films, newest first
         * @description Needs no credential. A page may have fewer films than pageSize, also none, before the last: follow nextCursor until it is null. 404: the operator has not switched it on.
         */
        get: operations["listPublishedFilms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/explore/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A published film
         * @description Needs no credential. 404: it is not published any more.
         */
        get: operations["getPublishedFilm"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/explore/{id}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report a published film
         * @description Administrators decide on it. A second report of a user changes nothing. 429: 20 films within an hour. An API key needs the scope `account`.
         */
        post: operations["reportPublishedFilm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/video/image": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a start image
         * @description The body is the file itself: PNG, JPEG or WebP of at most 15 MB, each side 64 to 8192 pixels. It is re-encoded without metadata, upright, opaque, at most 4096 pixels wide and high. The same file again is the same image. An image that no video uses, failed ones aside, is kept for 7 days, the latest 50 of them. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`.
         */
        post: operations["uploadImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/video/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the changes of your videos
         * @description Server-Sent Events. The videos in progress are sent first, then every change:
         *
         *     - `video`: what GET /api/v1/video/task returns, with `subject`. States, not differences, delivered at least
         *       once; status and progress of a video never fall. A new video is sent in its current status, usually PENDING.
         *       One that is COMPLETED or FAILED comes with what a notice of it needs: `prompt`, `thumbnailUrl`, `madeBy` and `metadata`, as in lists,
         *       and `endedAt`.
         *     - `deleted`: `{ uuid, subject }`, when you deleted a video, here or elsewhere.
         *     - `reset`: `{}`, when the Last-Event-ID is invalid or too old to resume: read the list again. The videos in progress follow.
         *     - `mark`: `{}`, at the beginning and every 15 seconds: only a newer id to resume from.
         *
         *     A stream ends after 30 minutes at the latest; reconnect with the last id (an EventSource does so by itself) and no event
         *     is lost. At most 10 streams per user, or per subject of browser tokens, at each API process, or at all that `kinora api --processes` has started. An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`.
         */
        get: operations["streamVideoEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/config/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Models, with their limits and prices
         * @description Models, with their limits and prices.
         */
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/config/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Prompt templates of the operator
         * @description Prompt templates of the operator.
         */
        get: operations["listPromptTemplates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/config/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ways to sign in, beside e-mail address and password
         * @description Ways to sign in, beside e-mail address and password.
         */
        get: operations["listSignInOptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credit/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your balance
         * @description An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`.
         */
        get: operations["getBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credit/packages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your credit packages, and when they expire
         * @description Packages with remaining or frozen credits, in the order they are consumed: first to expire first. An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`.
         */
        get: operations["listPackages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credit/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your credit transactions, newest first
         * @description An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`.
         */
        get: operations["listTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credit/alert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Below which balance you are notified
         * @description An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`.
         */
        get: operations["getCreditAlert"];
        /**
         * Set the balance below which you are notified
         * @description Once each time that the available credits fall below it: to the webhook endpoints that want credit.low, and by mail unless you have switched that notice off. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`.
         */
        put: operations["setCreditAlert"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credit/gift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What became of your new-user gift
         * @description An API key needs the scope `account`.
         */
        get: operations["getGift"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credit/gift/seen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that you know what became of your gift
         * @description The studio shows the reason once. An API key needs the scope `account`.
         */
        post: operations["markGiftSeen"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credit/redeem": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeem a code
         * @description Grants the credits of the code, once for each person: a repetition of the user returns the same (`replayed`). They cannot be moved into a team. 404: there is no such code. 409: it has ended (`details.reason` is `code_ended`), was redeemed as often as it may be (`code_used_up`; from this network: `code_network_limit`) or by another account of your e-mail address (`code_person_used`), or is for those who have bought nothing yet (`code_not_new`). Attempts that fail are limited, of a user and of an address. An API key needs the scope `account`.
         */
        post: operations["redeemCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credit/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What films of a period have cost, by day, model, or API key and member
         * @description An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`.
         */
        get: operations["getCreditUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/credit/usage.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The same as CSV
         * @description A row names who made the films by the id alone: a name may be a formula. An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`.
         */
        get: operations["downloadCreditUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/credits/add": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a user credits
         * @description An API key needs the scope `account`.
         */
        post: operations["addCredits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
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
         * @description What is unknown is empty. Of more than 10,000 rows the last line says so, and the name of the file. An API key needs the scope `account`.
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
    "/api/v1/admin/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Films, sign-ups, credits and revenue of a period, and what needs an operator now
         * @description An API key needs the scope `account`.
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
         * Send a mail again that has failed
         * @description 409: it has not failed, or has a link, which is gone; its user asks for a new one. An API key needs the scope `account`.
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
    "/api/v1/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open an invitation
         * @description Takes the token of its link and sets a cookie for an hour, with which sign-up/email and sign-in/social make an account where signUp of GET /api/v1/config/sign-in is invite; with open the gift of the invitation counts too. 404: it was used, revoked, or has ended.
         */
        post: operations["openInvitation"];
        delete?: never;
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
    "/api/v1/config/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Credit packs and subscription plans
         * @description Credit packs and subscription plans.
         */
        get: operations["listPlans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/checkout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a checkout
         * @description Send the user to the url. The credits are granted when the processor reports the payment. 409: a plan of the user runs, which the customer portal changes. An API key needs the scope `account`. For a team (X-Team) it needs the role `owner`.
         */
        post: operations["startCheckout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/portal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open the customer portal of the payment processor
         * @description 409: nothing has been bought; or, of a team, another owner has, as a customer whose portal shows what that owner bought without the team. An API key needs the scope `account`. For a team (X-Team) it needs the role `owner`.
         */
        post: operations["openPortal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/subscription": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your subscription, or the team’s
         * @description An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`.
         */
        get: operations["getSubscription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your webhook endpoints, oldest first
         * @description An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description Events are sent to it by Standard Webhooks, signed with the secret that this response shows once. That of a team ends when its maker leaves or loses the role, unless an owner takes it over. 409: you have 20 endpoints, which is the most. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook/endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One webhook endpoint
         * @description An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`.
         */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Its deliveries are not sent any more and cannot be read. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change, enable or disable a webhook endpoint
         * @description What waits for an endpoint is sent when it is enabled again; events while it is disabled are not. Events wait for one that is suspended. The member of a team who changes the URL answers for the endpoint from then on. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`.
         */
        patch: operations["updateWebhookEndpoint"];
        trace?: never;
    };
    "/api/v1/webhook/endpoints/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a webhook endpoint a new secret
         * @description Deliveries carry the signatures of the secrets of the last 24 hours too, so repeat it when the response was lost. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make or renew the secret of webhookUrls
         * @description It signs what is sent to the webhookUrl of generate. A secret that was used before signs for 24 hours more. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`.
         */
        post: operations["rotateWebhookUrlSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook/endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a webhook.test to an endpoint
         * @description Also when its events leave the test out; read the delivery for the response. 409: the endpoint is disabled or suspended. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook/endpoints/{id}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send again everything that has failed since a time
         * @description The oldest 10,000 of them; call it again for more. 409: the endpoint is disabled. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`.
         */
        post: operations["recoverWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook/endpoints/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Deliveries to an endpoint, newest first
         * @description An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook/endpoints/{id}/deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One delivery with its request and the response
         * @description An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook/endpoints/{id}/deliveries/{deliveryId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again
         * @description With the same webhook-id, also when it was delivered. 409: the endpoint is disabled. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`.
         */
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download everything that is stored about you
         * @description A ZIP, streamed: account.json (profile, sessions, names of keys, subscriptions, balance, packages), history.json, payments.json, payment-events.json, webhooks.json, webhook-deliveries.json, mails.json, audit.json, start-images.json, folders.json, publications.json, reports.json and videos.json with prompts, and the films, thumbnails and start images that they name. A download that breaks off starts again from the beginning. 429: an export of yours is running already. An API key needs the scope `account`.
         */
        get: operations["exportAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account": {
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
         * Delete your account
         * @description Sessions, keys, e-mail address and name go at once, and links to films stop working. Films, start images, prompts and the bodies of payment events are erased within minutes; a video that a provider has runs to its end first. The books keep your user id as a pseudonym. Credentials stop working within a second. This cannot be undone. 400: the password is wrong. 403: an administrator impersonates the user. 409: a subscription still renews or a payment of it may still come (its first one is open, for a day; it is expired and the processor retries the payment), or you are the last administrator, or the last owner of a team (`details.teams`), or you owe credits of payments that were returned (`details.owed`), and `owed` does not say so. An API key needs the scope `account`.
         */
        delete: operations["deleteAccount"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/subject/{subject}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download everything that browser tokens of a subject made
         * @description A ZIP, streamed: videos.json with prompts and metadata, start-images.json, and the films, thumbnails and images that they name. It is empty of both for a subject that is not known. 429: an export of yours is running already. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`.
         */
        get: operations["exportSubject"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/subject/{subject}": {
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
         * Erase everything that browser tokens of a subject made so far
         * @description Its tokens end, its films disappear, and prompts, films, images, metadata, logs and webhook deliveries are erased; the subject too. A video that a provider has runs to its end first. The books keep what it cost. What is left is erased within minutes; repeat the request to see it. This cannot be undone. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`.
         */
        delete: operations["eraseSubject"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/notices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Which notices you get by mail
         * @description They are sent to a verified address only. An API key needs the scope `account`.
         */
        get: operations["getNotices"];
        /**
         * Switch notices by mail on or off
         * @description Those that the body leaves out stay as they are. Mail about the sign-in cannot be switched off. An API key needs the scope `account`.
         */
        put: operations["setNotices"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The API key or browser token of this request
         * @description Of a key its scopes, its budget and what it has used; of a token its subject, its scopes and what is left; with any scope. 404: the request has a session. For a team (X-Team) it needs the role `viewer`.
         */
        get: operations["getKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/key/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A token for a page of a visitor, of the API key of this request
         * @description A page may hold it, as it may never hold a key: it lasts ten minutes at most, spends a budget of its own once, ends with the key, and makes, reads, cancels and deletes the films of its subject alone. Send it as the key is sent; CORS_ORIGINS says which sites may. 403: the key lacks a scope, or the request has a token. 404: it has a session. For a team (X-Team) it needs the role `viewer`.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/teams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The teams of which you are a member
         * @description An API key needs the scope `read`.
         */
        get: operations["listTeams"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/team": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The team of this request: your role, its balance, the budget of you or of its API key
         * @description An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`.
         */
        get: operations["getTeam"];
        put?: never;
        /**
         * Make a team
         * @description You are its owner. It has a balance of its own, and no credits. 409: you own 20 teams, which is the most. An API key needs the scope `account`.
         */
        post: operations["createTeam"];
        /**
         * Delete a team
         * @description As DELETE /api/v1/account deletes a user: keys and memberships go at once, films, images and prompts within minutes; a video that a provider has runs to its end first. Its credits are lost, and this cannot be undone. 400: the password is wrong. 403: also while an administrator impersonates the owner. 409: a subscription of it still renews, or it owes credits of payments that were returned (`details.owed`), and `owed` does not say so. Those owe them then who have paid and moved the credits. An API key needs the scope `account`. For a team (X-Team) it needs the role `owner`.
         */
        delete: operations["deleteTeam"];
        options?: never;
        head?: never;
        /**
         * Rename a team, or require a second factor of its members
         * @description What is left out stays. An owner who has a second factor requires one of all: from then on a member without is refused within a second (403, `details.reason` is second_factor_missing), and with the member the own API keys and connected programs. API keys of the team go on. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`.
         */
        patch: operations["changeTeam"];
        trace?: never;
    };
    "/api/v1/team/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download everything that is stored about a team
         * @description As GET /api/v1/account/export: account.json has the team, its members, invitations and names of keys. Of a film and a row of the history it says by which member or key. 429: an export of the team is running already. An API key needs the scope `account`. For a team (X-Team) it needs the role `owner`.
         */
        get: operations["exportTeam"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/team/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The members of a team, with what each has spent
         * @description An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`.
         */
        get: operations["listTeamMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/team/members/{id}": {
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
         * Remove a member, or leave a team
         * @description Access ends within a second, and with it what the member has given: open invitations, keys with their browser tokens, and endpoints, except takeOver. The films stay with the team. 403: you are neither an admin nor this member; only owners remove owners; also while an administrator impersonates the user. 409: the last owner cannot leave; takeOver has what this member has not made. For a team (X-Team) it needs the role `viewer`.
         */
        delete: operations["removeTeamMember"];
        options?: never;
        head?: never;
        /**
         * Change the role or the budget of a member
         * @description What is left out stays. A role counts within a second; what the member has given and the new role could not give (open invitations, keys, endpoints) ends with the former one, except takeOver. 403: only owners change owners, make them, and set the own budget; also while an administrator impersonates the user. 409: the last owner keeps the role; takeOver has what this member has not made. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`.
         */
        patch: operations["changeTeamMember"];
        trace?: never;
    };
    "/api/v1/team/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How many of your own credits you can move into a team
         * @description The welcome gift cannot be moved, nor credits of a payment that is being returned; while you owe credits, none can. 403: also for an API key of the team, which has no credits of its own. For a team (X-Team) it needs the role `viewer`.
         */
        get: operations["getMovableCredits"];
        put?: never;
        /**
         * Move own credits into a team
         * @description Any member may; no operation moves them back. Those that expire first go first, and keep their expiry. When their payment is returned, the team loses its part of them. Both histories have a row, whose source is transfer:<id>:<the id of the team, or yours>. 403: also for an API key of the team, and while an administrator impersonates you. 409: so many cannot be moved (`details.available` can), you owe credits (`details.owed`), or the service keeps you and the team in different databases. For a team (X-Team) it needs the role `viewer`.
         */
        post: operations["moveCredits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/team/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The open invitations of a team, newest first
         * @description An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`.
         */
        get: operations["listTeamInvitations"];
        put?: never;
        /**
         * Invite to a team
         * @description By mail, for seven days; an earlier invitation of the address stops working. It ends when you may not invite to this role any more. 403: only owners invite owners; also where mail is set up and your address is not verified (`details.reason` email_not_verified), and while an administrator impersonates the user. 409: the address is of a member already, or the team is full. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`.
         */
        post: operations["inviteTeamMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/team/invitations/{id}": {
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
         * Revoke an invitation to a team
         * @description An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`.
         */
        delete: operations["revokeTeamInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/team/invitations/open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read an invitation to a team
         * @description Takes the token of the link, and changes nothing. 403: mail is set up, this is not the link of the mail, and your address is not verified (`details.reason` email_not_verified). 404: it was accepted, revoked or replaced, has ended, or is for another e-mail address. An API key needs the scope `account`.
         */
        post: operations["openTeamInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/team/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation to a team
         * @description Takes the token of the link. 403: mail is set up, this is not the link of the mail, and your address is not verified (`details.reason` email_not_verified). 404: it was accepted, revoked or replaced, has ended, or is for another e-mail address. An API key needs the scope `account`.
         */
        post: operations["acceptTeamInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/team/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The API keys of a team
         * @description An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`.
         */
        get: operations["listTeamKeys"];
        put?: never;
        /**
         * Create an API key of a team
         * @description Needs a session: a stolen one of long ago does not do it, so the sign-in is at most 10 minutes old, or the password is in the body. The key ends when its maker leaves or loses the role, unless an owner takes it over. 403: also while an administrator impersonates the user. 409: the team has 100 keys, which is the most. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`.
         */
        post: operations["createTeamKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/team/keys/{id}": {
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
         * Delete an API key of a team
         * @description It stops working within a second, and its browser tokens with it. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`.
         */
        delete: operations["deleteTeamKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/team/members/{id}/given": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a member has given that ends with the role
         * @description Open invitations, keys, connected programs and webhook endpoints that end when the member is removed or leaves, or gets the role of the query. 403: you are neither an admin nor this member. For a team (X-Team) it needs the role `viewer`.
         */
        get: operations["listTeamGiven"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/team/take-over": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take over keys and webhook endpoints of a team
         * @description You answer for them from now on, so they do not end with their former maker, and a suspension ends. Who knows the text of a key can still use it. 403: also while an administrator impersonates the user. 404: one of them has ended; nothing is taken over. An API key needs the scope `account`. For a team (X-Team) it needs the role `owner`.
         */
        post: operations["takeOverTeamGiven"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/team/programs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The programs that members have connected to a team
         * @description By OAuth, newest first. Each acts for the team as the member who connected it, and within its budget. An API key needs the scope `account`. For a team (X-Team) it needs the role `owner`.
         */
        get: operations["listTeamPrograms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/team/programs/{id}": {
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
         * Disconnect a program from a team
         * @description Its tokens stop working within a second. The member may connect it again. 404: it has ended. An API key needs the scope `account`. For a team (X-Team) it needs the role `owner`.
         */
        delete: operations["disconnectTeamProgram"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/team/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What was done to a team, newest first
         * @description Invitations, members, roles, budgets, API keys, webhook endpoints, deleted folders, purchases, moved credits, and what those who run the service did. It is kept as long as the team; an invited address goes with its account. An API key needs the scope `account`. For a team (X-Team) it needs the role `owner`.
         */
        get: operations["listTeamLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/team/log.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The latest 10,000 entries of the log of a team as CSV
         * @description All are in GET /api/v1/team/export. An API key needs the scope `account`. For a team (X-Team) it needs the role `owner`.
         */
        get: operations["downloadTeamLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/video/callback/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * For AI providers: report the progress or the result of a task
         * @description Authenticated by the signed reference in the callback URL that was submitted with the task, or by the header X-Callback-Secret. The body has the provider’s own format.
         */
        post: operations["receiveCallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/notices/unsubscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switch a notice off, with the token of a message
         * @description For mail programs (List-Unsubscribe-Post, RFC 8058) and the page of the link; needs no sign-in. The body is not read. 400: the token is not ours.
         */
        post: operations["unsubscribe"];
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
export interface webhooks {
    "video.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The film is stored, and the credits are settled
         * @description The film is stored, and the credits are settled. Signed by Standard Webhooks: verify the raw body with the secret of the endpoint.
         */
        post: operations["videoCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "video.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A video failed, and its credits are back
         * @description A video failed, and its credits are back. Signed by Standard Webhooks: verify the raw body with the secret of the endpoint.
         */
        post: operations["videoFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "video.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A video was cancelled, and its credits are back
         * @description A video was cancelled, and its credits are back. Signed by Standard Webhooks: verify the raw body with the secret of the endpoint.
         */
        post: operations["videoCancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "video.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A video was deleted; its last event
         * @description A video was deleted; its last event. Signed by Standard Webhooks: verify the raw body with the secret of the endpoint.
         */
        post: operations["videoDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "credit.added": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Credits were bought, given or granted
         * @description Credits were bought, given or granted. Signed by Standard Webhooks: verify the raw body with the secret of the endpoint.
         */
        post: operations["creditAdded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "credit.low": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The available credits fell below the threshold of PUT /api/v1/credit/alert
         * @description The available credits fell below the threshold of PUT /api/v1/credit/alert. Signed by Standard Webhooks: verify the raw body with the secret of the endpoint.
         */
        post: operations["creditLow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "credit.expiring": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Credits expire within seven days; once a package
         * @description Credits expire within seven days; once a package. Signed by Standard Webhooks: verify the raw body with the secret of the endpoint.
         */
        post: operations["creditExpiring"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A subscription began, renewed, or changed its plan or its status
         * @description A subscription began, renewed, or changed its plan or its status. Signed by Standard Webhooks: verify the raw body with the secret of the endpoint.
         */
        post: operations["subscriptionUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A test was asked for, also when the events of the endpoint leave it out
         * @description A test was asked for, also when the events of the endpoint leave it out. Signed by Standard Webhooks: verify the raw body with the secret of the endpoint.
         */
        post: operations["webhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * @example {
         *       "prompt": "A paper boat in a rain gutter, dawn",
         *       "model": "delta-1-5",
         *       "duration": 4,
         *       "aspectRatio": "16:9"
         *     }
         */
        GenerateRequest: {
            /** @description What the film shows; 1 to 5000 characters after trimming */
            prompt: string;
            /**
             * @description An id of GET /api/v1/config/models
             * @example alpha-2
             * @example beta-3-1
             * @example delta-1-5
             */
            model: string;
            /** @description Whole seconds, within the minDuration and maxDuration of the model */
            duration: number;
            /** @description One of the model’s; none is needed where an image decides */
            aspectRatio?: string;
            /** @description One of the resolutions of the model; 720p when left out */
            quality?: string;
            /** @description An https URL of at most 2048 characters, or the url of POST /api/v1/video/image; makes the video image-to-video */
            startImageUrl?: string;
            /** @description Films of the same request and seed resemble each other, where the provider supports it */
            seed?: number;
            /** @description As startImageUrl: the picture with which the film ends; makes the video first-last */
            endImageUrl?: string;
            /** @description Each as startImageUrl: what the film shows; makes the video reference */
            referenceImageUrls?: string[];
            /** @description What the film must not show; for models that have it */
            negativePrompt?: string;
            /** @description Whether the film has sound; for models that have the choice */
            audio?: boolean;
            /** @description What the model alone has: the options of GET /api/v1/config/models */
            options?: {
                [key: string]: string | number | boolean;
            };
            /**
             * Format: uuid
             * @description The uuid of a completed video of yours, whose film goes on; makes the video extend
             */
            extendFrom?: string;
            /** @description Films to make, all or none, with consecutive seeds if one is given. Each is a video of its own; the response has `videos` */
            n?: number;
            /** @description Notes of your own, such as the id of an order: at most 16 texts of 512 characters, by names of 64. The film’s detail, lists, events and webhooks have them, and no provider gets them */
            metadata?: {
                [key: string]: string;
            };
            /** @description An https URL on the public Internet, of at most 2048 characters: the final event of this video is sent to it, signed with the secret of POST /api/v1/webhook/secret, as well as to your endpoints */
            webhookUrl?: string;
        };
        /**
         * @example {
         *       "model": "bytedance-video-upscaler",
         *       "upscaleFrom": "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50",
         *       "quality": "4k"
         *     }
         */
        UpscaleRequest: {
            /**
             * @description An id of GET /api/v1/config/models
             * @example alpha-2
             * @example beta-3-1
             * @example delta-1-5
             */
            model: string;
            /**
             * Format: uuid
             * @description The uuid of a completed video of yours: the new one is a larger copy of its film
             */
            upscaleFrom: string;
            /** @description One of the resolutions of the model; its next one that is larger than the film when left out */
            quality?: string;
            /** @description What the film must not show; for models that have it */
            negativePrompt?: string;
            /** @description Whether the film has sound; for models that have the choice */
            audio?: boolean;
            /** @description Films of the same request and seed resemble each other, where the provider supports it */
            seed?: number;
            /** @description What the model alone has: the options of GET /api/v1/config/models */
            options?: {
                [key: string]: string | number | boolean;
            };
            /** @description Notes of your own, such as the id of an order: at most 16 texts of 512 characters, by names of 64. The film’s detail, lists, events and webhooks have them, and no provider gets them */
            metadata?: {
                [key: string]: string;
            };
            /** @description An https URL on the public Internet, of at most 2048 characters: the final event of this video is sent to it, signed with the secret of POST /api/v1/webhook/secret, as well as to your endpoints */
            webhookUrl?: string;
        };
        GeneratedVideo: {
            /** Format: uuid */
            uuid: string;
            /** @constant */
            status: "PENDING";
            model: string;
            /** @description Credits frozen: of all videos of the request */
            creditsUsed: number;
            /**
             * Format: date-time
             * @description When the video was requested
             */
            createdAt: string;
            /** @description Of a request with n: all its videos, the one of `uuid` first */
            videos?: {
                /** Format: uuid */
                uuid: string;
                /** @constant */
                status: "PENDING";
                model: string;
                /** @description Credits frozen for this video */
                creditsUsed: number;
                /**
                 * Format: date-time
                 * @description When the video was requested
                 */
                createdAt: string;
            }[];
        };
        Error: {
            /** @constant */
            success: false;
            data: Record<string, never>;
            error: {
                /**
                 * @description What went wrong, for programs
                 * @enum {unknown}
                 */
                code: "INVALID_REQUEST" | "UNSUPPORTED_MODEL" | "MODEL_UNAVAILABLE" | "DURATION_OUT_OF_RANGE" | "UNSUPPORTED_QUALITY" | "UNSUPPORTED_ASPECT_RATIO" | "UNSUPPORTED_MODE" | "CONTENT_REFUSED" | "UNAUTHENTICATED" | "INSUFFICIENT_CREDITS" | "KEY_BUDGET_EXCEEDED" | "FORBIDDEN" | "INSUFFICIENT_SCOPE" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_KEY_REUSED" | "RATE_LIMITED" | "TOO_MANY_IN_PROGRESS" | "INTERNAL" | "UNAVAILABLE";
                /** @description What went wrong and what to do, for people */
                message: string;
                /** @description For programs: which field, how many credits, and so on */
                details?: unknown;
                /** @description The same as the header X-Request-Id; name it when you ask for help */
                requestId: string;
            };
        };
        /**
         * @example {
         *       "prompt": "A paper boat in a rain gutter, dawn",
         *       "model": "delta-1-5",
         *       "duration": 4,
         *       "aspectRatio": "16:9"
         *     }
         */
        QuoteRequest: {
            /** @description What the film shows; 1 to 5000 characters after trimming */
            prompt?: string;
            /**
             * @description An id of GET /api/v1/config/models
             * @example alpha-2
             * @example beta-3-1
             * @example delta-1-5
             */
            model: string;
            /** @description Whole seconds, within the minDuration and maxDuration of the model */
            duration: number;
            /** @description One of the model’s; none is needed where an image decides */
            aspectRatio?: string;
            /** @description One of the resolutions of the model; 720p when left out */
            quality?: string;
            /** @description An https URL of at most 2048 characters, or the url of POST /api/v1/video/image; makes the video image-to-video */
            startImageUrl?: string;
            /** @description Films of the same request and seed resemble each other, where the provider supports it */
            seed?: number;
            /** @description As startImageUrl: the picture with which the film ends; makes the video first-last */
            endImageUrl?: string;
            /** @description Each as startImageUrl: what the film shows; makes the video reference */
            referenceImageUrls?: string[];
            /** @description What the film must not show; for models that have it */
            negativePrompt?: string;
            /** @description Whether the film has sound; for models that have the choice */
            audio?: boolean;
            /** @description What the model alone has: the options of GET /api/v1/config/models */
            options?: {
                [key: string]: string | number | boolean;
            };
            /**
             * Format: uuid
             * @description The uuid of a completed video of yours, whose film goes on; makes the video extend
             */
            extendFrom?: string;
            /** @description Films to make, all or none, with consecutive seeds if one is given. Each is a video of its own; the response has `videos` */
            n?: number;
            /** @description Notes of your own, such as the id of an order: at most 16 texts of 512 characters, by names of 64. The film’s detail, lists, events and webhooks have them, and no provider gets them */
            metadata?: {
                [key: string]: string;
            };
            /** @description An https URL on the public Internet, of at most 2048 characters: the final event of this video is sent to it, signed with the secret of POST /api/v1/webhook/secret, as well as to your endpoints */
            webhookUrl?: string;
        };
        Quote: {
            /** @description The price: what generate would freeze for the same body */
            credits: number;
            /** @description Credits available now; with an API key, at most what is left of its budget */
            available: number;
            /** @description Whether available covers the price */
            affordable: boolean;
            /** @description One of the modes of the model: what its images make of the request */
            mode: string;
            /** @description The kind of provider that is tried first, such as fal or runway */
            provider: string;
            /** @description How long such a film takes there: the median of the last ones */
            estimatedSeconds: number;
        };
        ListedVideo: {
            /** Format: uuid */
            uuid: string;
            /** @description In lists and event streams the first 120 characters, then … */
            prompt: string;
            model: string;
            /**
             * @description PENDING, GENERATING, UPLOADING, then COMPLETED or FAILED, which are final
             * @enum {unknown}
             */
            status: "PENDING" | "GENERATING" | "UPLOADING" | "COMPLETED" | "FAILED";
            /** @description Signed link to the film; read the video again to renew it. Add ?download for an attachment, ?download&filename=name to name it */
            videoUrl: string | null;
            /** @description Signed link to a JPEG */
            thumbnailUrl: string | null;
            /** @description Seconds */
            duration: number;
            /** @description As requested; of the film itself once it is COMPLETED */
            aspectRatio: string;
            /** @description The price in credits; 0 once released */
            creditsUsed: number;
            /**
             * Format: date-time
             * @description When the video was requested
             */
            createdAt: string;
            /** @description When the film was ready */
            completedAt: string | null;
            /** @description As requested; null when the provider was to choose one */
            seed: number | null;
            /** @description The video that this one continues */
            extendedFrom: string | null;
            /** @description The video that this one enlarges */
            upscaledFrom: string | null;
            /** @description The same for all videos of one request with n; null for one that was requested alone */
            batchId: string | null;
            /** @description As POST /api/v1/video/arrange has set it */
            favourite: boolean;
            /** @description The folder; null: in none */
            folderId: string | null;
            /** @description The API key, program or member of the team that made it; null: a session of your own */
            madeBy: string | null;
            /** @description Of its browser token; null: none */
            subject: string | null;
            /** @description As requested; null: none */
            metadata: {
                [key: string]: string;
            } | null;
            /** @description null unless the video is FAILED */
            failure: {
                /**
                 * @description Why it failed, for programs
                 * @enum {unknown}
                 */
                code: "CONTENT_REFUSED" | "PARAMETERS_REFUSED" | "IMAGE_REFUSED" | "PROVIDER_ERROR" | "PROVIDER_BUSY" | "ACCOUNT" | "TIMED_OUT" | "CANCELLED" | "LOST" | "NOT_ACCEPTED" | "FILM_UNUSABLE" | "FILM_UNREACHABLE" | "NOT_AS_ORDERED" | "NOT_STORED";
                /** @description The same as error */
                message: string;
                /** @description Whether the same request may succeed when it is made again */
                retryable: boolean;
            } | null;
        };
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
        TaskStatus: {
            /** Format: uuid */
            uuid: string;
            /**
             * @description PENDING, GENERATING, UPLOADING, then COMPLETED or FAILED, which are final
             * @enum {unknown}
             */
            status: "PENDING" | "GENERATING" | "UPLOADING" | "COMPLETED" | "FAILED";
            /** @description Never falls */
            progress: number;
            /** @description Seconds until the film is ready: as the provider says, or as the last films took; null: unknown, or final */
            estimatedSeconds: number | null;
            /** @description Tasks before this one at the provider; null: none, or unknown */
            queuePosition: number | null;
            /** @description Why the video failed */
            error: string | null;
            /** @description null unless the video is FAILED */
            failure: {
                /**
                 * @description Why it failed, for programs
                 * @enum {unknown}
                 */
                code: "CONTENT_REFUSED" | "PARAMETERS_REFUSED" | "IMAGE_REFUSED" | "PROVIDER_ERROR" | "PROVIDER_BUSY" | "ACCOUNT" | "TIMED_OUT" | "CANCELLED" | "LOST" | "NOT_ACCEPTED" | "FILM_UNUSABLE" | "FILM_UNREACHABLE" | "NOT_AS_ORDERED" | "NOT_STORED";
                /** @description The same as error */
                message: string;
                /** @description Whether the same request may succeed when it is made again */
                retryable: boolean;
            } | null;
        };
        Video: {
            /** Format: uuid */
            uuid: string;
            /** @description In lists and event streams the first 120 characters, then … */
            prompt: string;
            model: string;
            /**
             * @description PENDING, GENERATING, UPLOADING, then COMPLETED or FAILED, which are final
             * @enum {unknown}
             */
            status: "PENDING" | "GENERATING" | "UPLOADING" | "COMPLETED" | "FAILED";
            /** @description Signed link to the film; read the video again to renew it. Add ?download for an attachment, ?download&filename=name to name it */
            videoUrl: string | null;
            /** @description Signed link to a JPEG */
            thumbnailUrl: string | null;
            /** @description How the film says that it is made by AI; null until it is COMPLETED */
            provenance: {
                /** @description Whether the film has signed content credentials (C2PA) */
                signed: boolean;
                /** @description Whose certificate they are signed with */
                signer: string | null;
                /** @description AIGC: the film has the label of GB 45438-2025 */
                label: "AIGC" | null;
                /** @description Signed link to a manifest beside the film; null: it is in the film. Not in webhooks */
                manifestUrl?: string | null;
            } | null;
            /** @description Seconds */
            duration: number;
            /** @description As requested; of the film itself once it is COMPLETED */
            aspectRatio: string;
            /** @description The price in credits; 0 once released */
            creditsUsed: number;
            /**
             * Format: date-time
             * @description When the video was requested
             */
            createdAt: string;
            /** @description When the film was ready */
            completedAt: string | null;
            /** @description The AI provider of the current attempt, or that made the film */
            provider: string;
            /** @description As sent; for an image that is stored here a newly signed link */
            startImageUrl: string | null;
            /** @description As requested; null when the provider was to choose one */
            seed: number | null;
            /** @description As startImageUrl */
            endImageUrl: string | null;
            /** @description Each as startImageUrl */
            referenceImageUrls: string[] | null;
            /** @description As requested */
            negativePrompt: string | null;
            /** @description Whether the model makes sound; null for one without a choice */
            audio: boolean | null;
            /** @description Those of the model, with its defaults */
            options: {
                [key: string]: string | number | boolean;
            } | null;
            /** @description The video that this one continues */
            extendedFrom: string | null;
            /** @description The video that this one enlarges */
            upscaledFrom: string | null;
            /** @description The same for all videos of one request with n; null for one that was requested alone */
            batchId: string | null;
            /** @description As POST /api/v1/video/arrange has set it */
            favourite: boolean;
            /** @description The folder; null: in none */
            folderId: string | null;
            /** @description The API key, program or member of the team that made it; null: a session of your own */
            madeBy: string | null;
            /** @description Of its browser token; null: none */
            subject: string | null;
            /** @description As requested; null: none */
            metadata: {
                [key: string]: string;
            } | null;
            /** @description As requested; of the film itself once it is COMPLETED */
            resolution: string;
            /** @description Bytes */
            fileSize: number | null;
            /** @description Seconds from the provider’s acceptance to its result */
            generationTime: number | null;
            /** @description Why the video failed */
            error: string | null;
            /** @description null unless the video is FAILED */
            failure: {
                /**
                 * @description Why it failed, for programs
                 * @enum {unknown}
                 */
                code: "CONTENT_REFUSED" | "PARAMETERS_REFUSED" | "IMAGE_REFUSED" | "PROVIDER_ERROR" | "PROVIDER_BUSY" | "ACCOUNT" | "TIMED_OUT" | "CANCELLED" | "LOST" | "NOT_ACCEPTED" | "FILM_UNUSABLE" | "FILM_UNREACHABLE" | "NOT_AS_ORDERED" | "NOT_STORED";
                /** @description The same as error */
                message: string;
                /** @description Whether the same request may succeed when it is made again */
                retryable: boolean;
            } | null;
        };
        CancelledVideo: {
            /** Format: uuid */
            uuid: string;
            /**
             * @description PENDING, GENERATING, UPLOADING, then COMPLETED or FAILED, which are final
             * @enum {unknown}
             */
            status: "PENDING" | "GENERATING" | "UPLOADING" | "COMPLETED" | "FAILED";
            /** @description Never falls */
            progress: number;
            /** @description Seconds until the film is ready: as the provider says, or as the last films took; null: unknown, or final */
            estimatedSeconds: number | null;
            /** @description Tasks before this one at the provider; null: none, or unknown */
            queuePosition: number | null;
            /** @description Why the video failed */
            error: string | null;
            /** @description null unless the video is FAILED */
            failure: {
                /**
                 * @description Why it failed, for programs
                 * @enum {unknown}
                 */
                code: "CONTENT_REFUSED" | "PARAMETERS_REFUSED" | "IMAGE_REFUSED" | "PROVIDER_ERROR" | "PROVIDER_BUSY" | "ACCOUNT" | "TIMED_OUT" | "CANCELLED" | "LOST" | "NOT_ACCEPTED" | "FILM_UNUSABLE" | "FILM_UNREACHABLE" | "NOT_AS_ORDERED" | "NOT_STORED";
                /** @description The same as error */
                message: string;
                /** @description Whether the same request may succeed when it is made again */
                retryable: boolean;
            } | null;
            /** @description What has become of the video, for its user */
            message: string;
        };
        BulkOutcome: {
            /** @description Those that were found */
            uuids: string[];
            /** @description Those of no video of yours */
            notFound: string[];
        };
        VideoFolder: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description How many it has; 1,000 at most are counted */
            videos: number;
            /** @description The user, the member of the team, or the API key that made it */
            madeBy: string;
            /**
             * Format: date-time
             * @description When it was made
             */
            createdAt: string;
        };
        Share: {
            /** @description The page of the film, for all who have this link */
            url: string;
            /** @description Whether the page shows the prompt */
            showsPrompt: boolean;
            /** @description Whether the page offers the film as a file */
            allowsDownload: boolean;
            /** @description Id of the administrator who made it for you, with whose rights it ends; null: you, or a member of the team */
            administratorId: string | null;
            /**
             * Format: date-time
             * @description When the film was shared
             */
            createdAt: string;
        };
        SharedVideo: {
            /** @description null unless the owner shows it */
            prompt: string | null;
            model: string;
            /** @description SHA-256 of the film, for POST /api/v1/provenance/verify; null: the film is not signed */
            sha256: string | null;
            /** @description Seconds */
            duration: number;
            /** @description As requested; of the film itself once it is COMPLETED */
            aspectRatio: string;
            /** @description When the film was ready */
            completedAt: string | null;
            /** @description Whether the owner offers it as a file: videoUrl with ?download */
            allowsDownload: boolean;
            /** @description Link to the film, as long as it is shared */
            videoUrl: string;
            /** @description Link to a JPEG, as long as the film is shared */
            thumbnailUrl: string;
        };
        ProvenanceVerification: {
            /** @description Whether the file was made here; false: the other fields are null */
            known: boolean;
            /** @description What the file is */
            kind: ("film" | "poster") | null;
            /** @description The public name of the model */
            model: string | null;
            /** @description When the film was ready */
            madeAt: string | null;
            /** @description Whether it has signed content credentials */
            signed: boolean | null;
            /** @description Whose certificate they are signed with */
            signer: string | null;
            /** @description What it was made from, beside text */
            ingredients: {
                /**
                 * @description parent: the film that it extends or enlarges; input: a picture that the model was given
                 * @enum {unknown}
                 */
                relationship: "parent" | "input";
                /** @description null: unknown */
                contentType: string | null;
                /** @description Whether it is a film of this service */
                madeHere: boolean;
            }[] | null;
        };
        Publication: {
            /** @description Its id at /api/v1/explore; null when an administrator has removed it */
            id: string | null;
            /** @description Whether the name of its maker is shown */
            showsName: boolean;
            /** @description When it was published; null when its maker has taken it back */
            publishedAt: string | null;
            /** @description Id of the administrator who published it for its maker, with whose rights it ends; null: its maker */
            administratorId: string | null;
            /** @description When an administrator removed it: it cannot be published again */
            removedAt: string | null;
            /** @description Why, in the words of the administrator */
            removalReason: string | null;
        };
        PublishedFilm: {
            /** Format: uuid */
            id: string;
            /** @description In lists and event streams the first 120 characters, then … */
            prompt: string;
            model: string;
            /** @description SHA-256 of the film, for POST /api/v1/provenance/verify; null: the film is not signed */
            sha256: string | null;
            /** @description Seconds */
            duration: number;
            /** @description As requested; of the film itself once it is COMPLETED */
            aspectRatio: string;
            /** @description When the film was ready */
            completedAt: string | null;
            /** @description As requested; null when the provider was to choose one */
            seed: number | null;
            /** @description As requested */
            negativePrompt: string | null;
            /** @description Whether the model makes sound; null for one without a choice */
            audio: boolean | null;
            /** @description Those of the model, with its defaults */
            options: {
                [key: string]: string | number | boolean;
            } | null;
            /** @description As requested; of the film itself once it is COMPLETED */
            resolution: string;
            /** @description The name of its maker; null when that is not shown */
            maker: string | null;
            /**
             * Format: date-time
             * @description When it was published
             */
            publishedAt: string;
            /** @description Link to the film, as long as it is published */
            videoUrl: string;
            /** @description Link to a JPEG, as long as the film is published */
            thumbnailUrl: string;
        };
        UploadedImage: {
            /** @description Signed link to the image, for startImageUrl of generate and quote */
            url: string;
            /** @description Pixels, of the stored image */
            width: number;
            /** @description Pixels */
            height: number;
            sizeBytes: number;
            /**
             * @description Of the stored image
             * @enum {unknown}
             */
            contentType: "image/png" | "image/jpeg";
            /**
             * Format: date-time
             * @description When the url expires
             */
            expiresAt: string;
        };
        Model: {
            id: string;
            name: string;
            /** @description The company that made the model */
            provider: string;
            modes: string[];
            /** @description Seconds */
            minDuration: number;
            /** @description Seconds */
            maxDuration: number;
            resolutions: string[];
            aspectRatios: string[];
            /** @description null while the model has no price */
            pricing: {
                /**
                 * @description What the credits are paid for
                 * @enum {unknown}
                 */
                per: "second" | "clip";
                /** @description Credits by resolution */
                credits: {
                    [key: string]: number;
                };
            } | null;
            enabled: boolean;
            description: string | null;
            /** @description Links to films of the model */
            sample: string[];
            /** @description Link to a JPEG of the first of these films, where there is one */
            sampleThumbnailUrl: string | null;
            /** @description All prices, with what they depend on; `pricing` has those with the defaults of all options */
            prices: {
                /** @enum {unknown} */
                per: "second" | "clip";
                /** @description The fields of a request, `mode` among them */
                dependsOn: string[];
                /** @description The credits with the values of these fields; a film costs whole credits, rounded up */
                list: ({
                    credits: number;
                } & {
                    [key: string]: unknown;
                })[];
            } | null;
            /** @description What values exclude each other: with all of `when`, only `then`; `why` is for users */
            rules: {
                [key: string]: unknown;
            }[];
            /** @description JSON Schema of the body of generate; what it refuses, generate refuses */
            schema: {
                [key: string]: unknown;
            };
            /** @description How long a film takes: the median of the last ones */
            usualSeconds: number;
        };
        /** @description What is in braces is a placeholder: its words stand for those of the user */
        PromptTemplate: {
            title: {
                en: string;
                zh?: string;
            };
            prompt: {
                en: string;
                zh?: string;
            };
        };
        SignInOptions: {
            /** @description For sign-in/social and link-social */
            providers: {
                id: string;
                name: string;
            }[];
            /** @description Whether sign-in/magic-link mails a link */
            link: boolean;
            /**
             * @description Who may make an account: everyone, those with an invitation, or administrators alone
             * @enum {unknown}
             */
            signUp: "open" | "invite" | "closed";
            /** @description What sign-up/email asks for; null: nothing */
            captcha: {
                /** @enum {unknown} */
                provider: "cloudflare-turnstile" | "google-recaptcha" | "hcaptcha" | "captchafox";
                siteKey: string;
            } | null;
        };
        /** @description total = available + frozen + used + expired + clawedBack */
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
        CreditPackage: {
            /** Format: uuid */
            id: string;
            /** @description Where the credits came from: NEW_USER, ORDER_PAY, SUBSCRIPTION, REFUND or SYSTEM_ADJUST */
            transType: string;
            /** @description Credits it was granted with */
            initial: number;
            /** @description Credits available from it */
            remaining: number;
            /** @description Credits of it reserved for videos in progress */
            frozen: number;
            /** @description Order number of a purchase; null otherwise */
            orderNo: string | null;
            /**
             * Format: date-time
             * @description When its remaining credits expire
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description When it was granted
             */
            createdAt: string;
        };
        /**
         * @description Why the credits moved. SYSTEM_ADJUST: by an administrator, for a redemption code, or between a user and a team (`source` begins with transfer:)
         * @enum {unknown}
         */
        TransType: "NEW_USER" | "ORDER_PAY" | "SUBSCRIPTION" | "VIDEO_CONSUME" | "REFUND" | "EXPIRED" | "SYSTEM_ADJUST";
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
            /** @description The first 200 characters of the film’s prompt, where prompts was asked for */
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
            /** @description When the credits of an addition expire; null on other rows */
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
            /** @description Who made these: members of the team, API keys, or connected programs; none for sessions of your own */
            makers: components["schemas"]["Maker"][];
            /** @description Number of all rows that match */
            total: number;
            page: number;
            pageSize: number;
            /** @description Cursor of the next page; null on the last */
            nextCursor: string | null;
        };
        CreditAlert: {
            /** @description credit.low is sent when the available credits fall below this; null: never */
            below: number | null;
        };
        Gift: {
            /**
             * @description decided: granted, or this service gives none. waiting: for a verified e-mail address
             * @enum {unknown}
             */
            state: "decided" | "waiting" | "address_used" | "domain_denied" | "network_limit";
            /** @description What a gift is worth */
            credits: number;
            /** @description Why no gift came, for people; null: decided */
            message: string | null;
            /** @description Whether the user has been notified of this state */
            isSeen: boolean;
        };
        CreditUsage: {
            /** @description The day, the model, or the id of the API key, connected program or member of the team; null: sessions of your own */
            key: string | null;
            /** @description Frozen or spent; what failed films gave back is left out */
            credits: number;
            videos: number;
        };
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
            /** @description When it ended; null while it runs */
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
        Costs: {
            /** @description In UTC; null when it is not grouped by, as the next six */
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
            /** @description creditsEarned × creditUsd; null without creditUsd */
            earnedUsd: number | null;
            /** @description Of the films whose cost is known; null when none is */
            costUsd: number | null;
            /** @description What the films whose cost is known have earned, less that cost; null as costUsd */
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
        AuditEntry: {
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description When it was done
             */
            createdAt: string;
            /** @description What was done: credits.add, credits.take, credits.collect, credits.forgive, credits.reverse-expiry, payment.apply, payment.dismiss, video.remove-files, webhook.disable, mail.retry, mail.show-link, catalogue.switch, catalogue.sample, invitation.create, invitation.revoke, code.create, code.end, explore.remove, explore.keep, team.lock, team.unlock, team.make-owner, team.create, team.rename, team.set-second-factor, team.invite, team.revoke-invitation, team.join, team.leave, team.remove-member, team.set-role, team.set-budget, team.create-key, team.delete-key, team.create-endpoint, team.delete-endpoint, team.connect-program, team.disconnect-program, team.take-over-key, team.take-over-endpoint, team.delete-folder, team.buy, team.move-credits, user.create, user.update, user.set-role, user.set-password, user.ban, user.unban, user.impersonate, user.act, user.stop-impersonating, user.revoke-session, user.revoke-sessions, user.resend-verification, account.delete; others may follow */
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
            /** @description When the account was deleted; e-mail address and name are gone then. Null: it was not */
            deletedAt: string | null;
            /** @description Whether the account is locked now */
            banned: boolean;
            credits: components["schemas"]["UserCredits"];
        };
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
            /** @description When the account was deleted; e-mail address and name are gone then. Null: it was not */
            deletedAt: string | null;
            /** @description Whether the account is locked now */
            banned: boolean;
            credits: components["schemas"]["UserCredits"];
            /** @description Why it is locked */
            banReason: string | null;
            /** @description When the lock ends; null: when an administrator removes it */
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
        DeletedAccount: {
            userId: string;
            /** @constant */
            deleted: true;
        };
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
            /** @description Start of the period that is paid for */
            currentPeriodStart: string | null;
            /** @description End of that period */
            currentPeriodEnd: string | null;
            cancelAtPeriodEnd: boolean;
            /** @description When it was cancelled */
            cancelledAt: string | null;
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
        UserPayment: {
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
            /** @description When it was deleted; its books remain */
            deletedAt: string | null;
            /** @description Whether its members and keys are refused */
            locked: boolean;
            credits: components["schemas"]["UserCredits"];
        };
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
            /** @description When it was deleted; its books remain */
            deletedAt: string | null;
            /** @description Whether its members and keys are refused */
            locked: boolean;
            credits: components["schemas"]["UserCredits"];
            /** @description Why it is locked */
            lockReason: string | null;
            /** @description Since when it is locked */
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
        TeamMember: {
            /** Format: uuid */
            userId: string;
            name: string;
            email: string;
            role: components["schemas"]["TeamRole"];
            /** @description What the member may spend in a period; null: as much as the team has */
            budget: {
                credits: number;
                /** @enum {unknown} */
                period: "day" | "week" | "month";
                used: number;
                /**
                 * Format: date-time
                 * @description When the next period begins
                 */
                resetAt: string;
            } | null;
            /** @description Credits frozen or spent in the UTC day, the ISO week and the calendar month */
            used: {
                day: number;
                week: number;
                month: number;
            };
            /** @description Whether the member has set one up; only owners read it */
            hasSecondFactor?: boolean;
            /**
             * Format: date-time
             * @description Since when
             */
            createdAt: string;
        };
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
            /** @description When it was sent to the provider */
            submittedAt: string | null;
            /** @description When the provider accepted it */
            acceptedAt: string | null;
            /**
             * Format: date-time
             * @description When the next step is due
             */
            dueAt: string;
            /** @description When the lease of a worker ends; null: no worker has claimed it */
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
            /** @description When it was sent to the provider */
            submittedAt: string | null;
            /** @description When the provider accepted it */
            acceptedAt: string | null;
            /** @description When the provider was first known to have finished */
            resultAt: string | null;
            /** @description When it was completed or failed */
            completedAt: string | null;
            /** @description When its user deleted it */
            deletedAt: string | null;
            /** @description When retention removed the film */
            filesRemovedAt: string | null;
            /**
             * Format: date-time
             * @description Deadline of the provider
             */
            deadlineAt: string;
            /** @description When the next step is due; null: it has ended */
            dueAt: string | null;
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
            /** @description Within the last 24 hours; within the window when the last hour has 5,000 outcomes or more */
            lastSuccessAt: string | null;
            /** @description As lastSuccessAt; also of a submit that was repeated with success */
            lastFailureAt: string | null;
            /** @description The reason of that failure */
            lastFailureReason: string | null;
        };
        Overview: {
            /** Format: date */
            from: string;
            /** Format: date */
            to: string;
            /** @description What a credit is worth, the setting CREDIT_USD; null: unknown */
            creditUsd: number | null;
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
                /** @description creditsEarned × creditUsd; null without creditUsd */
                earnedUsd: number | null;
                /** @description Of the films whose cost is known; null when none is */
                costUsd: number | null;
                /** @description What the films whose cost is known have earned, less that cost; null as costUsd */
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
            /** @description Days on which a film ended or a payment was made, the oldest first */
            days: {
                /**
                 * Format: date
                 * @description In UTC
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
                    /** @description When it got to its end; null: never */
                    checkedAt: string | null;
                };
                /** @description Read every five minutes; null: BACKUP_TO is not set */
                backup: {
                    /** @description BACKUP_TO */
                    target: string;
                    /** @description Of the newest backup; null: there is none */
                    madeAt: string | null;
                    /** @description Why backups cannot be listed */
                    error: string | null;
                } | null;
                /** @description Of the disk that has DATA_DIR */
                freeBytes: number;
            };
        };
        AdminPayment: {
            userId: string;
            /** @description The user’s e-mail address; null for a team, and when the account was deleted */
            email: string | null;
            /** @description The name of the team, empty when it was deleted; null for a user */
            team: string | null;
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
            /** @description Start of the period that is paid for */
            currentPeriodStart: string | null;
            /** @description End of that period */
            currentPeriodEnd: string | null;
            cancelAtPeriodEnd: boolean;
            /** @description When it was cancelled */
            cancelledAt: string | null;
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
            /** @description When it was applied */
            appliedAt: string | null;
            /** @description When it is tried again by itself */
            retryAt: string | null;
            /** @description When an administrator dismissed it */
            dismissedAt: string | null;
            /** @description Why, in the words of the administrator */
            dismissedReason: string | null;
            /** @description What applying it does by today’s catalogue, in sentences */
            effects: string[];
            /** @description The raw body */
            body: string;
        };
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
            /** @description When it was applied */
            appliedAt: string | null;
            /** @description When it is tried again by itself */
            retryAt: string | null;
            /** @description When an administrator dismissed it */
            dismissedAt: string | null;
            /** @description Why, in the words of the administrator */
            dismissedReason: string | null;
        };
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
            /** @description When it was last sent */
            attemptedAt: string | null;
            /** @description When it is sent next; null when its status is final */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description It is not sent after this time
             */
            expiresAt: string;
            /** @description Whether it can be sent again: it has failed, and has no link for its reader */
            canRetry: boolean;
        };
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
            /** @description When it was last sent */
            attemptedAt: string | null;
            /** @description When it is sent next; null when its status is final */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description It is not sent after this time
             */
            expiresAt: string;
            /** @description Whether it can be sent again: it has failed, and has no link for its reader */
            canRetry: boolean;
            /** @description As plain text */
            text: string;
        };
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
            /** @description In order of preference */
            routes: {
                account: string;
                /**
                 * @description failing: half of its last tasks failed, and it is tried last; waiting: its account has no settings
                 * @enum {unknown}
                 */
                state: "in-use" | "failing" | "waiting" | "off";
                /** @description null: it does not fail */
                failingSince: string | null;
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
                    /** @description second, clip or megapixel */
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
                    /** @description As margin, of what the cheapest credits for sale bring */
                    marginOfCheapest: number | null;
                } | null;
            }[];
        };
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
            /** @description When an account was made with it */
            usedAt: string | null;
            /** @description The id of that user; null after the deletion of the account */
            usedBy: string | null;
        };
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
        Product: {
            id: string;
            name: string;
            /** @description pack or subscription */
            kind: string;
            /** @description Of a yearly plan: for the whole year, granted at once */
            credits: number;
            /** @description month or year; null for a pack */
            period: string | null;
            /** @description Days until a pack’s credits expire; null for a subscription */
            validDays: number | null;
            price: {
                cents: number;
                currency: string;
            };
        };
        /** @enum {unknown} */
        PaymentProcessor: "payment-a" | "payment-b";
        /** @enum {unknown} */
        WebhookEventType: "video.completed" | "video.failed" | "video.cancelled" | "video.deleted" | "credit.added" | "credit.low" | "credit.expiring" | "subscription.updated";
        MadeBy: {
            /** Format: uuid */
            id: string;
            /** @description null: a former member */
            name: string | null;
        };
        CreatedWebhookEndpoint: {
            /** Format: uuid */
            id: string;
            url: string;
            /** @description As sent */
            description: string | null;
            /** @description Types of event that it gets; empty: all */
            events: components["schemas"]["WebhookEventType"][];
            /** @description The subject of browser tokens of whose videos alone it gets events; null: all events */
            subject: string | null;
            enabled: boolean;
            /** @description owner: by you; gone: it responded with 410; failing: for five days; null while it is enabled */
            disabledReason: ("owner" | "gone" | "failing") | null;
            /** @description When it was disabled */
            disabledAt: string | null;
            /** @description The first failure since the last success; null when the latest attempt succeeded */
            failingSince: string | null;
            /**
             * Format: date-time
             * @description When it was created
             */
            createdAt: string;
            /** @description The member of the team who answers for it; null: it is your own */
            madeBy: components["schemas"]["MadeBy"] | null;
            /** @description Since when it is suspended, because an administrator has locked or deleted the account of its maker */
            suspendedAt: string | null;
            /** @description When it ends unless an owner takes it over; null: it is not suspended */
            endsAt: string | null;
            /**
             * Format: date-time
             * @description When it was last changed by you
             */
            updatedAt: string;
            /** @description Signs the deliveries: whsec_ and base64. Shown this once */
            secret: string;
        };
        WebhookEndpoint: {
            /** Format: uuid */
            id: string;
            url: string;
            /** @description As sent */
            description: string | null;
            /** @description Types of event that it gets; empty: all */
            events: components["schemas"]["WebhookEventType"][];
            /** @description The subject of browser tokens of whose videos alone it gets events; null: all events */
            subject: string | null;
            enabled: boolean;
            /** @description owner: by you; gone: it responded with 410; failing: for five days; null while it is enabled */
            disabledReason: ("owner" | "gone" | "failing") | null;
            /** @description When it was disabled */
            disabledAt: string | null;
            /** @description The first failure since the last success; null when the latest attempt succeeded */
            failingSince: string | null;
            /**
             * Format: date-time
             * @description When it was created
             */
            createdAt: string;
            /** @description The member of the team who answers for it; null: it is your own */
            madeBy: components["schemas"]["MadeBy"] | null;
            /** @description Since when it is suspended, because an administrator has locked or deleted the account of its maker */
            suspendedAt: string | null;
            /** @description When it ends unless an owner takes it over; null: it is not suspended */
            endsAt: string | null;
            /**
             * Format: date-time
             * @description When it was last changed by you
             */
            updatedAt: string;
        };
        WebhookSecret: {
            /** @description Signs the deliveries: whsec_ and base64. Shown this once */
            secret: string;
            /**
             * Format: date-time
             * @description Until when deliveries carry the signature of the previous secret too
             */
            previousUntil: string;
        };
        ListedDelivery: {
            /** @description The header webhook-id, the same at every attempt */
            id: string;
            /** @description The type of the event, or webhook.test */
            type: string;
            /**
             * @description failed: no attempt is left; redeliver starts again
             * @enum {unknown}
             */
            status: "pending" | "delivered" | "failed";
            attempts: number;
            /** @description HTTP status of the latest attempt */
            responseStatus: number | null;
            /** @description Why the latest attempt failed */
            error: string | null;
            /**
             * Format: date-time
             * @description When the event happened
             */
            createdAt: string;
            /** @description When it was last sent */
            attemptedAt: string | null;
            /** @description When it is sent next; null when its status is final */
            nextAttemptAt: string | null;
        };
        Delivery: {
            /** @description The header webhook-id, the same at every attempt */
            id: string;
            /** @description The type of the event, or webhook.test */
            type: string;
            /**
             * @description failed: no attempt is left; redeliver starts again
             * @enum {unknown}
             */
            status: "pending" | "delivered" | "failed";
            attempts: number;
            /** @description HTTP status of the latest attempt */
            responseStatus: number | null;
            /** @description Why the latest attempt failed */
            error: string | null;
            /**
             * Format: date-time
             * @description When the event happened
             */
            createdAt: string;
            /** @description When it was last sent */
            attemptedAt: string | null;
            /** @description When it is sent next; null when its status is final */
            nextAttemptAt: string | null;
            request: {
                url: string;
                /** @description Of the latest attempt, without its signature */
                headers: {
                    [key: string]: string;
                };
                /** @description The JSON that is signed, byte for byte */
                body: string;
            };
            /** @description Of the latest attempt; null without a response */
            response: {
                status: number;
                /** @description Its first 4096 bytes */
                body: string;
                durationMs: number;
            } | null;
        };
        SubjectErasure: {
            subject: string;
            left: {
                /** @description In progress, or not erased yet */
                videos: number;
                /** @description Uploads that are not removed yet */
                images: number;
            };
            /** @description Whether nothing is left */
            erased: boolean;
        };
        Notices: {
            /** @description The available credits fall below the threshold of PUT /api/v1/credit/alert */
            "credit.low": boolean;
            /** @description Credits expire within seven days, once a package */
            "credit.expiring": boolean;
            /** @description A payment for the subscription failed */
            "payment.failed": boolean;
            /** @description A film is completed or has failed; off until it is switched on */
            "video.done": boolean;
            /** @description A webhook endpoint was disabled */
            "webhook.disabled": boolean;
            /** @description Keys or endpoints of a team were suspended, whose maker an administrator has locked or deleted; to owners */
            "team.suspended": boolean;
        };
        NoticeSettings: {
            /** @description Whether this service sends mail */
            isMailSetUp: boolean;
            notices: components["schemas"]["Notices"];
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
        OwnApiKey: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description The first characters, to distinguish keys */
            start: string;
            /** @description read: reads films, models, events and credits; generate: makes, cancels, deletes and shares films; account: all the rest */
            scopes: components["schemas"]["Scope"][];
            /** @description What it may spend in a period; null: as much as the account has */
            budget: components["schemas"]["KeyBudgetState"] | null;
            used: components["schemas"]["KeyUse"];
            /** @description When it expires; null: never */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When it was created
             */
            createdAt: string;
        };
        OwnToken: {
            /** @description Whose films the token makes and reaches; of a token without a subject its own, which begins with token: */
            subject: string;
            scopes: ("read" | "generate")[];
            /** @description Credits that it may spend in all */
            budget: number;
            /** @description Credits that it may still spend; the budget of its key counts as well */
            left: number;
            /**
             * Format: date-time
             * @description When it ends
             */
            expiresAt: string;
        };
        TokenRequest: {
            /** @description Your id of the visitor: letters, digits and . _ @ -, at most 64, a letter or digit first. What the token makes carries it, and the token reaches nothing else; without it each token has a subject of its own */
            subject?: string;
            /**
             * @description What the token may do; at most what the key may. With generate it reads as well
             * @default [
             *       "read"
             *     ]
             */
            scopes?: ("read" | "generate")[];
            /**
             * @description Credits that the token may spend; the budget of the key counts as well. With 0 it reads only
             * @default 0
             */
            budget?: number;
            /**
             * @description How long it lasts
             * @default 600
             */
            seconds?: number;
        };
        BrowserToken: {
            /** @description Shown this once */
            token: string;
            /** @description Whose films the token makes and reaches; of a token without a subject its own, which begins with token: */
            subject: string;
            /**
             * Format: date-time
             * @description When it ends
             */
            expiresAt: string;
        };
        Team: {
            /**
             * Format: uuid
             * @description The value of X-Team
             */
            id: string;
            name: string;
            role: components["schemas"]["TeamRole"];
            /** @description How many it has */
            members: number;
            /** @description Whether an administrator has locked it: requests for it are refused */
            locked: boolean;
            /** @description Whether it refuses members without a second factor */
            secondFactorRequired: boolean;
            /**
             * Format: date-time
             * @description When it was made
             */
            createdAt: string;
        };
        TeamDetail: {
            /**
             * Format: uuid
             * @description The value of X-Team
             */
            id: string;
            name: string;
            role: components["schemas"]["TeamRole"];
            /** @description How many it has */
            members: number;
            /** @description Whether an administrator has locked it: requests for it are refused */
            locked: boolean;
            /** @description Whether it refuses members without a second factor */
            secondFactorRequired: boolean;
            /**
             * Format: date-time
             * @description When it was made
             */
            createdAt: string;
            /** @description What the member may spend in a period; null: as much as the team has */
            budget: {
                credits: number;
                /** @enum {unknown} */
                period: "day" | "week" | "month";
                used: number;
                /**
                 * Format: date-time
                 * @description When the next period begins
                 */
                resetAt: string;
            } | null;
            /** @description Credits frozen or spent in the UTC day, the ISO week and the calendar month */
            used: {
                day: number;
                week: number;
                month: number;
            };
            balance: components["schemas"]["Balance"];
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
        CreatedTeamInvitation: {
            /** Format: uuid */
            id: string;
            /** @description The one address that may accept it */
            email: string;
            role: components["schemas"]["TeamRole"];
            /** @description The member who invited, or invited again */
            actorId: string;
            /** @description The name of this member */
            inviter: string | null;
            /**
             * Format: date-time
             * @description When it was made, or made anew
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Until when it can be accepted
             */
            expiresAt: string;
            /** @description For the invited person; shown this once. Where mail is set up, it is not that of the mail, and needs an account whose address is verified */
            link: string;
        };
        TeamInvitation: {
            /** Format: uuid */
            id: string;
            /** @description The one address that may accept it */
            email: string;
            role: components["schemas"]["TeamRole"];
            /** @description The member who invited, or invited again */
            actorId: string;
            /** @description The name of this member */
            inviter: string | null;
            /**
             * Format: date-time
             * @description When it was made, or made anew
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Until when it can be accepted
             */
            expiresAt: string;
        };
        CreatedTeamKey: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description The first characters, to distinguish keys */
            start: string;
            enabled: boolean;
            /** @description read: reads films, models, events and credits; generate: makes, cancels, deletes and shares films; account: all the rest */
            scopes: components["schemas"]["Scope"][];
            /** @description What it may spend in a period; null: as much as the account has */
            budget: components["schemas"]["KeyBudgetState"] | null;
            used: components["schemas"]["KeyUse"];
            /** @description When it was last used, to the minute */
            lastRequest: string | null;
            /** @description When it expires; null: never */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When it was created
             */
            createdAt: string;
            /** @description The member of the team who answers for it; null: it is your own */
            madeBy: components["schemas"]["MadeBy"] | null;
            /** @description Since when it is suspended, because an administrator has locked or deleted the account of its maker */
            suspendedAt: string | null;
            /** @description When it ends unless an owner takes it over; null: it is not suspended */
            endsAt: string | null;
            /** @description Shown this once; send it as x-api-key, without X-Team */
            key: string;
        };
        TeamKey: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description The first characters, to distinguish keys */
            start: string;
            enabled: boolean;
            /** @description read: reads films, models, events and credits; generate: makes, cancels, deletes and shares films; account: all the rest */
            scopes: components["schemas"]["Scope"][];
            /** @description What it may spend in a period; null: as much as the account has */
            budget: components["schemas"]["KeyBudgetState"] | null;
            used: components["schemas"]["KeyUse"];
            /** @description When it was last used, to the minute */
            lastRequest: string | null;
            /** @description When it expires; null: never */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When it was created
             */
            createdAt: string;
            /** @description The member of the team who answers for it; null: it is your own */
            madeBy: components["schemas"]["MadeBy"] | null;
            /** @description Since when it is suspended, because an administrator has locked or deleted the account of its maker */
            suspendedAt: string | null;
            /** @description When it ends unless an owner takes it over; null: it is not suspended */
            endsAt: string | null;
        };
        TeamGiven: {
            /** @enum {unknown} */
            kind: "invitation" | "key" | "endpoint" | "program";
            /** Format: uuid */
            id: string;
            /** @description The invited address, the name of the key or the program, or the URL of the endpoint */
            name: string;
        };
        TeamProgram: {
            /** Format: uuid */
            id: string;
            /** @description As it calls itself; may be empty */
            name: string;
            /** @description read: reads films, models, events and credits; generate: makes, cancels, deletes and shares films; account: all the rest */
            scopes: components["schemas"]["Scope"][];
            /** @description What it may spend in a period; null: as much as the account has */
            budget: components["schemas"]["KeyBudgetState"] | null;
            used: components["schemas"]["KeyUse"];
            /** @description The member for whom it acts, and who may do no less than it */
            connectedBy: {
                /** Format: uuid */
                id: string;
                name: string;
            };
            /**
             * Format: date-time
             * @description When it was connected
             */
            createdAt: string;
        };
        TeamLogEntry: {
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description When it was done
             */
            createdAt: string;
            /** @description What was done: team.create, team.rename, team.set-second-factor, team.invite, team.revoke-invitation, team.join, team.leave, team.remove-member, team.set-role, team.set-budget, team.create-key, team.delete-key, team.create-endpoint, team.delete-endpoint, team.connect-program, team.disconnect-program, team.take-over-key, team.take-over-endpoint, team.delete-folder, team.buy, team.move-credits; by those who run the service such as team.lock, credits.add; others may follow */
            action: string;
            /**
             * @description operator: those who run the service; service: the service itself, such as for a payment
             * @enum {unknown}
             */
            by: "member" | "key" | "operator" | "service";
            /** @description The member or the API key; null for the others */
            actorId: string | null;
            /** @description Of a member or a former one; null when the account is gone */
            actorName: string | null;
            /** @description Id of the member, invitation, key, endpoint, folder, package or transfer that it concerns */
            subject: string | null;
            /** @description Of a member or a former one */
            subjectName: string | null;
            /** @description What changed, by field: role, budget, period, credits, name, email, scopes, origin, invitedBy */
            before: {
                [key: string]: unknown;
            } | null;
            /** @description What changed, by field: role, budget, period, credits, name, email, scopes, origin, invitedBy */
            after: {
                [key: string]: unknown;
            } | null;
        };
        /**
         * @description Of the mails to you (BCP 47)
         * @enum {unknown}
         */
        Language: "en" | "zh-Hans";
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
            /** @description When the lock ends; null: when an administrator removes it */
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
            token: string;
            user: components["schemas"]["User"];
        };
        AuthError: {
            /** @description What went wrong, for programs */
            code: string;
            /** @description What went wrong and what to do, for people */
            message: string;
        };
        Success: {
            success: boolean;
        };
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
        Status: {
            status: boolean;
        };
        CreatedApiKey: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description The first characters, to distinguish keys */
            start: string;
            enabled: boolean;
            /** @description read: reads films, models, events and credits; generate: makes, cancels, deletes and shares films; account: all the rest */
            scopes: components["schemas"]["Scope"][];
            /** @description What it may spend in a period; null: as much as the account has */
            budget: components["schemas"]["KeyBudgetState"] | null;
            used: components["schemas"]["KeyUse"];
            /** @description When it was last used, to the minute */
            lastRequest: string | null;
            /** @description When it expires; null: never */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When it was created
             */
            createdAt: string;
            /** @description Send it as x-api-key */
            key: string;
        };
        ApiKey: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description The first characters, to distinguish keys */
            start: string;
            enabled: boolean;
            /** @description read: reads films, models, events and credits; generate: makes, cancels, deletes and shares films; account: all the rest */
            scopes: components["schemas"]["Scope"][];
            /** @description What it may spend in a period; null: as much as the account has */
            budget: components["schemas"]["KeyBudgetState"] | null;
            used: components["schemas"]["KeyUse"];
            /** @description When it was last used, to the minute */
            lastRequest: string | null;
            /** @description When it expires; null: never */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When it was created
             */
            createdAt: string;
        };
        ProviderRedirect: {
            /** Format: uri */
            url: string;
            redirect: boolean;
        };
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
        VideoEvent: {
            /** Format: uuid */
            uuid: string;
            model: string;
            /**
             * @description PENDING, GENERATING, UPLOADING, then COMPLETED or FAILED, which are final
             * @enum {unknown}
             */
            status: "PENDING" | "GENERATING" | "UPLOADING" | "COMPLETED" | "FAILED";
            /** @description How the film says that it is made by AI; null until it is COMPLETED */
            provenance: {
                /** @description Whether the film has signed content credentials (C2PA) */
                signed: boolean;
                /** @description Whose certificate they are signed with */
                signer: string | null;
                /** @description AIGC: the film has the label of GB 45438-2025 */
                label: "AIGC" | null;
                /** @description Signed link to a manifest beside the film; null: it is in the film. Not in webhooks */
                manifestUrl?: string | null;
            } | null;
            /** @description Seconds */
            duration: number;
            /** @description As requested; of the film itself once it is COMPLETED */
            aspectRatio: string;
            /** @description The price in credits; 0 once released */
            creditsUsed: number;
            /**
             * Format: date-time
             * @description When the video was requested
             */
            createdAt: string;
            /** @description When the film was ready */
            completedAt: string | null;
            /** @description As requested; null when the provider was to choose one */
            seed: number | null;
            /** @description The video that this one continues */
            extendedFrom: string | null;
            /** @description The video that this one enlarges */
            upscaledFrom: string | null;
            /** @description The same for all videos of one request with n; null for one that was requested alone */
            batchId: string | null;
            /** @description Of its browser token; null: none */
            subject: string | null;
            /** @description As requested; null: none */
            metadata: {
                [key: string]: string;
            } | null;
            /** @description Why the video failed */
            error: string | null;
            /** @description null unless the video is FAILED */
            failure: {
                /**
                 * @description Why it failed, for programs
                 * @enum {unknown}
                 */
                code: "CONTENT_REFUSED" | "PARAMETERS_REFUSED" | "IMAGE_REFUSED" | "PROVIDER_ERROR" | "PROVIDER_BUSY" | "ACCOUNT" | "TIMED_OUT" | "CANCELLED" | "LOST" | "NOT_ACCEPTED" | "FILM_UNUSABLE" | "FILM_UNREACHABLE" | "NOT_AS_ORDERED" | "NOT_STORED";
                /** @description The same as error */
                message: string;
                /** @description Whether the same request may succeed when it is made again */
                retryable: boolean;
            } | null;
            /** @description As requested; of the film itself once it is COMPLETED */
            quality: string;
        };
        CreditAdded: {
            /** Format: uuid */
            packageId: string;
            /** @description As in GET /api/v1/credit/history */
            transType: string;
            credits: number;
            /** @description The number of the purchase */
            orderNo: string | null;
            /**
             * Format: date-time
             * @description When they expire
             */
            expiresAt: string;
        };
        CreditLow: {
            available: number;
            threshold: number;
        };
        CreditExpiring: {
            /** Format: uuid */
            packageId: string;
            credits: number;
            /**
             * Format: date-time
             * @description When they expire
             */
            expiresAt: string;
        };
        SubscriptionEvent: {
            /** Format: uuid */
            id: string;
            /** @description An id of GET /api/v1/config/plans */
            plan: string | null;
            /** @description As in GET /api/v1/billing/subscription */
            status: string;
            /** @description Start of the period that is paid for */
            currentPeriodStart: string | null;
            /** @description End of that period */
            currentPeriodEnd: string | null;
            cancelAtPeriodEnd: boolean;
            /** @description When it was cancelled */
            cancelledAt: string | null;
        };
        WebhookTest: {
            /** Format: uuid */
            endpointId: string;
        };
    };
    responses: {
        /** @description Bad Request */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Unauthorized */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Payment Required */
        PaymentRequired: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Forbidden */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Not Found */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Conflict */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Payload Too Large */
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Unsupported Media Type */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Unprocessable Entity */
        UnprocessableEntity: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too Many Requests */
        TooManyRequests: {
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
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Internal Server Error */
        InternalServerError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Service Unavailable */
        ServiceUnavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Bad Request */
        AuthBadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AuthError"];
            };
        };
        /** @description Forbidden */
        AuthForbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AuthError"];
            };
        };
        /** @description Unsupported Media Type */
        AuthUnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AuthError"];
            };
        };
        /** @description Unprocessable Entity */
        AuthUnprocessableEntity: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AuthError"];
            };
        };
        /** @description Unauthorized */
        AuthUnauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AuthError"];
            };
        };
        /** @description Not Found */
        AuthNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AuthError"];
            };
        };
        /** @description Conflict */
        AuthConflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["AuthError"];
            };
        };
    };
    parameters: never;
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
    generateVideo: {
        parameters: {
            query?: never;
            header?: {
                /** @description Up to 255 characters of your choice. A repeated request with the same key and body returns the first response, with the header Idempotent-Replayed, and does nothing twice, for at least 24 hours; the same key with another body is 422. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GenerateRequest"] | components["schemas"]["UpscaleRequest"];
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["GeneratedVideo"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    quoteVideo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuoteRequest"] | components["schemas"]["UpscaleRequest"];
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Quote"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listVideos: {
        parameters: {
            query?: {
                /** @description From 1 */
                page?: number;
                pageSize?: number;
                /** @description nextCursor of the previous page; equally fast at any depth. page is ignored */
                cursor?: string;
                /** @description PENDING, GENERATING, UPLOADING, then COMPLETED or FAILED, which are final */
                status?: "PENDING" | "GENERATING" | "UPLOADING" | "COMPLETED" | "FAILED";
                /** @description Only videos of this model */
                model?: string;
                /** @description Only videos made of this */
                mode?: "text-to-video" | "image-to-video" | "first-last" | "reference" | "extend" | "upscale";
                /** @description Only favourites, or with false all others */
                favourite?: boolean;
                /** @description Only videos in the folder with this id; none: those in no folder */
                folder?: string;
                /** @description Only videos that this member of the team, API key or connected program made */
                madeBy?: string;
                /** @description Only videos that browser tokens of this subject made */
                subject?: string;
                /** @description Only videos with these notes: metadata[order]=1234, more of them together */
                metadata?: {
                    [key: string]: string;
                };
                /** @description Only videos requested then or later */
                from?: string;
                /** @description Only videos requested before */
                to?: string;
                /** @description Which comes first */
                sort?: "newest" | "oldest";
                /** @description Only videos with this text in their prompt, case-insensitive. Of more than 2,000 videos, total counts 200 at most. */
                q?: string;
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
                        /** @constant */
                        success: true;
                        data: {
                            videos: components["schemas"]["ListedVideo"][];
                            /** @description Who made these: members of the team, API keys, or connected programs; none for sessions of your own */
                            makers: components["schemas"]["Maker"][];
                            /** @description Number of all rows that match */
                            total: number;
                            page: number;
                            pageSize: number;
                            /** @description Cursor of the next page; null on the last */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTask: {
        parameters: {
            query: {
                /** @description The uuid that generate returned */
                uuid: string;
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["TaskStatus"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getVideo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The uuid that generate returned */
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Video"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteVideo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The uuid that generate returned */
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** Format: uuid */
                            uuid: string;
                            /** @constant */
                            deleted: true;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cancelVideo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The uuid that generate returned */
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CancelledVideo"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    arrangeVideos: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Of videos of yours */
                    uuids: string[];
                    favourite?: boolean;
                    /** @description null: out of the folder in which they are */
                    folderId?: string | null;
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["BulkOutcome"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteVideos: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Of videos of yours */
                    uuids: string[];
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["BulkOutcome"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    archiveVideos: {
        parameters: {
            query: {
                /** @description Once for each film: uuid=…&uuid=… */
                uuid: string[];
                /** @description The id of a team, in the place of X-Team where no header can be sent */
                team?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A ZIP file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listVideoFolders: {
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
                        /** @constant */
                        success: true;
                        data: {
                            folders: components["schemas"]["VideoFolder"][];
                        };
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createVideoFolder: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description No two of your folders have the same. One line of visible characters, without direction marks and without the beginning of an address; blanks around it are removed */
                    name: string;
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["VideoFolder"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteVideoFolder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the folder */
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            id: string;
                            /** @constant */
                            deleted: true;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    renameVideoFolder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the folder */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description No two of your folders have the same. One line of visible characters, without direction marks and without the beginning of an address; blanks around it are removed */
                    name: string;
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["VideoFolder"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The uuid that generate returned */
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** @description null: the film is not shared */
                            share: components["schemas"]["Share"] | null;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    shareVideo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The uuid that generate returned */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Whether the page shows the prompt; false when left out */
                    showsPrompt?: boolean;
                    /** @description Whether the page offers the film as a file; false when left out */
                    allowsDownload?: boolean;
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
                        /** @constant */
                        success: true;
                        data: {
                            share: components["schemas"]["Share"];
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeShare: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The uuid that generate returned */
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            share: null;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSharedVideo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The last part of the url of the share */
                token: string;
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["SharedVideo"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    verifyProvenance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description SHA-256 of the file, in hexadecimal */
                    sha256: string;
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ProvenanceVerification"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPublication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The uuid that generate returned */
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** @description null: the film is not published */
                            publication: components["schemas"]["Publication"] | null;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    publishVideo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The uuid that generate returned */
                uuid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Whether your name is shown with it
                     * @default false
                     */
                    showsName?: boolean;
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
                        /** @constant */
                        success: true;
                        data: {
                            publication: components["schemas"]["Publication"];
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    unpublishVideo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The uuid that generate returned */
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** @description null: the film is not published */
                            publication: components["schemas"]["Publication"] | null;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPublishedFilms: {
        parameters: {
            query?: {
                pageSize?: number;
                /** @description nextCursor of the previous page */
                cursor?: string;
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
                        /** @constant */
                        success: true;
                        data: {
                            films: components["schemas"]["PublishedFilm"][];
                            pageSize: number;
                            /** @description Cursor of the next page; null on the last */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPublishedFilm: {
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["PublishedFilm"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    reportPublishedFilm: {
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
                    /**
                     * @description person: it shows a person who has not agreed
                     * @enum {unknown}
                     */
                    reason: "sexual" | "violence" | "hate" | "person" | "copyright" | "spam" | "other";
                    /** @description What administrators should know */
                    note?: string;
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
                        /** @constant */
                        success: true;
                        data: {
                            /** @constant */
                            reported: true;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    uploadImage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "image/png": Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;
                "image/jpeg": Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;
                "image/webp": Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["UploadedImage"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    streamVideoEvents: {
        parameters: {
            query?: {
                /** @description Only videos that browser tokens of this subject made */
                subject?: string;
                /** @description The same, for clients that cannot send headers; the header takes precedence */
                lastEventId?: string;
            };
            header?: {
                /** @description The last id received, to resume after it */
                "last-event-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A stream of events */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listModels: {
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
                        /** @constant */
                        success: true;
                        data: {
                            models: components["schemas"]["Model"][];
                        };
                    };
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPromptTemplates: {
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
                        /** @constant */
                        success: true;
                        data: {
                            templates: components["schemas"]["PromptTemplate"][];
                        };
                    };
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSignInOptions: {
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["SignInOptions"];
                    };
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getBalance: {
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Balance"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPackages: {
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
                        /** @constant */
                        success: true;
                        data: {
                            packages: components["schemas"]["CreditPackage"][];
                        };
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTransactions: {
        parameters: {
            query?: {
                /** @description From 1 */
                page?: number;
                pageSize?: number;
                /** @description nextCursor of the previous page; equally fast at any depth. page is ignored */
                cursor?: string;
                /** @description Why the credits moved. SYSTEM_ADJUST: by an administrator, for a redemption code, or between a user and a team (`source` begins with transfer:) */
                transType?: "NEW_USER" | "ORDER_PAY" | "SUBSCRIPTION" | "VIDEO_CONSUME" | "REFUND" | "EXPIRED" | "SYSTEM_ADJUST";
                /** @description Whether rows of films have the prompt */
                prompts?: boolean;
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CreditHistory"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCreditAlert: {
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CreditAlert"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    setCreditAlert: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description credit.low is sent when the available credits fall below this; null: never */
                    below: number | null;
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CreditAlert"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getGift: {
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Gift"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    markGiftSeen: {
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Gift"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    redeemCode: {
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            credits: number;
                            /**
                             * Format: date-time
                             * @description When they expire
                             */
                            expiryDate: string;
                            /** @description You had redeemed it before */
                            replayed: boolean;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCreditUsage: {
        parameters: {
            query?: {
                /** @description First day, in UTC; default: 29 days before the last */
                from?: string;
                /** @description Last day; default: today. At most 366 days */
                to?: string;
                /** @description maker: the API keys, or the members of the team */
                by?: "day" | "model" | "maker";
                /** @description Only films that browser tokens of this subject made */
                subject?: string;
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
                        /** @constant */
                        success: true;
                        data: {
                            /** Format: date */
                            from: string;
                            /** Format: date */
                            to: string;
                            rows: components["schemas"]["CreditUsage"][];
                            /** @description Who made these: members of the team, API keys, or connected programs; none for sessions of your own */
                            makers: components["schemas"]["Maker"][];
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    downloadCreditUsage: {
        parameters: {
            query?: {
                /** @description First day, in UTC; default: 29 days before the last */
                from?: string;
                /** @description Last day; default: today. At most 366 days */
                to?: string;
                /** @description maker: the API keys, or the members of the team */
                by?: "day" | "model" | "maker";
                /** @description Only films that browser tokens of this subject made */
                subject?: string;
                /** @description The id of a team, in the place of X-Team where no header can be sent */
                team?: string;
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    addCredits: {
        parameters: {
            query?: never;
            header?: {
                /** @description Up to 255 characters of your choice. A repeated request with the same key and body returns the first response, with the header Idempotent-Replayed, and does nothing twice, for at least 24 hours; the same key with another body is 422. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    credits: number;
                    /** @description The user who receives them; you when left out */
                    userId?: string;
                    /**
                     * @description Days until they expire
                     * @default 365
                     */
                    expiryDays?: number;
                    /** @description Shown in the user’s history */
                    remark?: string;
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            credits: number;
                            userId: string;
                            /**
                             * Format: date-time
                             * @description When they expire
                             */
                            expiryDate: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** @description The check in progress, with what it has found so far */
                            running: components["schemas"]["LedgerCheck"] | null;
                            /** @description The last check that has ended */
                            last: components["schemas"]["LedgerCheck"] | null;
                        };
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["LedgerCheck"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCosts: {
        parameters: {
            query?: {
                /** @description First day, in UTC; default: 29 days before the last */
                from?: string;
                /** @description Last day; default: today. At most 366 days */
                to?: string;
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** Format: date */
                            from: string;
                            /** Format: date */
                            to: string;
                            /** @description What a credit is worth, the setting CREDIT_USD; null: unknown */
                            creditUsd: number | null;
                            total: components["schemas"]["Costs"];
                            rows: components["schemas"]["Costs"][];
                            /** @description false: there are more rows */
                            isComplete: boolean;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    downloadCosts: {
        parameters: {
            query?: {
                /** @description First day, in UTC; default: 29 days before the last */
                from?: string;
                /** @description Last day; default: today. At most 366 days */
                to?: string;
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    takeCredits: {
        parameters: {
            query?: never;
            header?: {
                /** @description Up to 255 characters of your choice. A repeated request with the same key and body returns the first response, with the header Idempotent-Replayed, and does nothing twice, for at least 24 hours; the same key with another body is 422. */
                "idempotency-key"?: string;
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
                    dryRun?: boolean;
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["TakenCredits"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    collectOwed: {
        parameters: {
            query?: never;
            header?: {
                /** @description Up to 255 characters of your choice. A repeated request with the same key and body returns the first response, with the header Idempotent-Replayed, and does nothing twice, for at least 24 hours; the same key with another body is 422. */
                "idempotency-key"?: string;
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
                    dryRun?: boolean;
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["OwedSettlement"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    forgiveOwed: {
        parameters: {
            query?: never;
            header?: {
                /** @description Up to 255 characters of your choice. A repeated request with the same key and body returns the first response, with the header Idempotent-Replayed, and does nothing twice, for at least 24 hours; the same key with another body is 422. */
                "idempotency-key"?: string;
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
                    dryRun?: boolean;
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["OwedSettlement"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    reverseExpiry: {
        parameters: {
            query?: never;
            header?: {
                /** @description Up to 255 characters of your choice. A repeated request with the same key and body returns the first response, with the header Idempotent-Replayed, and does nothing twice, for at least 24 hours; the same key with another body is 422. */
                "idempotency-key"?: string;
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
                    dryRun?: boolean;
                    /** @description The package whose credits have expired */
                    packageId: string;
                    /** @description Days from now until they expire again; without it they keep the expiry of their package */
                    expiryDays?: number;
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
                    "application/json": {
                        /** @constant */
                        success: true;
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                pageSize?: number;
                /** @description nextCursor of the previous page */
                cursor?: string;
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
                        /** @constant */
                        success: true;
                        data: {
                            entries: components["schemas"]["AuditEntry"][];
                            /** @description Number of all rows that match */
                            total: number;
                            pageSize: number;
                            /** @description Cursor of the next page; null on the last */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description A part of the e-mail address or the name, or a whole user id. Of more than 2,000 users, total counts 200 at most. */
                q?: string;
                /** @description true: only users who owe credits; not with q or a period */
                owes?: boolean;
                /** @description Those who signed up from this day on, in UTC; not with q */
                from?: string;
                /** @description Last day; default: today. At most 366 days */
                to?: string;
                pageSize?: number;
                /** @description nextCursor of the previous page */
                cursor?: string;
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
                        /** @constant */
                        success: true;
                        data: {
                            users: components["schemas"]["ListedUser"][];
                            /** @description Number of all rows that match */
                            total: number;
                            pageSize: number;
                            /** @description Cursor of the next page; null on the last */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["UserDetail"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["DeletedAccount"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listUserTransactions: {
        parameters: {
            query?: {
                /** @description From 1 */
                page?: number;
                pageSize?: number;
                /** @description nextCursor of the previous page; equally fast at any depth. page is ignored */
                cursor?: string;
                /** @description Why the credits moved. SYSTEM_ADJUST: by an administrator, for a redemption code, or between a user and a team (`source` begins with transfer:) */
                transType?: "NEW_USER" | "ORDER_PAY" | "SUBSCRIPTION" | "VIDEO_CONSUME" | "REFUND" | "EXPIRED" | "SYSTEM_ADJUST";
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CreditHistory"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            subscriptions: components["schemas"]["Subscription"][];
                            payments: components["schemas"]["UserPayment"][];
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            userId: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTeamsAsAdmin: {
        parameters: {
            query?: {
                /** @description A part of its name, or of the e-mail address or name of a member, which finds 100 users at most, or a whole id */
                q?: string;
                /** @description true: only teams that owe credits */
                owes?: boolean;
                pageSize?: number;
                /** @description nextCursor of the previous page */
                cursor?: string;
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
                        /** @constant */
                        success: true;
                        data: {
                            teams: components["schemas"]["ListedTeam"][];
                            /** @description Number of all rows that match */
                            total: number;
                            pageSize: number;
                            /** @description Cursor of the next page; null on the last */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["AdminTeam"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            id: string;
                            /** @constant */
                            deleted: true;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            members: components["schemas"]["TeamMember"][];
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["AdminTeam"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["AdminTeam"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            userId: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listUnfinishedVideos: {
        parameters: {
            query?: {
                /** @description overdue: due for more than a minute, and no worker has claimed it */
                state?: "in-progress" | "overdue";
                userId?: string;
                provider?: string;
                pageSize?: number;
                /** @description nextCursor of the previous page */
                cursor?: string;
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
                        /** @constant */
                        success: true;
                        data: {
                            videos: components["schemas"]["UnfinishedVideo"][];
                            /** @description Number of all rows that match */
                            total: number;
                            /** @description Of all users and providers */
                            counts: {
                                inProgress: number;
                                overdue: number;
                            };
                            pageSize: number;
                            /** @description Cursor of the next page; null on the last */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                /** @description First day, in UTC; default: 29 days before the last */
                from?: string;
                /** @description Last day; default: today. At most 366 days */
                to?: string;
                pageSize?: number;
                /** @description nextCursor of the previous page */
                cursor?: string;
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
                        /** @constant */
                        success: true;
                        data: {
                            videos: components["schemas"]["EndedVideo"][];
                            pageSize: number;
                            /** @description Cursor of the next page; null on the last */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["VideoForAdministrators"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            providers: components["schemas"]["ProviderHealth"][];
                            /** @description 3600; less when a shorter window has enough outcomes */
                            windowSeconds: number;
                            /**
                             * Format: date-time
                             * @description The moment of the check
                             */
                            checkedAt: string;
                            catalogue: {
                                /**
                                 * Format: date-time
                                 * @description When this process has last read the files of models
                                 */
                                readAt: string;
                                /** @description The mistakes of files that were not taken: file, line and what to write; the former models stay */
                                problems: string[];
                            };
                        };
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getOverview: {
        parameters: {
            query?: {
                /** @description First day, in UTC; default: 29 days before the last */
                from?: string;
                /** @description Last day; default: today. At most 366 days */
                to?: string;
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Overview"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPayments: {
        parameters: {
            query?: {
                /** @description Whether it, or a part, was refunded or disputed */
                state?: "kept" | "returned_in_part" | "returned";
                /** @description A user id, a processor’s id (of an order, invoice, charge, customer or subscription), or a part of an e-mail address or of the name of a user or team, which finds 100 users and 100 teams at most */
                q?: string;
                /** @description First day, in UTC; without both, all time */
                from?: string;
                /** @description Last day; default: today. At most 366 days */
                to?: string;
                pageSize?: number;
                /** @description nextCursor of the previous page */
                cursor?: string;
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
                        /** @constant */
                        success: true;
                        data: {
                            payments: components["schemas"]["AdminPayment"][];
                            pageSize: number;
                            /** @description Cursor of the next page; null on the last */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSubscriptions: {
        parameters: {
            query?: {
                /** @description As of Subscription */
                status?: "active" | "trialing" | "past_due" | "cancelled" | "expired" | "incomplete";
                /** @description A user id, a processor’s id (of an order, invoice, charge, customer or subscription), or a part of an e-mail address or of the name of a user or team, which finds 100 users and 100 teams at most */
                q?: string;
                /** @description First day, in UTC; without both, all time */
                from?: string;
                /** @description Last day; default: today. At most 366 days */
                to?: string;
                pageSize?: number;
                /** @description nextCursor of the previous page */
                cursor?: string;
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
                        /** @constant */
                        success: true;
                        data: {
                            subscriptions: components["schemas"]["AdminSubscription"][];
                            pageSize: number;
                            /** @description Cursor of the next page; null on the last */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPaymentEvents: {
        parameters: {
            query?: {
                /** @description applied; ignored: it changes nothing; unmatched: its user, or the payment that it returns, is not known; waiting: the worker reads what it lacks from the processor, within minutes; failed: it cannot be applied before a fault is fixed; dismissed: an administrator decided that no credits are owed for it */
                state?: "applied" | "ignored" | "unmatched" | "waiting" | "failed" | "dismissed";
                pageSize?: number;
                /** @description nextCursor of the previous page */
                cursor?: string;
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
                        /** @constant */
                        success: true;
                        data: {
                            events: components["schemas"]["ListedPaymentEvent"][];
                            /** @description Number of all rows that match */
                            total: number;
                            pageSize: number;
                            /** @description Cursor of the next page; null on the last */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    userId?: string;
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["PaymentEvent"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["PaymentEvent"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listMails: {
        parameters: {
            query?: {
                status?: "pending" | "sent" | "failed" | "expired";
                pageSize?: number;
                /** @description nextCursor of the previous page */
                cursor?: string;
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
                        /** @constant */
                        success: true;
                        data: {
                            /** @description Whether messages are sent */
                            isMailSetUp: boolean;
                            mails: components["schemas"]["ListedMail"][];
                            pageSize: number;
                            /** @description Cursor of the next page; null on the last */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Mail"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            id: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listReportedFilms: {
        parameters: {
            query?: {
                pageSize?: number;
                /** @description nextCursor of the previous page */
                cursor?: string;
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
                        /** @constant */
                        success: true;
                        data: {
                            films: components["schemas"]["ReportedFilm"][];
                            pageSize: number;
                            /** @description Cursor of the next page; null on the last */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            id: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** @description Also those that no user sees */
                            models: components["schemas"]["AdminModel"][];
                            catalogue: {
                                /**
                                 * Format: date-time
                                 * @description When this process has last read the files of models
                                 */
                                readAt: string;
                                /** @description The mistakes of files that were not taken: file, line and what to write; the former models stay */
                                problems: string[];
                            };
                        };
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** @description false: it was so already */
                            changed: boolean;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                pageSize?: number;
                /** @description nextCursor of the previous page */
                cursor?: string;
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
                        /** @constant */
                        success: true;
                        data: {
                            invitations: components["schemas"]["AdminInvitation"][];
                            pageSize: number;
                            /** @description Cursor of the next page; null on the last */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    email?: string;
                    /**
                     * @description Its gift, for 30 days
                     * @default 0
                     */
                    credits?: number;
                    /**
                     * @description true: instead of the new-user gift, not beside it
                     * @default false
                     */
                    replacesGift?: boolean;
                    /**
                     * @description How long it can be used
                     * @default 7
                     */
                    days?: number;
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
                        /** @constant */
                        success: true;
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            id: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    openInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
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
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCodes: {
        parameters: {
            query?: {
                pageSize?: number;
                /** @description nextCursor of the previous page */
                cursor?: string;
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
                        /** @constant */
                        success: true;
                        data: {
                            codes: components["schemas"]["AdminCode"][];
                            pageSize: number;
                            /** @description Cursor of the next page; null on the last */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description 8 to 40 letters and digits, with hyphens; without it a random one */
                    code?: string;
                    /** @description What each user gets */
                    credits: number;
                    /**
                     * @description How long these last
                     * @default 365
                     */
                    creditDays?: number;
                    /**
                     * @description How many users may redeem it
                     * @default 1
                     */
                    usesMax?: number;
                    /**
                     * @description Whether only those may who have paid nothing yet
                     * @default false
                     */
                    newCustomers?: boolean;
                    /**
                     * @description How many users of one network (IPv4 /24, IPv6 /64) may; null: any number
                     * @default null
                     */
                    networkMax?: number | null;
                    /**
                     * @description How long it can be redeemed
                     * @default 30
                     */
                    days?: number;
                    /** @description For administrators */
                    note?: string;
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
                        /** @constant */
                        success: true;
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** Format: uuid */
                            id: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ModerationCounts"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPlans: {
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
                        /** @constant */
                        success: true;
                        data: {
                            products: components["schemas"]["Product"][];
                            /** @description The processors that are set up; empty when payments are not */
                            processors: components["schemas"]["PaymentProcessor"][];
                        };
                    };
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    startCheckout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description An id of GET /api/v1/config/plans */
                    productId: string;
                    processor?: components["schemas"]["PaymentProcessor"];
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
                        /** @constant */
                        success: true;
                        data: {
                            /** @description A page of the payment processor to send the user to */
                            url: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    openPortal: {
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
                        /** @constant */
                        success: true;
                        data: {
                            /** @description A page of the payment processor to send the user to */
                            url: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSubscription: {
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
                        /** @constant */
                        success: true;
                        data: {
                            subscription: components["schemas"]["Subscription"] | null;
                        };
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhookEndpoints: {
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
                        /** @constant */
                        success: true;
                        data: {
                            endpoints: components["schemas"]["WebhookEndpoint"][];
                        };
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWebhookEndpoint: {
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
                     * @description An https URL on the public Internet, of at most 2048 characters
                     * @example https://example.com/kinora
                     */
                    url: string;
                    /** @description For you */
                    description?: string;
                    /** @description Types of event that it gets; empty: all */
                    events?: components["schemas"]["WebhookEventType"][];
                    /** @description Only events of videos that browser tokens of this subject make; it does not change */
                    subject?: string;
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CreatedWebhookEndpoint"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the endpoint */
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["WebhookEndpoint"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the endpoint */
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            id: string;
                            /** @constant */
                            deleted: true;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the endpoint */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description An https URL on the public Internet, of at most 2048 characters
                     * @example https://example.com/kinora
                     */
                    url?: string;
                    /** @description For you */
                    description?: string;
                    /** @description Types of event that it gets; empty: all */
                    events?: components["schemas"]["WebhookEventType"][];
                    enabled?: boolean;
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["WebhookEndpoint"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the endpoint */
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["WebhookSecret"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateWebhookUrlSecret: {
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["WebhookSecret"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the endpoint */
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** @description The header webhook-id, the same at every attempt */
                            deliveryId: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    recoverWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the endpoint */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @description Events from this time on
                     */
                    since: string;
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
                        /** @constant */
                        success: true;
                        data: {
                            /** @description How many are sent again */
                            deliveries: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                pageSize?: number;
                /** @description nextCursor of the previous page */
                cursor?: string;
                status?: "pending" | "delivered" | "failed";
                type?: "video.completed" | "video.failed" | "video.cancelled" | "video.deleted" | "credit.added" | "credit.low" | "credit.expiring" | "subscription.updated" | "webhook.test";
                /** @description Only events of videos that browser tokens of this subject made */
                subject?: string;
            };
            header?: never;
            path: {
                /** @description The id of the endpoint */
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            deliveries: components["schemas"]["ListedDelivery"][];
                            pageSize: number;
                            /** @description Cursor of the next page; null on the last */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the endpoint */
                id: string;
                /** @description The id of the delivery, msg_… */
                deliveryId: string;
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Delivery"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the endpoint */
                id: string;
                /** @description The id of the delivery, msg_… */
                deliveryId: string;
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Delivery"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A ZIP file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Your password, as a confirmation; a user without one signs in again, at most 10 minutes before */
                    password?: string;
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["DeletedAccount"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportSubject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Of browser tokens: your id of a visitor */
                subject: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A ZIP file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    eraseSubject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Of browser tokens: your id of a visitor */
                subject: string;
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["SubjectErasure"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getNotices: {
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["NoticeSettings"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    setNotices: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The available credits fall below the threshold of PUT /api/v1/credit/alert */
                    "credit.low"?: boolean;
                    /** @description Credits expire within seven days, once a package */
                    "credit.expiring"?: boolean;
                    /** @description A payment for the subscription failed */
                    "payment.failed"?: boolean;
                    /** @description A film is completed or has failed; off until it is switched on */
                    "video.done"?: boolean;
                    /** @description A webhook endpoint was disabled */
                    "webhook.disabled"?: boolean;
                    /** @description Keys or endpoints of a team were suspended, whose maker an administrator has locked or deleted; to owners */
                    "team.suspended"?: boolean;
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["NoticeSettings"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getKey: {
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["OwnApiKey"] | components["schemas"]["OwnToken"];
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenRequest"];
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["BrowserToken"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTeams: {
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
                        /** @constant */
                        success: true;
                        data: {
                            teams: components["schemas"]["Team"][];
                        };
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTeam: {
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["TeamDetail"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createTeam: {
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["Team"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteTeam: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Your password, as a confirmation; a user without one signs in again, at most 10 minutes before */
                    password?: string;
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            id: string;
                            /** @constant */
                            deleted: true;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeTeam: {
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
                    secondFactorRequired?: boolean;
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
                        /** @constant */
                        success: true;
                        data: {
                            /**
                             * Format: uuid
                             * @description The value of X-Team
                             */
                            id: string;
                            name: string;
                            /** @description How many it has */
                            members: number;
                            /** @description Whether an administrator has locked it: requests for it are refused */
                            locked: boolean;
                            /** @description Whether it refuses members without a second factor */
                            secondFactorRequired: boolean;
                            /**
                             * Format: date-time
                             * @description When it was made
                             */
                            createdAt: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportTeam: {
        parameters: {
            query?: {
                /** @description The id of a team, in the place of X-Team where no header can be sent */
                team?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A ZIP file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTeamMembers: {
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
                        /** @constant */
                        success: true;
                        data: {
                            members: components["schemas"]["TeamMember"][];
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    removeTeamMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user id of the member */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Ids of keys and endpoints that you, an owner, take over: they go on as yours */
                    takeOver?: string[];
                } | null;
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
                        /** @constant */
                        success: true;
                        data: {
                            userId: string;
                            /** @constant */
                            removed: true;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeTeamMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user id of the member */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    role?: components["schemas"]["TeamRole"];
                    /** @description null: as much as the team has */
                    budget?: components["schemas"]["KeyBudget"] | null;
                    /** @description Ids of keys and endpoints that you, an owner, take over: they go on as yours */
                    takeOver?: string[];
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
                        /** @constant */
                        success: true;
                        data: {
                            userId: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMovableCredits: {
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
                        /** @constant */
                        success: true;
                        data: {
                            movable: number;
                            /** @description What you owe */
                            owed: number;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    moveCredits: {
        parameters: {
            query?: never;
            header?: {
                /** @description Up to 255 characters of your choice. A repeated request with the same key and body returns the first response, with the header Idempotent-Replayed, and does nothing twice, for at least 24 hours; the same key with another body is 422. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** @description Of the transfer */
                            id: string;
                            teamId: string;
                            credits: number;
                            packages: {
                                credits: number;
                                /**
                                 * Format: date-time
                                 * @description When they expire, as before
                                 */
                                expiresAt: string;
                            }[];
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["UnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTeamInvitations: {
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
                        /** @constant */
                        success: true;
                        data: {
                            invitations: components["schemas"]["TeamInvitation"][];
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    inviteTeamMember: {
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
                    role?: components["schemas"]["TeamRole"];
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CreatedTeamInvitation"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeTeamInvitation: {
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            id: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    openTeamInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** @description The name of the team */
                            team: string;
                            /** @description The name of the member who invited; null when the account is gone */
                            inviter: string | null;
                            role: components["schemas"]["TeamRole"];
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    acceptTeamInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            teamId: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTeamKeys: {
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
                        /** @constant */
                        success: true;
                        data: {
                            apiKeys: components["schemas"]["TeamKey"][];
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createTeamKey: {
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
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CreatedTeamKey"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteTeamKey: {
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            id: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTeamGiven: {
        parameters: {
            query?: {
                /** @description viewer: reads. maker: makes films too, and changes own ones. admin: changes the films of all, and manages members, keys and webhooks. owner: pays, and deletes the team */
                role?: "viewer" | "maker" | "admin" | "owner";
            };
            header?: never;
            path: {
                /** @description The user id of the member */
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            given: components["schemas"]["TeamGiven"][];
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    takeOverTeamGiven: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Ids of keys and endpoints that you, an owner, take over: they go on as yours */
                    ids: string[];
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
                        /** @constant */
                        success: true;
                        data: {
                            /** @description Ids of keys and endpoints that you, an owner, take over: they go on as yours */
                            ids: string[];
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTeamPrograms: {
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
                        /** @constant */
                        success: true;
                        data: {
                            programs: components["schemas"]["TeamProgram"][];
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    disconnectTeamProgram: {
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            id: string;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTeamLog: {
        parameters: {
            query?: {
                /** @description The nextCursor of the page before */
                cursor?: string;
                pageSize?: number;
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
                        /** @constant */
                        success: true;
                        data: {
                            entries: components["schemas"]["TeamLogEntry"][];
                            /** @description null: the last page */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    downloadTeamLog: {
        parameters: {
            query?: {
                /** @description The id of a team, in the place of X-Team where no header can be sent */
                team?: string;
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
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    receiveCallback: {
        parameters: {
            query?: {
                ref?: string;
                sig?: string;
            };
            header?: {
                "x-callback-secret"?: string;
            };
            path: {
                /** @description Its name in the catalogue of models, such as provider-a */
                provider: string;
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
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: {
                            /** @constant */
                            received: true;
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    unsubscribe: {
        parameters: {
            query: {
                /** @description From the link of the message */
                token: string;
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
                        /** @constant */
                        success: true;
                        data: {
                            /**
                             * @description What is off now
                             * @enum {unknown}
                             */
                            notice: "credit.low" | "credit.expiring" | "payment.failed" | "video.done" | "webhook.disabled" | "team.suspended";
                        };
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    /** @description Link to a picture; not used by this service */
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
            400: components["responses"]["AuthBadRequest"];
            403: components["responses"]["AuthForbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            422: components["responses"]["AuthUnprocessableEntity"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                        redirect?: boolean;
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
            400: components["responses"]["AuthBadRequest"];
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            403: components["responses"]["AuthForbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            403: components["responses"]["AuthForbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                    /** @description Link to a picture; not used by this service */
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
            400: components["responses"]["AuthBadRequest"];
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                        total: number;
                    };
                };
            };
            400: components["responses"]["AuthBadRequest"];
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            404: components["responses"]["AuthNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            404: components["responses"]["AuthNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            403: components["responses"]["AuthForbidden"];
            404: components["responses"]["AuthNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            404: components["responses"]["AuthNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            403: components["responses"]["AuthForbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
                        token?: string;
                        user?: components["schemas"]["User"];
                        /** @constant */
                        twoFactorRedirect?: true;
                    };
                };
            };
            400: components["responses"]["AuthBadRequest"];
            403: components["responses"]["AuthForbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            403: components["responses"]["AuthForbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            404: components["responses"]["AuthNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            403: components["responses"]["AuthForbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            403: components["responses"]["AuthForbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            404: components["responses"]["AuthNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            404: components["responses"]["AuthNotFound"];
            409: components["responses"]["AuthConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            404: components["responses"]["AuthNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            404: components["responses"]["AuthNotFound"];
            409: components["responses"]["AuthConflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            404: components["responses"]["AuthNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            404: components["responses"]["AuthNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
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
            400: components["responses"]["AuthBadRequest"];
            401: components["responses"]["AuthUnauthorized"];
            403: components["responses"]["AuthForbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["AuthUnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    videoCompleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for each attempt of a delivery */
                "webhook-id": string;
                /** @description The time of the attempt, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description Signatures, separated by spaces: v1 and the base64 of an HMAC-SHA256 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "video.completed";
                    /**
                     * Format: date-time
                     * @description When it happened
                     */
                    timestamp: string;
                    data: components["schemas"]["VideoEvent"];
                };
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    videoFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for each attempt of a delivery */
                "webhook-id": string;
                /** @description The time of the attempt, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description Signatures, separated by spaces: v1 and the base64 of an HMAC-SHA256 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "video.failed";
                    /**
                     * Format: date-time
                     * @description When it happened
                     */
                    timestamp: string;
                    data: components["schemas"]["VideoEvent"];
                };
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    videoCancelled: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for each attempt of a delivery */
                "webhook-id": string;
                /** @description The time of the attempt, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description Signatures, separated by spaces: v1 and the base64 of an HMAC-SHA256 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "video.cancelled";
                    /**
                     * Format: date-time
                     * @description When it happened
                     */
                    timestamp: string;
                    data: components["schemas"]["VideoEvent"];
                };
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    videoDeleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for each attempt of a delivery */
                "webhook-id": string;
                /** @description The time of the attempt, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description Signatures, separated by spaces: v1 and the base64 of an HMAC-SHA256 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "video.deleted";
                    /**
                     * Format: date-time
                     * @description When it happened
                     */
                    timestamp: string;
                    data: components["schemas"]["VideoEvent"];
                };
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    creditAdded: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for each attempt of a delivery */
                "webhook-id": string;
                /** @description The time of the attempt, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description Signatures, separated by spaces: v1 and the base64 of an HMAC-SHA256 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "credit.added";
                    /**
                     * Format: date-time
                     * @description When it happened
                     */
                    timestamp: string;
                    data: components["schemas"]["CreditAdded"];
                };
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    creditLow: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for each attempt of a delivery */
                "webhook-id": string;
                /** @description The time of the attempt, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description Signatures, separated by spaces: v1 and the base64 of an HMAC-SHA256 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "credit.low";
                    /**
                     * Format: date-time
                     * @description When it happened
                     */
                    timestamp: string;
                    data: components["schemas"]["CreditLow"];
                };
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    creditExpiring: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for each attempt of a delivery */
                "webhook-id": string;
                /** @description The time of the attempt, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description Signatures, separated by spaces: v1 and the base64 of an HMAC-SHA256 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "credit.expiring";
                    /**
                     * Format: date-time
                     * @description When it happened
                     */
                    timestamp: string;
                    data: components["schemas"]["CreditExpiring"];
                };
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    subscriptionUpdated: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for each attempt of a delivery */
                "webhook-id": string;
                /** @description The time of the attempt, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description Signatures, separated by spaces: v1 and the base64 of an HMAC-SHA256 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "subscription.updated";
                    /**
                     * Format: date-time
                     * @description When it happened
                     */
                    timestamp: string;
                    data: components["schemas"]["SubscriptionEvent"];
                };
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    webhookTest: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for each attempt of a delivery */
                "webhook-id": string;
                /** @description The time of the attempt, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description Signatures, separated by spaces: v1 and the base64 of an HMAC-SHA256 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "webhook.test";
                    /**
                     * Format: date-time
                     * @description When it happened
                     */
                    timestamp: string;
                    data: components["schemas"]["WebhookTest"];
                };
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
