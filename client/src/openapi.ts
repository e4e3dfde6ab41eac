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
         * @description Freezes the price and responds at once; poll GET /api/v1/video/task, or read GET /api/v1/video/events. An API key needs the scope `generate`.
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
         * @description Takes the body of generate and refuses what generate would refuse. Nothing is generated or frozen. An API key needs the scope `read`.
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
         * @description An API key needs the scope `read`.
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
         * @description An API key needs the scope `read`.
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
         * @description An API key needs the scope `read`.
         */
        get: operations["getVideo"];
        put?: never;
        post?: never;
        /**
         * Delete a video
         * @description It disappears from every list; its record and its cost stay. A generation in progress runs on. An API key needs the scope `generate`.
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
         * Cancel a video that has not started
         * @description Possible until it is submitted to a provider. The video is FAILED then, and its credits are back at once. An API key needs the scope `generate`.
         */
        post: operations["cancelVideo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
         * @description An API key needs the scope `read`.
         */
        get: operations["getShare"];
        /**
         * Share a film by a public link
         * @description All who have the link can watch the film until it is revoked. The link of a film that is shared already stays; showsPrompt changes. 409: the film is not completed, or no longer kept. An API key needs the scope `generate`.
         */
        put: operations["shareVideo"];
        post?: never;
        /**
         * Revoke the public link of a film
         * @description The link stops working at once and for ever; sharing the film again makes another one. An API key needs the scope `generate`.
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
         * @description The body is the file itself: PNG, JPEG or WebP of at most 15 MB, each side 64 to 8192 pixels. It is re-encoded without metadata, upright, opaque, at most 4096 pixels wide and high. The same file again is the same image. An image that no video uses, failed ones aside, is kept for 7 days, the latest 50 of them. An API key needs the scope `generate`.
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
         *     - `video`: `{ uuid, status, progress, error }`, as GET /api/v1/video/task returns. States, not differences, delivered at least
         *       once; status and progress of a video never fall. A new video is sent in its current status, usually PENDING.
         *     - `deleted`: `{ uuid }`, when you deleted a video, here or elsewhere.
         *     - `reset`: `{}`, when the Last-Event-ID is invalid or too old to resume: read the list again. The videos in progress follow.
         *     - `mark`: `{}`, at the beginning and every 15 seconds: only a newer id to resume from.
         *
         *     A stream ends after 30 minutes at the latest; reconnect with the last id (an EventSource does so by itself) and no event
         *     is lost. At most 10 streams per user at each API process, or at all that `kinora api --processes` has started. An API key needs the scope `read`.
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
        /** Models, with their limits and prices */
        get: operations["listModels"];
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
        /** Ways to sign in, beside e-mail address and password */
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
         * @description An API key needs the scope `read`.
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
         * @description Packages with remaining or frozen credits, in the order they are consumed: first to expire first. An API key needs the scope `read`.
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
         * @description An API key needs the scope `read`.
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
         * @description An API key needs the scope `account`.
         */
        get: operations["getCreditAlert"];
        /**
         * Set the balance below which you are notified
         * @description Once each time that the available credits fall below it: to the webhook endpoints that want credit.low, and by mail unless you have switched that notice off. An API key needs the scope `account`.
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
         * @description As DELETE /api/v1/account does, on behalf of the user; the audit log keeps who did it and why. 409: a subscription still renews or a payment of it may still come, or it is the last administrator. An API key needs the scope `account`.
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
         * The credit transactions of a user, newest first
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
    "/api/v1/config/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Credit packs and subscription plans */
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
         * @description Send the user to the url. The credits are granted when the processor reports the payment. An API key needs the scope `account`.
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
         * @description An API key needs the scope `account`.
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
         * Your subscription
         * @description An API key needs the scope `account`.
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
         * @description An API key needs the scope `account`.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description Events are sent to it by Standard Webhooks, signed with the secret that this response shows once. 409: you have 20 endpoints, which is the most. An API key needs the scope `account`.
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
         * @description An API key needs the scope `account`.
         */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Its deliveries are not sent any more and cannot be read. An API key needs the scope `account`.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change, enable or disable a webhook endpoint
         * @description What waits for an endpoint is sent when it is enabled again; events while it is disabled are not. An API key needs the scope `account`.
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
         * @description Deliveries carry the signatures of the secrets of the last 24 hours too, so repeat it when the response was lost. An API key needs the scope `account`.
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
         * @description It signs what is sent to the webhookUrl of generate. A secret that was used before signs for 24 hours more. An API key needs the scope `account`.
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
         * @description Also when its events leave the test out; read the delivery for the response. 409: the endpoint is disabled. An API key needs the scope `account`.
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
         * @description The oldest 10,000 of them; call it again for more. 409: the endpoint is disabled. An API key needs the scope `account`.
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
         * @description An API key needs the scope `account`.
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
         * @description An API key needs the scope `account`.
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
         * @description With the same webhook-id, also when it was delivered. 409: the endpoint is disabled. An API key needs the scope `account`.
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
         * @description A ZIP, streamed: account.json (profile, sessions, names of keys, subscriptions, balance, packages), history.json, payments.json, payment-events.json, webhooks.json, webhook-deliveries.json, mails.json, audit.json, start-images.json and videos.json with prompts, and the films, thumbnails and start images that they name. A download that breaks off starts again from the beginning. 429: an export of yours is running already. An API key needs the scope `account`.
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
         * @description Sessions, keys, e-mail address and name go at once, and links to films stop working. Films, start images, prompts and the bodies of payment events are erased within minutes; a video that a provider has runs to its end first. The books keep your user id as a pseudonym. Credentials stop working within a second. This cannot be undone. 400: the password is wrong. 403: an administrator impersonates the user. 409: a subscription still renews or a payment of it may still come (its first one is open, for a day; it is expired and the processor retries the payment), or you are the last administrator. An API key needs the scope `account`.
         */
        delete: operations["deleteAccount"];
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
         * The API key of this request
         * @description Its scopes, its budget and what it has used; with any scope. 404: the request has a session.
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
         * @description Sets the session cookie; a program keeps the token. 400 with PASSWORD_TOO_COMMON or PASSWORD_IS_EMAIL: choose another password. 422: the e-mail address already has an account. Where GET /api/v1/config/sign-in has a captcha, the header X-Captcha-Response has the response of its widget: 400 MISSING_RESPONSE, 403 VERIFICATION_FAILED.
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
        /** End this session */
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
        /** Change your name, or the language of mails */
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
        /** Your sessions */
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
        /** End all sessions but this one */
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
        /** End all your sessions, this one too */
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
        /** Your API keys */
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
         * @description Returns the provider’s address, to which the browser goes next; it comes back to callbackURL with the session cookie, or to /sign-in with ?error=…. A new user gets an account. An account that exists is joined only when it and the provider have verified the same e-mail address. 404: the provider is not set up.
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
        /** Your password, and your accounts at providers */
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
        /** Your passkeys */
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
        /** Change the name or the e-mail address of a user */
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
        /** Make a user an administrator, or an administrator a user */
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
         * @description Sessions end, and sessions and keys stop working within a second.
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
        /** Unlock the account of a user */
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
        /** The sessions of a user */
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
        /** End a session of a user */
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
        /** End all sessions of a user */
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
         * @description Sets the session cookie to a session of the user; a program keeps its token. That session sees what the user sees, but creates and changes no keys, changes neither password nor name, ends no other session and does not delete the account. 403: the user is an administrator.
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
        /** Whether you may do something to users or sessions */
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
        Error: {
            /** @enum {boolean} */
            success: false;
            data: Record<string, never>;
            error: {
                /**
                 * @description What went wrong, for programs
                 * @enum {unknown}
                 */
                code: "INVALID_REQUEST" | "UNSUPPORTED_MODEL" | "MODEL_UNAVAILABLE" | "DURATION_OUT_OF_RANGE" | "UNSUPPORTED_QUALITY" | "UNSUPPORTED_ASPECT_RATIO" | "UNSUPPORTED_MODE" | "UNAUTHENTICATED" | "INSUFFICIENT_CREDITS" | "KEY_BUDGET_EXCEEDED" | "FORBIDDEN" | "INSUFFICIENT_SCOPE" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_KEY_REUSED" | "RATE_LIMITED" | "TOO_MANY_IN_PROGRESS" | "INTERNAL" | "UNAVAILABLE";
                /** @description What went wrong and what to do, for people */
                message: string;
                /** @description For programs: which field, how many credits, and so on */
                details?: unknown;
                /** @description The same as the header X-Request-Id; name it when you ask for help */
                requestId: string;
            };
        };
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
            language: ("en" | "zh-Hans") | null;
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
        ApiKey: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description The first characters, to distinguish keys */
            start: string;
            enabled: boolean;
            /** @description read: reads films, models, events and credits; generate: makes, cancels, deletes and shares films; account: all the rest */
            scopes: ("read" | "generate" | "account")[];
            /** @description What it may spend in a period; null: as much as the account has */
            budget: {
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
            } | null;
            /** @description Credits frozen or spent in the UTC day, the ISO week and the calendar month; released ones are taken off */
            used: {
                /** @description Credits */
                day: number;
                /** @description Credits */
                week: number;
                /** @description Credits */
                month: number;
            };
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
        AuthError: {
            /** @description What went wrong, for programs */
            code: string;
            /** @description What went wrong and what to do, for people */
            message: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    generateVideo: {
        parameters: {
            query?: never;
            header?: {
                /** @description Up to 255 characters of your choice. A repeated request with the same key and body returns the first response and does nothing twice, for at least 24 hours; the same key with another body is 422. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "prompt": "A paper boat in a rain gutter, dawn",
                 *       "model": "delta-1-5",
                 *       "duration": 4,
                 *       "aspectRatio": "16:9"
                 *     }
                 */
                "application/json": {
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
                    /** @description One of the aspectRatios of the model, such as 16:9 */
                    aspectRatio: string;
                    /** @description One of the resolutions of the model; 720p when left out */
                    quality?: string;
                    /** @description An https URL of at most 2048 characters, or the url of POST /api/v1/video/image; makes the video image-to-video */
                    startImageUrl?: string;
                    /** @description An https URL on the public Internet, of at most 2048 characters: the final event of this video is sent to it, signed with the secret of POST /api/v1/webhook/secret, as well as to your endpoints */
                    webhookUrl?: string;
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "uuid": "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50",
                     *         "status": "PENDING",
                     *         "model": "delta-1-5",
                     *         "creditsUsed": 16,
                     *         "createdAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** Format: uuid */
                            uuid: string;
                            /** @enum {string} */
                            status: "PENDING";
                            model: string;
                            /** @description Credits frozen for this video */
                            creditsUsed: number;
                            /**
                             * Format: date-time
                             * @description When the video was requested
                             */
                            createdAt: string;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payment Required */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "prompt": "A paper boat in a rain gutter, dawn",
                 *       "model": "delta-1-5",
                 *       "duration": 4,
                 *       "aspectRatio": "16:9"
                 *     }
                 */
                "application/json": {
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
                    /** @description One of the aspectRatios of the model, such as 16:9 */
                    aspectRatio: string;
                    /** @description One of the resolutions of the model; 720p when left out */
                    quality?: string;
                    /** @description An https URL of at most 2048 characters, or the url of POST /api/v1/video/image; makes the video image-to-video */
                    startImageUrl?: string;
                    /** @description An https URL on the public Internet, of at most 2048 characters: the final event of this video is sent to it, signed with the secret of POST /api/v1/webhook/secret, as well as to your endpoints */
                    webhookUrl?: string;
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "credits": 16,
                     *         "available": 60,
                     *         "affordable": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @description The price: what generate would freeze for the same body */
                            credits: number;
                            /** @description Credits available now; with an API key, at most what is left of its budget */
                            available: number;
                            /** @description Whether available covers the price */
                            affordable: boolean;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "videos": [
                     *           {
                     *             "uuid": "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50",
                     *             "prompt": "A paper boat in a rain gutter, dawn",
                     *             "model": "delta-1-5",
                     *             "status": "COMPLETED",
                     *             "videoUrl": "https://kinora.example/files/video/01939b1e-1111-7aaa-8bbb-000000000001/01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50.mp4?exp=1768555800&sig=…",
                     *             "thumbnailUrl": "https://kinora.example/files/video/01939b1e-1111-7aaa-8bbb-000000000001/01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50.jpg?exp=1768555800&sig=…",
                     *             "duration": 4,
                     *             "aspectRatio": "16:9",
                     *             "creditsUsed": 16,
                     *             "createdAt": "2026-01-15T09:30:00.000Z",
                     *             "completedAt": "2026-01-15T09:30:48.000Z"
                     *           }
                     *         ],
                     *         "total": 1,
                     *         "page": 1,
                     *         "pageSize": 20,
                     *         "nextCursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            videos: {
                                /** Format: uuid */
                                uuid: string;
                                /** @description In lists the first 120 characters, then … */
                                prompt: string;
                                model: string;
                                /**
                                 * @description PENDING, GENERATING, UPLOADING, then COMPLETED or FAILED, which are final
                                 * @enum {unknown}
                                 */
                                status: "PENDING" | "GENERATING" | "UPLOADING" | "COMPLETED" | "FAILED";
                                /** @description Signed link to the film; read the video again to renew it. Add ?download for an attachment */
                                videoUrl: string | null;
                                /** @description Signed link to a JPEG */
                                thumbnailUrl: string | null;
                                /** @description Seconds */
                                duration: number;
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
                            }[];
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
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "uuid": "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50",
                     *         "status": "GENERATING",
                     *         "progress": 42,
                     *         "error": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** Format: uuid */
                            uuid: string;
                            /**
                             * @description PENDING, GENERATING, UPLOADING, then COMPLETED or FAILED, which are final
                             * @enum {unknown}
                             */
                            status: "PENDING" | "GENERATING" | "UPLOADING" | "COMPLETED" | "FAILED";
                            /** @description Never falls */
                            progress: number;
                            /** @description Why the video failed */
                            error: string | null;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "uuid": "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50",
                     *         "prompt": "A paper boat in a rain gutter, dawn",
                     *         "model": "delta-1-5",
                     *         "status": "COMPLETED",
                     *         "videoUrl": "https://kinora.example/files/video/01939b1e-1111-7aaa-8bbb-000000000001/01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50.mp4?exp=1768555800&sig=…",
                     *         "thumbnailUrl": "https://kinora.example/files/video/01939b1e-1111-7aaa-8bbb-000000000001/01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50.jpg?exp=1768555800&sig=…",
                     *         "duration": 4,
                     *         "aspectRatio": "16:9",
                     *         "creditsUsed": 16,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "completedAt": "2026-01-15T09:30:48.000Z",
                     *         "provider": "provider-b",
                     *         "startImageUrl": null,
                     *         "resolution": "720p",
                     *         "fileSize": 1834022,
                     *         "generationTime": 41.3,
                     *         "error": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** Format: uuid */
                            uuid: string;
                            /** @description In lists the first 120 characters, then … */
                            prompt: string;
                            model: string;
                            /**
                             * @description PENDING, GENERATING, UPLOADING, then COMPLETED or FAILED, which are final
                             * @enum {unknown}
                             */
                            status: "PENDING" | "GENERATING" | "UPLOADING" | "COMPLETED" | "FAILED";
                            /** @description Signed link to the film; read the video again to renew it. Add ?download for an attachment */
                            videoUrl: string | null;
                            /** @description Signed link to a JPEG */
                            thumbnailUrl: string | null;
                            /** @description Seconds */
                            duration: number;
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
                            /** @description As requested; of the film itself once it is COMPLETED */
                            resolution: string;
                            /** @description Bytes */
                            fileSize: number | null;
                            /** @description Seconds from the provider’s acceptance to its result */
                            generationTime: number | null;
                            /** @description Why the video failed */
                            error: string | null;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "uuid": "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** Format: uuid */
                            uuid: string;
                            /** @enum {boolean} */
                            deleted: true;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "uuid": "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50",
                     *         "status": "FAILED",
                     *         "progress": 0,
                     *         "error": "Cancelled before it began; your credits are back."
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** Format: uuid */
                            uuid: string;
                            /**
                             * @description PENDING, GENERATING, UPLOADING, then COMPLETED or FAILED, which are final
                             * @enum {unknown}
                             */
                            status: "PENDING" | "GENERATING" | "UPLOADING" | "COMPLETED" | "FAILED";
                            /** @description Never falls */
                            progress: number;
                            /** @description Why the video failed */
                            error: string | null;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "share": {
                     *           "url": "https://kinora.example/share/q7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zk",
                     *           "showsPrompt": false,
                     *           "createdAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @description null: the film is not shared */
                            share: {
                                /** @description The page of the film, for all who have this link */
                                url: string;
                                /** @description Whether the page shows the prompt */
                                showsPrompt: boolean;
                                /**
                                 * Format: date-time
                                 * @description When the film was shared
                                 */
                                createdAt: string;
                            } | null;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "showsPrompt": false
                 *     }
                 */
                "application/json": {
                    /** @description Whether the page shows the prompt; false when left out */
                    showsPrompt?: boolean;
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "share": {
                     *           "url": "https://kinora.example/share/q7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zk",
                     *           "showsPrompt": false,
                     *           "createdAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            share: {
                                /** @description The page of the film, for all who have this link */
                                url: string;
                                /** @description Whether the page shows the prompt */
                                showsPrompt: boolean;
                                /**
                                 * Format: date-time
                                 * @description When the film was shared
                                 */
                                createdAt: string;
                            };
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "share": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            share: null;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "prompt": null,
                     *         "model": "delta-1-5",
                     *         "duration": 4,
                     *         "aspectRatio": "16:9",
                     *         "videoUrl": "https://kinora.example/share/q7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zk/film.mp4",
                     *         "thumbnailUrl": "https://kinora.example/share/q7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zk/thumbnail.jpg"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @description null unless the owner shows it */
                            prompt: string | null;
                            model: string;
                            /** @description Seconds */
                            duration: number;
                            aspectRatio: string;
                            /** @description Link to the film, as long as it is shared */
                            videoUrl: string;
                            /** @description Link to a JPEG, as long as the film is shared */
                            thumbnailUrl: string;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "url": "https://kinora.example/files/image/01939b1e-1111-7aaa-8bbb-000000000001/01939b1e-2222-7aaa-8bbb-000000000001.jpg?exp=1768566600&sig=…",
                     *         "width": 4096,
                     *         "height": 3072,
                     *         "sizeBytes": 2481022,
                     *         "contentType": "image/jpeg",
                     *         "expiresAt": "2026-01-16T12:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
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
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    streamVideoEvents: {
        parameters: {
            query?: {
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
                    /**
                     * @example retry: 1500
                     *     event: mark
                     *     id: 1768469400000
                     *     data: {}
                     *
                     *     event: video
                     *     id: 1768469400250
                     *     data: {"uuid":"01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50","status":"GENERATING","progress":40,"error":null}
                     *
                     *     event: deleted
                     *     id: 1768469400500
                     *     data: {"uuid":"01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50"}
                     */
                    "text/event-stream": string;
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "models": [
                     *           {
                     *             "id": "delta-1-5",
                     *             "name": "Delta 1.5",
                     *             "provider": "Delta Motion",
                     *             "modes": [
                     *               "text-to-video",
                     *               "image-to-video"
                     *             ],
                     *             "minDuration": 4,
                     *             "maxDuration": 12,
                     *             "resolutions": [
                     *               "720p",
                     *               "1080p"
                     *             ],
                     *             "aspectRatios": [
                     *               "16:9",
                     *               "9:16",
                     *               "1:1",
                     *               "4:3",
                     *               "3:4",
                     *               "21:9"
                     *             ],
                     *             "pricing": {
                     *               "per": "second",
                     *               "credits": {
                     *                 "720p": 4,
                     *                 "1080p": 8
                     *               }
                     *             },
                     *             "enabled": true
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            models: {
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
                                    /** @description second or clip */
                                    per: string;
                                    /** @description Credits by resolution */
                                    credits: {
                                        [key: string]: number;
                                    };
                                } | null;
                                enabled: boolean;
                            }[];
                        };
                    };
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "providers": [
                     *           {
                     *             "id": "google",
                     *             "name": "Google"
                     *           }
                     *         ],
                     *         "link": true,
                     *         "captcha": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @description For sign-in/social and link-social */
                            providers: {
                                id: string;
                                name: string;
                            }[];
                            /** @description Whether sign-in/magic-link mails a link */
                            link: boolean;
                            /** @description What sign-up/email asks for; null: nothing */
                            captcha: {
                                /** @enum {unknown} */
                                provider: "cloudflare-turnstile" | "google-recaptcha" | "hcaptcha" | "captchafox";
                                siteKey: string;
                            } | null;
                        };
                    };
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "available": 44,
                     *         "frozen": 0,
                     *         "used": 16,
                     *         "total": 60,
                     *         "expiringSoon": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
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
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "packages": [
                     *           {
                     *             "id": "01939b1e-5d6c-7000-8000-000000000001",
                     *             "transType": "NEW_USER",
                     *             "initial": 60,
                     *             "remaining": 28,
                     *             "frozen": 16,
                     *             "orderNo": null,
                     *             "expiresAt": "2026-02-14T09:30:00.000Z",
                     *             "createdAt": "2026-01-15T09:30:00.000Z"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            packages: {
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
                            }[];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /** @description Why the credits moved */
                transType?: "NEW_USER" | "ORDER_PAY" | "SUBSCRIPTION" | "VIDEO_CONSUME" | "REFUND" | "EXPIRED" | "SYSTEM_ADJUST";
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "transactions": [
                     *           {
                     *             "id": "01939b1e-5d6b-7000-8000-000000000001",
                     *             "transNo": "K7Q2-9MFX-4T",
                     *             "transType": "VIDEO_CONSUME",
                     *             "credits": -16,
                     *             "balanceAfter": 44,
                     *             "videoUuid": "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50",
                     *             "orderNo": null,
                     *             "remark": "delta-1-5, 4 s",
                     *             "state": "settled",
                     *             "createdAt": "2026-01-15T09:30:00.000Z",
                     *             "n": 2,
                     *             "packageId": null,
                     *             "source": null,
                     *             "expiresAt": null,
                     *             "graces": null,
                     *             "actorId": null,
                     *             "hash": "9f2c6f5d0b1e4a7c8d3e5f60718293a4b5c6d7e8f90123456789abcdef012345"
                     *           }
                     *         ],
                     *         "total": 1,
                     *         "page": 1,
                     *         "pageSize": 20,
                     *         "nextCursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            transactions: {
                                /** Format: uuid */
                                id: string;
                                /** @description Transaction number, short enough to read aloud */
                                transNo: string;
                                /**
                                 * @description Why the credits moved
                                 * @enum {unknown}
                                 */
                                transType: "NEW_USER" | "ORDER_PAY" | "SUBSCRIPTION" | "VIDEO_CONSUME" | "REFUND" | "EXPIRED" | "SYSTEM_ADJUST";
                                /** @description Signed: negative when credits left the balance */
                                credits: number;
                                /** @description Available credits right after this row: the sum of all rows up to it */
                                balanceAfter: number;
                                /** @description The video; null on other rows */
                                videoUuid: string | null;
                                /** @description Order number of a purchase; null on other rows */
                                orderNo: string | null;
                                /** @description A note */
                                remark: string | null;
                                /** @description frozen, settled or released; null on rows without a video */
                                state: string | null;
                                /**
                                 * Format: date-time
                                 * @description When it happened
                                 */
                                createdAt: string;
                                /** @description Number of the row among yours, from 1 without gaps */
                                n: number;
                                /** @description The package that was added, or that the credits left; null on rows of videos */
                                packageId: string | null;
                                /** @description What an addition was granted for; null on other rows */
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
                            }[];
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
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "below": 100
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @description credit.low is sent when the available credits fall below this; null: never */
                            below: number | null;
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "below": 100
                 *     }
                 */
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "below": 100
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @description credit.low is sent when the available credits fall below this; null: never */
                            below: number | null;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "state": "decided",
                     *         "credits": 60,
                     *         "message": null,
                     *         "isSeen": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
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
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "state": "decided",
                     *         "credits": 60,
                     *         "message": null,
                     *         "isSeen": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
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
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    addCredits: {
        parameters: {
            query?: never;
            header?: {
                /** @description Up to 255 characters of your choice. A repeated request with the same key and body returns the first response and does nothing twice, for at least 24 hours; the same key with another body is 422. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "credits": 100,
                 *       "expiryDays": 30,
                 *       "remark": "Sorry for the outage"
                 *     }
                 */
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
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "credits": 100,
                     *         "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
                     *         "expiryDate": "2026-02-14T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
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
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "running": null,
                     *         "last": {
                     *           "id": "01939b1e-2222-7aaa-8bbb-000000000009",
                     *           "state": "finished",
                     *           "startedAt": "2026-01-15T09:30:00.000Z",
                     *           "finishedAt": "2026-01-15T09:30:00.000Z",
                     *           "usersTotal": 1240,
                     *           "users": 1240,
                     *           "differences": [],
                     *           "total": 0,
                     *           "error": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @description The check in progress, with what it has found so far */
                            running: {
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
                            } | null;
                            /** @description The last check that has ended */
                            last: {
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
                            } | null;
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "01939b1e-2222-7aaa-8bbb-000000000009",
                     *         "state": "running",
                     *         "startedAt": "2026-01-15T09:30:00.000Z",
                     *         "finishedAt": null,
                     *         "usersTotal": 1240,
                     *         "users": 0,
                     *         "differences": [],
                     *         "total": 0,
                     *         "error": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
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
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    takeCredits: {
        parameters: {
            query?: never;
            header?: {
                /** @description Up to 255 characters of your choice. A repeated request with the same key and body returns the first response and does nothing twice, for at least 24 hours; the same key with another body is 422. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
                 *       "credits": 40,
                 *       "reason": "Granted twice by mistake"
                 *     }
                 */
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
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
                     *         "credits": 40,
                     *         "available": {
                     *           "before": 44,
                     *           "after": 4
                     *         },
                     *         "packages": [
                     *           {
                     *             "id": "01939b1e-2222-7aaa-8bbb-000000000002",
                     *             "credits": 40,
                     *             "expiresAt": "2026-02-14T09:30:00.000Z"
                     *           }
                     *         ],
                     *         "dryRun": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
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
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    reverseExpiry: {
        parameters: {
            query?: never;
            header?: {
                /** @description Up to 255 characters of your choice. A repeated request with the same key and body returns the first response and does nothing twice, for at least 24 hours; the same key with another body is 422. */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
                 *       "packageId": "01939b1e-2222-7aaa-8bbb-000000000002",
                 *       "reason": "Written off by a worker with a wrong clock"
                 *     }
                 */
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
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
                     *         "packageId": "01939b1e-2222-7aaa-8bbb-000000000002",
                     *         "credits": 44,
                     *         "expiryDate": "2026-02-14T09:30:00.000Z",
                     *         "dryRun": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
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
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "entries": [
                     *           {
                     *             "id": "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50",
                     *             "createdAt": "2026-01-15T09:30:00.000Z",
                     *             "action": "credits.take",
                     *             "actorId": "01939b1e-1111-7aaa-8bbb-000000000009",
                     *             "actorEmail": "root@example.com",
                     *             "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
                     *             "userEmail": "ann@example.com",
                     *             "subject": null,
                     *             "before": {
                     *               "available": 44,
                     *               "frozen": 16,
                     *               "used": 0,
                     *               "expired": 0,
                     *               "clawedBack": 0,
                     *               "total": 60
                     *             },
                     *             "after": {
                     *               "available": 4,
                     *               "frozen": 16,
                     *               "used": 0,
                     *               "expired": 0,
                     *               "clawedBack": 40,
                     *               "total": 60,
                     *               "credits": 40,
                     *               "packages": [
                     *                 [
                     *                   "01939b1e-2222-7aaa-8bbb-000000000002",
                     *                   40,
                     *                   1771061400000
                     *                 ]
                     *               ]
                     *             },
                     *             "requestId": "01939b1e-3333-7aaa-8bbb-000000000001",
                     *             "reason": "Granted twice by mistake"
                     *           }
                     *         ],
                     *         "total": 1,
                     *         "pageSize": 20,
                     *         "nextCursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            entries: {
                                /** Format: uuid */
                                id: string;
                                /**
                                 * Format: date-time
                                 * @description When it was done
                                 */
                                createdAt: string;
                                /** @description What was done: credits.add, credits.take, credits.reverse-expiry, payment.apply, payment.dismiss, video.remove-files, webhook.disable, mail.retry, mail.show-link, user.create, user.update, user.set-role, user.set-password, user.ban, user.unban, user.impersonate, user.stop-impersonating, user.revoke-session, user.revoke-sessions, user.resend-verification, account.delete; others may follow */
                                action: string;
                                /**
                                 * Format: uuid
                                 * @description The administrator; 00000000-0000-0000-0000-000000000000 for the service itself
                                 */
                                actorId: string;
                                /** @description The administrator’s e-mail address; null for the service itself and for a deleted account */
                                actorEmail: string | null;
                                /** @description The user whose account it concerns; null for none */
                                userId: string | null;
                                /** @description That user’s e-mail address; null for a deleted account */
                                userEmail: string | null;
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
                            }[];
                            /** @description Number of all rows that match */
                            total: number;
                            pageSize: number;
                            /** @description Cursor of the next page; null on the last */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description A part of the e-mail address or the name, or a whole user id. Of more than 2,000 users, total counts 200 at most. */
                q?: string;
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "users": [
                     *           {
                     *             "id": "01939b1e-1111-7aaa-8bbb-000000000001",
                     *             "email": "ann@example.com",
                     *             "name": "Ann",
                     *             "role": "user",
                     *             "createdAt": "2026-01-15T09:30:00.000Z",
                     *             "deletedAt": null,
                     *             "banned": false,
                     *             "credits": {
                     *               "available": 44,
                     *               "frozen": 16,
                     *               "used": 0,
                     *               "total": 60,
                     *               "owed": 0
                     *             }
                     *           }
                     *         ],
                     *         "total": 1,
                     *         "pageSize": 20,
                     *         "nextCursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            users: {
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
                                credits: {
                                    /** @description Usable now: not frozen, not expired */
                                    available: number;
                                    /** @description Reserved for videos in progress */
                                    frozen: number;
                                    /** @description Consumed over all time */
                                    used: number;
                                    /** @description Ever received */
                                    total: number;
                                    /** @description Credits of refunded or disputed payments that could not be taken back, because they are used or frozen */
                                    owed: number;
                                };
                            }[];
                            /** @description Number of all rows that match */
                            total: number;
                            pageSize: number;
                            /** @description Cursor of the next page; null on the last */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "01939b1e-1111-7aaa-8bbb-000000000001",
                     *         "email": "ann@example.com",
                     *         "name": "Ann",
                     *         "role": "user",
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "deletedAt": null,
                     *         "banned": false,
                     *         "credits": {
                     *           "available": 44,
                     *           "frozen": 16,
                     *           "used": 0,
                     *           "total": 60,
                     *           "owed": 0
                     *         },
                     *         "banReason": null,
                     *         "banExpires": null,
                     *         "inProgress": 1,
                     *         "emailVerified": true,
                     *         "twoFactorEnabled": false,
                     *         "signInMethods": [
                     *           "credential",
                     *           "google"
                     *         ],
                     *         "passkeys": 1,
                     *         "apiKeys": 2,
                     *         "sessions": 1,
                     *         "giftRefusal": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
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
                            credits: {
                                /** @description Usable now: not frozen, not expired */
                                available: number;
                                /** @description Reserved for videos in progress */
                                frozen: number;
                                /** @description Consumed over all time */
                                used: number;
                                /** @description Ever received */
                                total: number;
                                /** @description Credits of refunded or disputed payments that could not be taken back, because they are used or frozen */
                                owed: number;
                            };
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
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "reason": "Asked for it by e-mail"
                 *     }
                 */
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            userId: string;
                            /** @enum {boolean} */
                            deleted: true;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /** @description Why the credits moved */
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "transactions": [
                     *           {
                     *             "id": "01939b1e-5d6b-7000-8000-000000000001",
                     *             "transNo": "K7Q2-9MFX-4T",
                     *             "transType": "VIDEO_CONSUME",
                     *             "credits": -16,
                     *             "balanceAfter": 44,
                     *             "videoUuid": "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50",
                     *             "orderNo": null,
                     *             "remark": "delta-1-5, 4 s",
                     *             "state": "settled",
                     *             "createdAt": "2026-01-15T09:30:00.000Z",
                     *             "n": 2,
                     *             "packageId": null,
                     *             "source": null,
                     *             "expiresAt": null,
                     *             "graces": null,
                     *             "actorId": null,
                     *             "hash": "9f2c6f5d0b1e4a7c8d3e5f60718293a4b5c6d7e8f90123456789abcdef012345"
                     *           }
                     *         ],
                     *         "total": 1,
                     *         "page": 1,
                     *         "pageSize": 20,
                     *         "nextCursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            transactions: {
                                /** Format: uuid */
                                id: string;
                                /** @description Transaction number, short enough to read aloud */
                                transNo: string;
                                /**
                                 * @description Why the credits moved
                                 * @enum {unknown}
                                 */
                                transType: "NEW_USER" | "ORDER_PAY" | "SUBSCRIPTION" | "VIDEO_CONSUME" | "REFUND" | "EXPIRED" | "SYSTEM_ADJUST";
                                /** @description Signed: negative when credits left the balance */
                                credits: number;
                                /** @description Available credits right after this row: the sum of all rows up to it */
                                balanceAfter: number;
                                /** @description The video; null on other rows */
                                videoUuid: string | null;
                                /** @description Order number of a purchase; null on other rows */
                                orderNo: string | null;
                                /** @description A note */
                                remark: string | null;
                                /** @description frozen, settled or released; null on rows without a video */
                                state: string | null;
                                /**
                                 * Format: date-time
                                 * @description When it happened
                                 */
                                createdAt: string;
                                /** @description Number of the row among yours, from 1 without gaps */
                                n: number;
                                /** @description The package that was added, or that the credits left; null on rows of videos */
                                packageId: string | null;
                                /** @description What an addition was granted for; null on other rows */
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
                            }[];
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
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "userId": "01939b1e-1111-7aaa-8bbb-000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            userId: string;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "videos": [
                     *           {
                     *             "uuid": "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50",
                     *             "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
                     *             "email": "ann@example.com",
                     *             "model": "delta-1-5",
                     *             "status": "GENERATING",
                     *             "provider": "provider-b",
                     *             "providerTaskId": "task_01",
                     *             "attempt": 4,
                     *             "progress": 42,
                     *             "createdAt": "2026-01-15T09:30:00.000Z",
                     *             "submittedAt": "2026-01-15T09:30:00.000Z",
                     *             "acceptedAt": "2026-01-15T09:30:00.000Z",
                     *             "dueAt": "2026-01-15T09:30:31.000Z",
                     *             "leaseUntil": null,
                     *             "deadlineAt": "2026-01-15T09:45:00.000Z",
                     *             "isOverdue": false,
                     *             "why": "Waiting for provider-b (42 %); asked again at 09:30:31 UTC, given up at 09:45:00 UTC.",
                     *             "lastEvent": {
                     *               "event": "accepted",
                     *               "detail": "provider-b task_01",
                     *               "at": "2026-01-15T09:30:00.000Z"
                     *             }
                     *           }
                     *         ],
                     *         "total": 1,
                     *         "counts": {
                     *           "inProgress": 1,
                     *           "overdue": 0
                     *         },
                     *         "pageSize": 20,
                     *         "nextCursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            videos: {
                                /** Format: uuid */
                                uuid: string;
                                /** Format: uuid */
                                userId: string;
                                /** @description The owner’s e-mail address; null when the account was deleted */
                                email: string | null;
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
                            }[];
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
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "providers": [
                     *           {
                     *             "id": "provider-b",
                     *             "configured": true,
                     *             "models": [
                     *               "delta-1-5"
                     *             ],
                     *             "inProgress": 3,
                     *             "waiting": 0,
                     *             "succeeded": 117,
                     *             "failed": 2,
                     *             "refused": 1,
                     *             "failureShare": 0.017,
                     *             "medianSeconds": 41.3,
                     *             "lastSuccessAt": "2026-01-15T09:30:00.000Z",
                     *             "lastFailureAt": "2026-01-15T08:58:11.000Z",
                     *             "lastFailureReason": "no connection"
                     *           }
                     *         ],
                     *         "windowSeconds": 3600,
                     *         "checkedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            providers: {
                                id: string;
                                /** @description Whether its settings are there */
                                configured: boolean;
                                /** @description Models that are made there */
                                models: string[];
                                /** @description Tasks in progress */
                                inProgress: number;
                                /** @description Videos waiting to be submitted to it */
                                waiting: number;
                                /** @description Films that were stored, within the window */
                                succeeded: number;
                                /** @description Tasks that it did not accept or respond to, that failed, timed out, or gave no usable film, within the window */
                                failed: number;
                                /** @description Tasks that it refused for their content, within the window */
                                refused: number;
                                /** @description 0 to 1: failed / (failed + succeeded); null when both are 0 */
                                failureShare: number | null;
                                /** @description From acceptance to result */
                                medianSeconds: number | null;
                                /** @description Within the last 24 hours; within the window when the last hour has 5,000 outcomes or more */
                                lastSuccessAt: string | null;
                                /** @description As lastSuccessAt */
                                lastFailureAt: string | null;
                                /** @description The reason of that failure */
                                lastFailureReason: string | null;
                            }[];
                            /** @description 3600; less when a shorter window has enough outcomes */
                            windowSeconds: number;
                            /**
                             * Format: date-time
                             * @description The moment of the check
                             */
                            checkedAt: string;
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listPaymentEvents: {
        parameters: {
            query?: {
                /** @description applied; ignored: it changes nothing; unmatched: its user, or the payment that it returns, is not known; failed: it cannot be applied before a fault is fixed; dismissed: an administrator decided that no credits are owed for it */
                state?: "applied" | "ignored" | "unmatched" | "failed" | "dismissed";
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "events": [
                     *           {
                     *             "id": "01939b1e-8888-7000-8000-000000000001",
                     *             "processor": "payment-b",
                     *             "externalId": "evt_01",
                     *             "type": "invoice.payment_succeeded",
                     *             "state": "applied",
                     *             "reason": null,
                     *             "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
                     *             "receivedAt": "2026-01-15T09:30:00.000Z",
                     *             "appliedAt": "2026-01-15T09:30:00.000Z",
                     *             "retryAt": null,
                     *             "dismissedAt": null,
                     *             "dismissedReason": null,
                     *             "effects": [
                     *               "Gives 960 credits (Pro), good until 2026-02-15."
                     *             ],
                     *             "body": "{\"id\":\"evt_01\",\"type\":\"invoice.payment_succeeded\"}"
                     *           }
                     *         ],
                     *         "total": 1,
                     *         "pageSize": 20,
                     *         "nextCursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            events: {
                                /** Format: uuid */
                                id: string;
                                processor: string;
                                /** @description The processor’s id of the event */
                                externalId: string;
                                type: string;
                                /**
                                 * @description applied; ignored: it changes nothing; unmatched: its user, or the payment that it returns, is not known; failed: it cannot be applied before a fault is fixed; dismissed: an administrator decided that no credits are owed for it
                                 * @enum {unknown}
                                 */
                                state: "applied" | "ignored" | "unmatched" | "failed" | "dismissed";
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
                            }[];
                            /** @description Number of all rows that match */
                            total: number;
                            pageSize: number;
                            /** @description Cursor of the next page; null on the last */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "userId": "01939b1e-1111-7aaa-8bbb-000000000001"
                 *     }
                 */
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "01939b1e-8888-7000-8000-000000000001",
                     *         "processor": "payment-b",
                     *         "externalId": "evt_01",
                     *         "type": "invoice.payment_succeeded",
                     *         "state": "applied",
                     *         "reason": null,
                     *         "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
                     *         "receivedAt": "2026-01-15T09:30:00.000Z",
                     *         "appliedAt": "2026-01-15T09:30:00.000Z",
                     *         "retryAt": null,
                     *         "dismissedAt": null,
                     *         "dismissedReason": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** Format: uuid */
                            id: string;
                            processor: string;
                            /** @description The processor’s id of the event */
                            externalId: string;
                            type: string;
                            /**
                             * @description applied; ignored: it changes nothing; unmatched: its user, or the payment that it returns, is not known; failed: it cannot be applied before a fault is fixed; dismissed: an administrator decided that no credits are owed for it
                             * @enum {unknown}
                             */
                            state: "applied" | "ignored" | "unmatched" | "failed" | "dismissed";
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
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "reason": "Sold by another shop of this account"
                 *     }
                 */
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "01939b1e-8888-7000-8000-000000000001",
                     *         "processor": "payment-b",
                     *         "externalId": "evt_01",
                     *         "type": "invoice.payment_succeeded",
                     *         "state": "dismissed",
                     *         "reason": "It names no user we know.",
                     *         "userId": null,
                     *         "receivedAt": "2026-01-15T09:30:00.000Z",
                     *         "appliedAt": null,
                     *         "retryAt": null,
                     *         "dismissedAt": "2026-01-15T09:30:00.000Z",
                     *         "dismissedReason": "Sold by another shop of this account"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** Format: uuid */
                            id: string;
                            processor: string;
                            /** @description The processor’s id of the event */
                            externalId: string;
                            type: string;
                            /**
                             * @description applied; ignored: it changes nothing; unmatched: its user, or the payment that it returns, is not known; failed: it cannot be applied before a fault is fixed; dismissed: an administrator decided that no credits are owed for it
                             * @enum {unknown}
                             */
                            state: "applied" | "ignored" | "unmatched" | "failed" | "dismissed";
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
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "isMailSetUp": true,
                     *         "mails": [
                     *           {
                     *             "id": "01939b1e-7777-7000-8000-000000000001",
                     *             "kind": "credit.low",
                     *             "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
                     *             "to": "ann@example.com",
                     *             "subject": "Your Kinora credits are running low",
                     *             "status": "failed",
                     *             "attempts": 1,
                     *             "response": "550 no such mailbox here",
                     *             "createdAt": "2026-01-15T09:30:00.000Z",
                     *             "attemptedAt": "2026-01-15T09:30:00.000Z",
                     *             "nextAttemptAt": null,
                     *             "expiresAt": "2026-01-18T09:30:00.000Z",
                     *             "canRetry": true
                     *           }
                     *         ],
                     *         "pageSize": 20,
                     *         "nextCursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @description Whether messages are sent */
                            isMailSetUp: boolean;
                            mails: {
                                /**
                                 * Format: uuid
                                 * @description The part before the @ of its Message-ID
                                 */
                                id: string;
                                /** @description password.reset, sign-in.new, credit.low and so on; others may follow */
                                kind: string;
                                /** @description Whose it is; null when the recipient has no account */
                                userId: string | null;
                                /** @description The address of the recipient */
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
                            }[];
                            pageSize: number;
                            /** @description Cursor of the next page; null on the last */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "01939b1e-7777-7000-8000-000000000001",
                     *         "kind": "credit.low",
                     *         "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
                     *         "to": "ann@example.com",
                     *         "subject": "Your Kinora credits are running low",
                     *         "status": "failed",
                     *         "attempts": 1,
                     *         "response": "550 no such mailbox here",
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "attemptedAt": "2026-01-15T09:30:00.000Z",
                     *         "nextAttemptAt": null,
                     *         "expiresAt": "2026-01-18T09:30:00.000Z",
                     *         "canRetry": true,
                     *         "text": "44 credits left\n\nYou asked for a mail when fewer than 50 credits are available."
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /**
                             * Format: uuid
                             * @description The part before the @ of its Message-ID
                             */
                            id: string;
                            /** @description password.reset, sign-in.new, credit.low and so on; others may follow */
                            kind: string;
                            /** @description Whose it is; null when the recipient has no account */
                            userId: string | null;
                            /** @description The address of the recipient */
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
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "01939b1e-7777-7000-8000-000000000001"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            id: string;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "products": [
                     *           {
                     *             "id": "pro-monthly",
                     *             "name": "Pro, monthly",
                     *             "kind": "subscription",
                     *             "credits": 960,
                     *             "period": "month",
                     *             "validDays": null,
                     *             "price": {
                     *               "cents": 2990,
                     *               "currency": "USD"
                     *             }
                     *           }
                     *         ],
                     *         "processors": [
                     *           "payment-a",
                     *           "payment-b"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            products: {
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
                            }[];
                            /** @description The processors that are set up; empty when payments are not */
                            processors: ("payment-a" | "payment-b")[];
                        };
                    };
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "productId": "pro-monthly"
                 *     }
                 */
                "application/json": {
                    /** @description An id of GET /api/v1/config/plans */
                    productId: string;
                    /** @enum {unknown} */
                    processor?: "payment-a" | "payment-b";
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "url": "https://checkout.example/c/pay/cs_01"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @description A page of the payment processor to send the user to */
                            url: string;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "url": "https://billing.example/p/session/01"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @description A page of the payment processor to send the user to */
                            url: string;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "subscription": {
                     *           "id": "01939b1e-7777-7000-8000-000000000001",
                     *           "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
                     *           "processor": "payment-b",
                     *           "externalId": "sub_01",
                     *           "plan": "pro-monthly",
                     *           "status": "active",
                     *           "currentPeriodStart": "2026-01-15T09:30:00.000Z",
                     *           "currentPeriodEnd": "2026-02-15T09:30:00.000Z",
                     *           "cancelAtPeriodEnd": false,
                     *           "cancelledAt": null,
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "updatedAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            subscription: {
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
                            } | null;
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "endpoints": [
                     *           {
                     *             "id": "01939b1e-9999-7000-8000-000000000001",
                     *             "url": "https://example.com/kinora",
                     *             "description": "Nightly trailers",
                     *             "events": [
                     *               "video.completed",
                     *               "video.failed"
                     *             ],
                     *             "enabled": true,
                     *             "disabledReason": null,
                     *             "disabledAt": null,
                     *             "failingSince": null,
                     *             "createdAt": "2026-01-15T09:30:00.000Z",
                     *             "updatedAt": "2026-01-15T09:30:00.000Z"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            endpoints: {
                                /** Format: uuid */
                                id: string;
                                url: string;
                                /** @description As sent */
                                description: string | null;
                                /** @description Types of event that it gets; empty: all */
                                events: ("video.completed" | "video.failed" | "video.cancelled" | "video.deleted" | "credit.added" | "credit.low" | "credit.expiring" | "subscription.updated")[];
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
                                /**
                                 * Format: date-time
                                 * @description When it was last changed by you
                                 */
                                updatedAt: string;
                            }[];
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "url": "https://example.com/kinora",
                 *       "description": "Nightly trailers",
                 *       "events": [
                 *         "video.completed",
                 *         "video.failed"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * @description An https URL on the public Internet, of at most 2048 characters
                     * @example https://example.com/kinora
                     */
                    url: string;
                    /** @description For you */
                    description?: string;
                    /** @description Types of event that it gets; empty: all */
                    events?: ("video.completed" | "video.failed" | "video.cancelled" | "video.deleted" | "credit.added" | "credit.low" | "credit.expiring" | "subscription.updated")[];
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "01939b1e-9999-7000-8000-000000000001",
                     *         "url": "https://example.com/kinora",
                     *         "description": "Nightly trailers",
                     *         "events": [
                     *           "video.completed",
                     *           "video.failed"
                     *         ],
                     *         "enabled": true,
                     *         "disabledReason": null,
                     *         "disabledAt": null,
                     *         "failingSince": null,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z",
                     *         "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazfsRYZLQUc="
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** Format: uuid */
                            id: string;
                            url: string;
                            /** @description As sent */
                            description: string | null;
                            /** @description Types of event that it gets; empty: all */
                            events: ("video.completed" | "video.failed" | "video.cancelled" | "video.deleted" | "credit.added" | "credit.low" | "credit.expiring" | "subscription.updated")[];
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
                            /**
                             * Format: date-time
                             * @description When it was last changed by you
                             */
                            updatedAt: string;
                            /** @description Signs the deliveries: whsec_ and base64. Shown this once */
                            secret: string;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "01939b1e-9999-7000-8000-000000000001",
                     *         "url": "https://example.com/kinora",
                     *         "description": "Nightly trailers",
                     *         "events": [
                     *           "video.completed",
                     *           "video.failed"
                     *         ],
                     *         "enabled": true,
                     *         "disabledReason": null,
                     *         "disabledAt": null,
                     *         "failingSince": null,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** Format: uuid */
                            id: string;
                            url: string;
                            /** @description As sent */
                            description: string | null;
                            /** @description Types of event that it gets; empty: all */
                            events: ("video.completed" | "video.failed" | "video.cancelled" | "video.deleted" | "credit.added" | "credit.low" | "credit.expiring" | "subscription.updated")[];
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
                            /**
                             * Format: date-time
                             * @description When it was last changed by you
                             */
                            updatedAt: string;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "01939b1e-9999-7000-8000-000000000001",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            id: string;
                            /** @enum {boolean} */
                            deleted: true;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "enabled": false
                 *     }
                 */
                "application/json": {
                    /**
                     * @description An https URL on the public Internet, of at most 2048 characters
                     * @example https://example.com/kinora
                     */
                    url?: string;
                    /** @description For you */
                    description?: string;
                    /** @description Types of event that it gets; empty: all */
                    events?: ("video.completed" | "video.failed" | "video.cancelled" | "video.deleted" | "credit.added" | "credit.low" | "credit.expiring" | "subscription.updated")[];
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "01939b1e-9999-7000-8000-000000000001",
                     *         "url": "https://example.com/kinora",
                     *         "description": "Nightly trailers",
                     *         "events": [
                     *           "video.completed",
                     *           "video.failed"
                     *         ],
                     *         "enabled": false,
                     *         "disabledReason": "owner",
                     *         "disabledAt": "2026-01-15T09:30:00.000Z",
                     *         "failingSince": null,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** Format: uuid */
                            id: string;
                            url: string;
                            /** @description As sent */
                            description: string | null;
                            /** @description Types of event that it gets; empty: all */
                            events: ("video.completed" | "video.failed" | "video.cancelled" | "video.deleted" | "credit.added" | "credit.low" | "credit.expiring" | "subscription.updated")[];
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
                            /**
                             * Format: date-time
                             * @description When it was last changed by you
                             */
                            updatedAt: string;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazfsRYZLQUc=",
                     *         "previousUntil": "2026-01-16T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @description Signs the deliveries: whsec_ and base64. Shown this once */
                            secret: string;
                            /**
                             * Format: date-time
                             * @description Until when deliveries carry the signature of the previous secret too
                             */
                            previousUntil: string;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazfsRYZLQUc=",
                     *         "previousUntil": "2026-01-16T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @description Signs the deliveries: whsec_ and base64. Shown this once */
                            secret: string;
                            /**
                             * Format: date-time
                             * @description Until when deliveries carry the signature of the previous secret too
                             */
                            previousUntil: string;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "deliveryId": "msg_01939b1e5d6a7c3e9f0a4b1c2d3e4f50"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @description The header webhook-id, the same at every attempt */
                            deliveryId: string;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "since": "2026-01-15T09:30:00.000Z"
                 *     }
                 */
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "deliveries": 3
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @description How many are sent again */
                            deliveries: number;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "deliveries": [
                     *           {
                     *             "id": "msg_01939b1e5d6a7c3e9f0a4b1c2d3e4f50",
                     *             "type": "video.completed",
                     *             "status": "delivered",
                     *             "attempts": 1,
                     *             "responseStatus": 200,
                     *             "error": null,
                     *             "createdAt": "2026-01-15T09:30:00.000Z",
                     *             "attemptedAt": "2026-01-15T09:30:00.000Z",
                     *             "nextAttemptAt": null
                     *           }
                     *         ],
                     *         "pageSize": 20,
                     *         "nextCursor": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            deliveries: {
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
                            }[];
                            pageSize: number;
                            /** @description Cursor of the next page; null on the last */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "msg_01939b1e5d6a7c3e9f0a4b1c2d3e4f50",
                     *         "type": "video.completed",
                     *         "status": "delivered",
                     *         "attempts": 1,
                     *         "responseStatus": 200,
                     *         "error": null,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "attemptedAt": "2026-01-15T09:30:00.000Z",
                     *         "nextAttemptAt": null,
                     *         "request": {
                     *           "url": "https://example.com/kinora",
                     *           "headers": {
                     *             "content-type": "application/json",
                     *             "user-agent": "Kinora-Webhooks/1",
                     *             "webhook-id": "msg_01939b1e5d6a7c3e9f0a4b1c2d3e4f50",
                     *             "webhook-timestamp": "1768469400"
                     *           },
                     *           "body": "{\"data\": {\"uuid\": \"01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50\", \"status\": \"COMPLETED\"}, \"type\": \"video.completed\", \"timestamp\": \"2026-01-15T09:30:00.000Z\"}"
                     *         },
                     *         "response": {
                     *           "status": 200,
                     *           "body": "ok",
                     *           "durationMs": 38
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
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
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "msg_01939b1e5d6a7c3e9f0a4b1c2d3e4f50",
                     *         "type": "video.completed",
                     *         "status": "pending",
                     *         "attempts": 0,
                     *         "responseStatus": 200,
                     *         "error": null,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "attemptedAt": "2026-01-15T09:30:00.000Z",
                     *         "nextAttemptAt": "2026-01-15T09:30:00.000Z",
                     *         "request": {
                     *           "url": "https://example.com/kinora",
                     *           "headers": {
                     *             "content-type": "application/json",
                     *             "user-agent": "Kinora-Webhooks/1",
                     *             "webhook-id": "msg_01939b1e5d6a7c3e9f0a4b1c2d3e4f50",
                     *             "webhook-timestamp": "1768469400"
                     *           },
                     *           "body": "{\"data\": {\"uuid\": \"01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50\", \"status\": \"COMPLETED\"}, \"type\": \"video.completed\", \"timestamp\": \"2026-01-15T09:30:00.000Z\"}"
                     *         },
                     *         "response": {
                     *           "status": 200,
                     *           "body": "ok",
                     *           "durationMs": 38
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
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
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": {
                    /** @description Your password, as a confirmation; a user without one signs in again, at most 10 minutes before */
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            userId: string;
                            /** @enum {boolean} */
                            deleted: true;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "isMailSetUp": true,
                     *         "notices": {
                     *           "credit.low": true,
                     *           "credit.expiring": true,
                     *           "payment.failed": true,
                     *           "video.done": false,
                     *           "webhook.disabled": true
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @description Whether this service sends mail */
                            isMailSetUp: boolean;
                            notices: {
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
                            };
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "video.done": true
                 *     }
                 */
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "isMailSetUp": true,
                     *         "notices": {
                     *           "credit.low": true,
                     *           "credit.expiring": true,
                     *           "payment.failed": true,
                     *           "video.done": true,
                     *           "webhook.disabled": true
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @description Whether this service sends mail */
                            isMailSetUp: boolean;
                            notices: {
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
                            };
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "id": "01939b1e-3333-7000-8000-000000000001",
                     *         "name": "server",
                     *         "start": "kin_FWSvPk",
                     *         "scopes": [
                     *           "read",
                     *           "generate"
                     *         ],
                     *         "budget": {
                     *           "credits": 500,
                     *           "period": "month",
                     *           "used": 0,
                     *           "resetAt": "2026-02-01T00:00:00.000Z"
                     *         },
                     *         "used": {
                     *           "day": 0,
                     *           "week": 0,
                     *           "month": 0
                     *         },
                     *         "expiresAt": null,
                     *         "createdAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** Format: uuid */
                            id: string;
                            name: string;
                            /** @description The first characters, to distinguish keys */
                            start: string;
                            /** @description read: reads films, models, events and credits; generate: makes, cancels, deletes and shares films; account: all the rest */
                            scopes: ("read" | "generate" | "account")[];
                            /** @description What it may spend in a period; null: as much as the account has */
                            budget: {
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
                            } | null;
                            /** @description Credits frozen or spent in the UTC day, the ISO week and the calendar month; released ones are taken off */
                            used: {
                                /** @description Credits */
                                day: number;
                                /** @description Credits */
                                week: number;
                                /** @description Credits */
                                month: number;
                            };
                            /** @description When it expires; null: never */
                            expiresAt: string | null;
                            /**
                             * Format: date-time
                             * @description When it was created
                             */
                            createdAt: string;
                        };
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /** @description provider-a or provider-b */
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "received": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /** @enum {boolean} */
                            received: true;
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true,
                     *       "data": {
                     *         "notice": "credit.low"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                        data: {
                            /**
                             * @description What is off now
                             * @enum {unknown}
                             */
                            notice: "credit.low" | "credit.expiring" | "payment.failed" | "video.done" | "webhook.disabled";
                        };
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "name": "Ann",
                 *       "email": "ann@example.com",
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": {
                    name: string;
                    /** Format: email */
                    email: string;
                    /** @description None of the most used passwords, and not the e-mail address */
                    password: string;
                    /** @description Link to a picture; not used by this service */
                    image?: string | null;
                    /**
                     * @description Of the mails to you (BCP 47)
                     * @enum {unknown}
                     */
                    language?: "en" | "zh-Hans";
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
                    /**
                     * @example {
                     *       "token": "oS1GaTdHdvq0kQ9r0bFf3cVn2eXyZ5wL",
                     *       "user": {
                     *         "id": "01939b1e-1111-7aaa-8bbb-000000000001",
                     *         "name": "Ann",
                     *         "email": "ann@example.com",
                     *         "emailVerified": false,
                     *         "image": null,
                     *         "language": null,
                     *         "role": "user",
                     *         "twoFactorEnabled": false,
                     *         "banned": false,
                     *         "banReason": null,
                     *         "banExpires": null,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        token: string;
                        user: components["schemas"]["User"];
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "email": "ann@example.com",
                 *       "password": "correct horse battery"
                 *     }
                 */
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
                    /**
                     * @example {
                     *       "redirect": false,
                     *       "token": "oS1GaTdHdvq0kQ9r0bFf3cVn2eXyZ5wL",
                     *       "user": {
                     *         "id": "01939b1e-1111-7aaa-8bbb-000000000001",
                     *         "name": "Ann",
                     *         "email": "ann@example.com",
                     *         "emailVerified": false,
                     *         "image": null,
                     *         "language": null,
                     *         "role": "user",
                     *         "twoFactorEnabled": false,
                     *         "banned": false,
                     *         "banReason": null,
                     *         "banExpires": null,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
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
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        success: boolean;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "session": {
                     *         "id": "01939b1e-2222-7000-8000-000000000001",
                     *         "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
                     *         "token": "sha256:9kqfxhVU4o3GDJ3yYx0y8cVqLq5oY0hE4C1n3m1xj7k",
                     *         "ipAddress": "203.0.113.7",
                     *         "userAgent": "Mozilla/5.0",
                     *         "impersonatedBy": null,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z",
                     *         "expiresAt": "2026-02-14T09:30:00.000Z"
                     *       },
                     *       "user": {
                     *         "id": "01939b1e-1111-7aaa-8bbb-000000000001",
                     *         "name": "Ann",
                     *         "email": "ann@example.com",
                     *         "emailVerified": false,
                     *         "image": null,
                     *         "language": null,
                     *         "role": "user",
                     *         "twoFactorEnabled": false,
                     *         "banned": false,
                     *         "banReason": null,
                     *         "banExpires": null,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       },
                     *       "credits": {
                     *         "available": 60,
                     *         "frozen": 0,
                     *         "used": 0,
                     *         "total": 60,
                     *         "expiringSoon": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        session: components["schemas"]["Session"];
                        user: components["schemas"]["User"];
                        credits: {
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
                        };
                    } | null;
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "name": "Anna"
                 *     }
                 */
                "application/json": {
                    name?: string;
                    /** @description Link to a picture; not used by this service */
                    image?: string | null;
                    /**
                     * @description Of the mails to you (BCP 47)
                     * @enum {unknown}
                     */
                    language?: "en" | "zh-Hans";
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
                    /**
                     * @example {
                     *       "status": true
                     *     }
                     */
                    "application/json": {
                        status: boolean;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "currentPassword": "correct horse battery",
                 *       "newPassword": "a paper boat in the rain",
                 *       "revokeOtherSessions": true
                 *     }
                 */
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
                    /**
                     * @example {
                     *       "token": "oS1GaTdHdvq0kQ9r0bFf3cVn2eXyZ5wL",
                     *       "user": {
                     *         "id": "01939b1e-1111-7aaa-8bbb-000000000001",
                     *         "name": "Ann",
                     *         "email": "ann@example.com",
                     *         "emailVerified": false,
                     *         "image": null,
                     *         "language": null,
                     *         "role": "user",
                     *         "twoFactorEnabled": false,
                     *         "banned": false,
                     *         "banReason": null,
                     *         "banExpires": null,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Of the new session; null without revokeOtherSessions */
                        token: string | null;
                        user: components["schemas"]["User"];
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "password": "correct horse battery"
                 *     }
                 */
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
                    /**
                     * @example {
                     *       "status": true
                     *     }
                     */
                    "application/json": {
                        status: boolean;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example [
                     *       {
                     *         "id": "01939b1e-2222-7000-8000-000000000001",
                     *         "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
                     *         "token": "sha256:9kqfxhVU4o3GDJ3yYx0y8cVqLq5oY0hE4C1n3m1xj7k",
                     *         "ipAddress": "203.0.113.7",
                     *         "userAgent": "Mozilla/5.0",
                     *         "impersonatedBy": null,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z",
                     *         "expiresAt": "2026-02-14T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["Session"][];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "token": "sha256:9kqfxhVU4o3GDJ3yYx0y8cVqLq5oY0hE4C1n3m1xj7k"
                 *     }
                 */
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
                    /**
                     * @example {
                     *       "status": true
                     *     }
                     */
                    "application/json": {
                        status: boolean;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "status": true
                     *     }
                     */
                    "application/json": {
                        status: boolean;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "status": true
                     *     }
                     */
                    "application/json": {
                        status: boolean;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "name": "server",
                 *       "scopes": [
                 *         "read",
                 *         "generate"
                 *       ],
                 *       "budget": {
                 *         "credits": 500,
                 *         "period": "month"
                 *       },
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": {
                    name: string;
                    /** @description Seconds; without it the key never expires */
                    expiresIn?: number;
                    /** @description What the key may do; all when left out */
                    scopes?: ("read" | "generate" | "account")[];
                    /** @description What the key may spend; without it as much as the account has */
                    budget?: {
                        /** @description Credits that films may cost in a period */
                        credits: number;
                        /**
                         * @description day: from 0:00 UTC; week: from Monday, 0:00 UTC; month: from the first, 0:00 UTC
                         * @enum {unknown}
                         */
                        period: "day" | "week" | "month";
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
                    /**
                     * @example {
                     *       "id": "01939b1e-3333-7000-8000-000000000001",
                     *       "name": "server",
                     *       "start": "kin_FWSvPk",
                     *       "enabled": true,
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
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        /** @description The first characters, to distinguish keys */
                        start: string;
                        enabled: boolean;
                        /** @description read: reads films, models, events and credits; generate: makes, cancels, deletes and shares films; account: all the rest */
                        scopes: ("read" | "generate" | "account")[];
                        /** @description What it may spend in a period; null: as much as the account has */
                        budget: {
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
                        } | null;
                        /** @description Credits frozen or spent in the UTC day, the ISO week and the calendar month; released ones are taken off */
                        used: {
                            /** @description Credits */
                            day: number;
                            /** @description Credits */
                            week: number;
                            /** @description Credits */
                            month: number;
                        };
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
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "apiKeys": [
                     *         {
                     *           "id": "01939b1e-3333-7000-8000-000000000001",
                     *           "name": "server",
                     *           "start": "kin_FWSvPk",
                     *           "enabled": true,
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
                     *           "createdAt": "2026-01-15T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "total": 1
                     *     }
                     */
                    "application/json": {
                        apiKeys: components["schemas"]["ApiKey"][];
                        total: number;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "keyId": "01939b1e-3333-7000-8000-000000000001",
                 *       "enabled": false
                 *     }
                 */
                "application/json": {
                    keyId: string;
                    name?: string;
                    enabled?: boolean;
                    /** @description What the key may do; all when left out */
                    scopes?: ("read" | "generate" | "account")[];
                    /** @description null: no budget */
                    budget?: {
                        /** @description Credits that films may cost in a period */
                        credits: number;
                        /**
                         * @description day: from 0:00 UTC; week: from Monday, 0:00 UTC; month: from the first, 0:00 UTC
                         * @enum {unknown}
                         */
                        period: "day" | "week" | "month";
                    } | null;
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
                    /**
                     * @example {
                     *       "id": "01939b1e-3333-7000-8000-000000000001",
                     *       "name": "server",
                     *       "start": "kin_FWSvPk",
                     *       "enabled": false,
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
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "keyId": "01939b1e-3333-7000-8000-000000000001"
                 *     }
                 */
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
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        success: boolean;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "provider": "google",
                 *       "callbackURL": "/"
                 *     }
                 */
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
                    /**
                     * @example {
                     *       "url": "https://accounts.google.com/o/oauth2/v2/auth?response_type=code&state=x",
                     *       "redirect": true
                     *     }
                     */
                    "application/json": {
                        /** Format: uri */
                        url: string;
                        redirect: boolean;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "provider": "google",
                 *       "callbackURL": "/account"
                 *     }
                 */
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
                    /**
                     * @example {
                     *       "url": "https://accounts.google.com/o/oauth2/v2/auth?response_type=code&state=x",
                     *       "redirect": true
                     *     }
                     */
                    "application/json": {
                        /** Format: uri */
                        url: string;
                        redirect: boolean;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example [
                     *       {
                     *         "id": "01939b1e-4444-7000-8000-000000000001",
                     *         "providerId": "google",
                     *         "createdAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @description credential: the password */
                        providerId: string;
                        /**
                         * Format: date-time
                         * @description When it was added
                         */
                        createdAt: string;
                    }[];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "accountId": "01939b1e-4444-7000-8000-000000000001"
                 *     }
                 */
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
                    /**
                     * @example {
                     *       "status": true
                     *     }
                     */
                    "application/json": {
                        status: boolean;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "email": "ann@example.com"
                 *     }
                 */
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
                    /**
                     * @example {
                     *       "status": true
                     *     }
                     */
                    "application/json": {
                        status: boolean;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "token": "oS1GaTdHdvq0kQ9r0bFf3cVn2eXyZ5wL",
                     *       "user": {
                     *         "id": "01939b1e-1111-7aaa-8bbb-000000000001",
                     *         "name": "Ann",
                     *         "email": "ann@example.com",
                     *         "emailVerified": false,
                     *         "image": null,
                     *         "language": null,
                     *         "role": "user",
                     *         "twoFactorEnabled": false,
                     *         "banned": false,
                     *         "banReason": null,
                     *         "banExpires": null,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        token?: string;
                        user?: components["schemas"]["User"];
                        /** @constant */
                        twoFactorRedirect?: true;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "challenge": "x6Dh3wRkk0",
                     *       "rp": {
                     *         "id": "kinora.example",
                     *         "name": "Kinora"
                     *       },
                     *       "user": {
                     *         "id": "AQ",
                     *         "name": "ann@example.com",
                     *         "displayName": "ann@example.com"
                     *       },
                     *       "pubKeyCredParams": [
                     *         {
                     *           "type": "public-key",
                     *           "alg": -7
                     *         }
                     *       ],
                     *       "authenticatorSelection": {
                     *         "residentKey": "required",
                     *         "userVerification": "required"
                     *       }
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "name": "Laptop",
                 *       "response": {
                 *         "id": "AQ",
                 *         "rawId": "AQ",
                 *         "type": "public-key",
                 *         "response": {},
                 *         "clientExtensionResults": {}
                 *       }
                 *     }
                 */
                "application/json": {
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
                    /**
                     * @example {
                     *       "id": "01939b1e-5555-7000-8000-000000000001",
                     *       "name": "Laptop",
                     *       "createdAt": "2026-01-15T09:30:00.000Z"
                     *     }
                     */
                    "application/json": {
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
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "challenge": "x6Dh3wRkk0",
                     *       "rpId": "kinora.example",
                     *       "userVerification": "required"
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "response": {
                 *         "id": "AQ",
                 *         "rawId": "AQ",
                 *         "type": "public-key",
                 *         "response": {},
                 *         "clientExtensionResults": {}
                 *       }
                 *     }
                 */
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
                    /**
                     * @example {
                     *       "session": {
                     *         "id": "01939b1e-2222-7000-8000-000000000001",
                     *         "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
                     *         "token": "oS1GaTdHdvq0kQ9r0bFf3cVn2eXyZ5wL",
                     *         "ipAddress": "203.0.113.7",
                     *         "userAgent": "Mozilla/5.0",
                     *         "impersonatedBy": null,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z",
                     *         "expiresAt": "2026-02-14T09:30:00.000Z"
                     *       },
                     *       "user": {
                     *         "id": "01939b1e-1111-7aaa-8bbb-000000000001",
                     *         "name": "Ann",
                     *         "email": "ann@example.com",
                     *         "emailVerified": false,
                     *         "image": null,
                     *         "language": null,
                     *         "role": "user",
                     *         "twoFactorEnabled": false,
                     *         "banned": false,
                     *         "banReason": null,
                     *         "banExpires": null,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        session: components["schemas"]["Session"];
                        user: components["schemas"]["User"];
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example [
                     *       {
                     *         "id": "01939b1e-5555-7000-8000-000000000001",
                     *         "name": "Laptop",
                     *         "createdAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     ]
                     */
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @description The user’s name for it */
                        name: string | null;
                        /**
                         * Format: date-time
                         * @description When it was added
                         */
                        createdAt: string;
                    }[];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "id": "01939b1e-5555-7000-8000-000000000001"
                 *     }
                 */
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
                    /**
                     * @example {
                     *       "status": true
                     *     }
                     */
                    "application/json": {
                        status: boolean;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "password": "correct horse battery"
                 *     }
                 */
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
                    /**
                     * @example {
                     *       "totpURI": "otpauth://totp/kinora.example:ann%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=kinora.example",
                     *       "backupCodes": [
                     *         "Ab3dE-fGh1j",
                     *         "kLm2n-Opq4r"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description otpauth://…, for the app */
                        totpURI: string;
                        /** @description Each is good for one sign-in; they are shown this once */
                        backupCodes: string[];
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "password": "correct horse battery"
                 *     }
                 */
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
                    /**
                     * @example {
                     *       "status": true
                     *     }
                     */
                    "application/json": {
                        status: boolean;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "password": "correct horse battery"
                 *     }
                 */
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
                    /**
                     * @example {
                     *       "status": true,
                     *       "backupCodes": [
                     *         "Ab3dE-fGh1j",
                     *         "kLm2n-Opq4r"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        status: boolean;
                        /** @description Each is good for one sign-in; they are shown this once */
                        backupCodes: string[];
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "code": "123456"
                 *     }
                 */
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
                    /**
                     * @example {
                     *       "token": "oS1GaTdHdvq0kQ9r0bFf3cVn2eXyZ5wL",
                     *       "user": {
                     *         "id": "01939b1e-1111-7aaa-8bbb-000000000001",
                     *         "name": "Ann",
                     *         "email": "ann@example.com",
                     *         "emailVerified": false,
                     *         "image": null,
                     *         "language": null,
                     *         "role": "user",
                     *         "twoFactorEnabled": false,
                     *         "banned": false,
                     *         "banReason": null,
                     *         "banExpires": null,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        token: string;
                        user: components["schemas"]["User"];
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "code": "Ab3dE-fGh1j"
                 *     }
                 */
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
                    /**
                     * @example {
                     *       "token": "oS1GaTdHdvq0kQ9r0bFf3cVn2eXyZ5wL",
                     *       "user": {
                     *         "id": "01939b1e-1111-7aaa-8bbb-000000000001",
                     *         "name": "Ann",
                     *         "email": "ann@example.com",
                     *         "emailVerified": false,
                     *         "image": null,
                     *         "language": null,
                     *         "role": "user",
                     *         "twoFactorEnabled": false,
                     *         "banned": false,
                     *         "banReason": null,
                     *         "banExpires": null,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        token: string;
                        user: components["schemas"]["User"];
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "email": "ann@example.com"
                 *     }
                 */
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
                    /**
                     * @example {
                     *       "status": true
                     *     }
                     */
                    "application/json": {
                        status: boolean;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "token": "q0Tz4mXw2VJ8kL1nB7yRfC3d",
                 *       "newPassword": "correct horse battery staple"
                 *     }
                 */
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
                    /**
                     * @example {
                     *       "status": true
                     *     }
                     */
                    "application/json": {
                        status: boolean;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "email": "ann@example.com"
                 *     }
                 */
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
                    /**
                     * @example {
                     *       "status": true
                     *     }
                     */
                    "application/json": {
                        status: boolean;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "status": true
                     *     }
                     */
                    "application/json": {
                        status: boolean;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "newEmail": "ann@example.org",
                 *       "password": "correct horse battery staple"
                 *     }
                 */
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
                    /**
                     * @example {
                     *       "status": true
                     *     }
                     */
                    "application/json": {
                        status: boolean;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "email": "ann@example.com",
                 *       "name": "Ann",
                 *       "password": "correct horse battery",
                 *       "role": "user"
                 *     }
                 */
                "application/json": {
                    /** Format: email */
                    email: string;
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
                    /**
                     * @example {
                     *       "user": {
                     *         "id": "01939b1e-1111-7aaa-8bbb-000000000001",
                     *         "name": "Ann",
                     *         "email": "ann@example.com",
                     *         "emailVerified": false,
                     *         "image": null,
                     *         "language": null,
                     *         "role": "user",
                     *         "twoFactorEnabled": false,
                     *         "banned": false,
                     *         "banReason": null,
                     *         "banExpires": null,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        user: components["schemas"]["User"];
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
                 *       "data": {
                 *         "name": "Anna"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    userId: string;
                    data: {
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
                    /**
                     * @example {
                     *       "id": "01939b1e-1111-7aaa-8bbb-000000000001",
                     *       "name": "Anna",
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
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
                 *       "role": "admin"
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    userId: string;
                    /** @enum {unknown} */
                    role: "user" | "admin";
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
                    /**
                     * @example {
                     *       "user": {
                     *         "id": "01939b1e-1111-7aaa-8bbb-000000000001",
                     *         "name": "Ann",
                     *         "email": "ann@example.com",
                     *         "emailVerified": false,
                     *         "image": null,
                     *         "language": null,
                     *         "role": "admin",
                     *         "twoFactorEnabled": false,
                     *         "banned": false,
                     *         "banReason": null,
                     *         "banExpires": null,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        user: components["schemas"]["User"];
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
                 *       "newPassword": "correct horse battery"
                 *     }
                 */
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
                    /**
                     * @example {
                     *       "status": true
                     *     }
                     */
                    "application/json": {
                        status: boolean;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
                 *       "banReason": "Chargebacks",
                 *       "banExpiresIn": 604800
                 *     }
                 */
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
                    /**
                     * @example {
                     *       "user": {
                     *         "id": "01939b1e-1111-7aaa-8bbb-000000000001",
                     *         "name": "Ann",
                     *         "email": "ann@example.com",
                     *         "emailVerified": false,
                     *         "image": null,
                     *         "language": null,
                     *         "role": "user",
                     *         "twoFactorEnabled": false,
                     *         "banned": true,
                     *         "banReason": "Chargebacks",
                     *         "banExpires": "2026-01-22T09:30:00.000Z",
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        user: components["schemas"]["User"];
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "userId": "01939b1e-1111-7aaa-8bbb-000000000001"
                 *     }
                 */
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
                    /**
                     * @example {
                     *       "user": {
                     *         "id": "01939b1e-1111-7aaa-8bbb-000000000001",
                     *         "name": "Ann",
                     *         "email": "ann@example.com",
                     *         "emailVerified": false,
                     *         "image": null,
                     *         "language": null,
                     *         "role": "user",
                     *         "twoFactorEnabled": false,
                     *         "banned": false,
                     *         "banReason": null,
                     *         "banExpires": null,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        user: components["schemas"]["User"];
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "userId": "01939b1e-1111-7aaa-8bbb-000000000001"
                 *     }
                 */
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
                    /**
                     * @example {
                     *       "sessions": [
                     *         {
                     *           "id": "01939b1e-2222-7000-8000-000000000001",
                     *           "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
                     *           "token": "sha256:9kqfxhVU4o3GDJ3yYx0y8cVqLq5oY0hE4C1n3m1xj7k",
                     *           "ipAddress": "203.0.113.7",
                     *           "userAgent": "Mozilla/5.0",
                     *           "impersonatedBy": null,
                     *           "createdAt": "2026-01-15T09:30:00.000Z",
                     *           "updatedAt": "2026-01-15T09:30:00.000Z",
                     *           "expiresAt": "2026-02-14T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        sessions: components["schemas"]["Session"][];
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "sessionToken": "sha256:9kqfxhVU4o3GDJ3yYx0y8cVqLq5oY0hE4C1n3m1xj7k"
                 *     }
                 */
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
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        success: boolean;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "userId": "01939b1e-1111-7aaa-8bbb-000000000001"
                 *     }
                 */
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
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        success: boolean;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "userId": "01939b1e-1111-7aaa-8bbb-000000000001"
                 *     }
                 */
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
                    /**
                     * @example {
                     *       "session": {
                     *         "id": "01939b1e-2222-7000-8000-000000000001",
                     *         "userId": "01939b1e-1111-7aaa-8bbb-000000000001",
                     *         "token": "oS1GaTdHdvq0kQ9r0bFf3cVn2eXyZ5wL",
                     *         "ipAddress": "203.0.113.7",
                     *         "userAgent": "Mozilla/5.0",
                     *         "impersonatedBy": "01939b1e-1111-7aaa-8bbb-000000000002",
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z",
                     *         "expiresAt": "2026-01-15T10:30:00.000Z"
                     *       },
                     *       "user": {
                     *         "id": "01939b1e-1111-7aaa-8bbb-000000000001",
                     *         "name": "Ann",
                     *         "email": "ann@example.com",
                     *         "emailVerified": false,
                     *         "image": null,
                     *         "language": null,
                     *         "role": "user",
                     *         "twoFactorEnabled": false,
                     *         "banned": false,
                     *         "banReason": null,
                     *         "banExpires": null,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        session: components["schemas"]["Session"];
                        user: components["schemas"]["User"];
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                    /**
                     * @example {
                     *       "session": {
                     *         "id": "01939b1e-2222-7000-8000-000000000001",
                     *         "userId": "01939b1e-1111-7aaa-8bbb-000000000002",
                     *         "token": "sha256:9kqfxhVU4o3GDJ3yYx0y8cVqLq5oY0hE4C1n3m1xj7k",
                     *         "ipAddress": "203.0.113.7",
                     *         "userAgent": "Mozilla/5.0",
                     *         "impersonatedBy": null,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z",
                     *         "expiresAt": "2026-02-14T09:30:00.000Z"
                     *       },
                     *       "user": {
                     *         "id": "01939b1e-1111-7aaa-8bbb-000000000002",
                     *         "name": "Root",
                     *         "email": "root@example.com",
                     *         "emailVerified": false,
                     *         "image": null,
                     *         "language": null,
                     *         "role": "admin",
                     *         "twoFactorEnabled": false,
                     *         "banned": false,
                     *         "banReason": null,
                     *         "banExpires": null,
                     *         "createdAt": "2026-01-15T09:30:00.000Z",
                     *         "updatedAt": "2026-01-15T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        session: components["schemas"]["Session"] | null;
                        user: components["schemas"]["User"] | null;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
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
                /**
                 * @example {
                 *       "permissions": {
                 *         "user": [
                 *           "ban"
                 *         ]
                 *       }
                 *     }
                 */
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
                    /**
                     * @example {
                     *       "error": null,
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        error: null;
                        success: boolean;
                    };
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Payload Too Large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unsupported Media Type */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthError"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal Server Error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
