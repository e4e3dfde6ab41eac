/**
 * Generated from the document of the same name by `npm run openapi`. Do not edit: change the routes.
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
         * @description With a filter, unless it is one of status and kind and model, total counts 2,000 at most, with metadata as with q. A cursor belongs to one sort. An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`.
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
    "/api/v1/project/{id}/render": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Render a project to one film
         * @description The chosen takes in their order, as they are trimmed. The cut is a video of its own: follow, read, share, cancel and delete it by its uuid; GET /api/v1/video/list has cuts with kind=cut alone. 409: a shot has no finished take. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`.
         */
        post: operations["renderProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/project": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your projects, newest first
         * @description An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`.
         */
        get: operations["listProjects"];
        put?: never;
        /**
         * Make a project
         * @description 409: you have 1,000 projects, which is the most. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`.
         */
        post: operations["makeProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/project/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One project with its shots and their takes
         * @description An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`.
         */
        get: operations["getProject"];
        put?: never;
        post?: never;
        /**
         * Delete a project
         * @description Its takes stay, as films. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`.
         */
        delete: operations["deleteProject"];
        options?: never;
        head?: never;
        /**
         * Change a project, or the order of its shots
         * @description What is left out stays as it is. 409: it has another version; the details say which, and who made it when. Read it again and repeat the change. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`.
         */
        patch: operations["changeProject"];
        trace?: never;
    };
    "/api/v1/project/{id}/shots/{shotId}": {
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
         * Delete a shot
         * @description Its takes stay, as films. 409: the shot has another version; see changeProject. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`.
         */
        delete: operations["deleteShot"];
        options?: never;
        head?: never;
        /**
         * Change a shot, or choose its take
         * @description What is left out stays as it is; another take begins uncut. A film of yours that is a take of no shot becomes one of this shot when it is chosen. 409: the shot has another version; see changeProject. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`.
         */
        patch: operations["changeShot"];
        trace?: never;
    };
    "/api/v1/project/{id}/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The price of shots, each and together, and of the cut
         * @description Nothing is generated or frozen. An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`.
         */
        post: operations["quoteProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/project/{id}/generate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Generate shots, all or none
         * @description A film each, by one request: the credits of all are frozen, or of none. Those that find no place among your videos in progress wait, and begin in their order as places are free. A film becomes the chosen take of a shot that has none, or whose take failed. 409: no shot lacks a take, the price is another one than `credits`, or a shot was generated or deleted meanwhile. A shot that is refused: its code, and in the details each such shot. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`.
         */
        post: operations["generateProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/writer/prompt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Propose another text of a prompt
         * @description Nothing is made or charged. Moderation sees the text first, where there is one. 404: this service has no writer (`WRITER_URL`). An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`.
         */
        post: operations["improvePrompt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/writer/shots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Propose the shots of a script
         * @description Nothing is made or charged. Moderation sees the text first, where there is one. 404: this service has no writer (`WRITER_URL`). An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`.
         */
        post: operations["proposeShots"];
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
    "/api/v1/video/{uuid}/takedown": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Why a film was taken down
         * @description The latest decision of an administrator on it, and the page where you may object. An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`.
         */
        get: operations["getTakedown"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/takedown/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Why a film was taken down, by the link of the mail
         * @description Needs no credential: the token is one. 404: it is not of this service.
         */
        get: operations["getStatementOfReasons"];
        /**
         * Object to the takedown of a film
         * @description An administrator reads it and answers by mail. Needs no credential: the token is one. A second objection changes nothing. 409: too late.
         */
        put: operations["objectToTakedown"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/project/{id}/shots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add shots to a project
         * @description Each as it is stated, or read from a text or from CSV, with `settings` beside what is read; both may also be the body itself, as text/plain or text/csv. 409: with them it would have more than 50 shots. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`.
         */
        post: operations["addShots"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/project/{id}/shots.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The shots of a project as CSV
         * @description A row each, with a column for each of its settings; POST /api/v1/project/{id}/shots reads it. An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`.
         */
        get: operations["downloadShots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/project/{id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the chosen takes with their cuts
         * @description A ZIP, streamed: the films in the order of their shots, the sound of the project, and cut.edl, an edit decision list (CMX 3600) of 24 frames a second. Shots without a film are left out. 409: none has one. An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`.
         */
        get: operations["archiveProject"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your assets, newest first
         * @description An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`.
         */
        get: operations["listAssets"];
        put?: never;
        /**
         * Keep a picture, film or sound to make films from
         * @description The body is the file itself, or JSON with a link to it. Pictures: PNG, JPEG, WebP or AVIF of at most 15 MB; films: MP4, MOV or WebM of at most 200 MB and 10 minutes; sounds: MP3, WAV, M4A or OGG of at most 30 MB. What is kept has no metadata. The same file again is the same asset. Above 16 MB /api/v1/asset/upload takes it by several requests (tus 1.0). One without a name that no video uses is kept for 30 days. 413: larger, or all of yours are. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`.
         */
        post: operations["uploadAsset"];
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
         * @description POST /api/v1/asset for a picture: each side 64 to 8192 pixels. It is re-encoded without metadata, upright, opaque, at most 4096 pixels wide and high. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`.
         */
        post: operations["uploadImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/asset/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One asset, with a new link
         * @description An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`.
         */
        get: operations["getAsset"];
        put?: never;
        post?: never;
        /**
         * Delete an asset
         * @description Its links end. Films that were made from it stay; one that is not sent to a provider yet fails, and its credits are back. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`.
         */
        delete: operations["deleteAsset"];
        options?: never;
        head?: never;
        /**
         * Name an asset, or keep the sound of a film alone
         * @description Up to 9 assets of one name are one character, place or product, which inputs name @mara. One with a name is kept until you delete it. A film becomes its `sound` for ever, under the same id; one that a video uses stays a film (409): then send the file again with ?kind=sound. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`.
         */
        patch: operations["changeAsset"];
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
         * @description Server-Sent Events. The data of each is JSON, as described, whose `type` is the name of the event. The videos in
         *     progress are sent first, then every change:
         *
         *     - `video`: what GET /api/v1/video/task returns, with `subject`. States, not differences, delivered at least
         *       once; status and progress of a video never fall. A new video is sent in its current status, usually PENDING.
         *       One that is COMPLETED or FAILED comes with what a notice of it needs: `prompt`, `thumbnailUrl`, `madeBy` and `metadata`, as in lists,
         *       and `endedAt`.
         *     - `deleted`: with `uuid` and `subject`, when you deleted a video, here or elsewhere.
         *     - `reset`: when the Last-Event-ID is invalid or too old to resume: read the list again. The videos in progress follow.
         *     - `mark`: at the beginning and every 15 seconds: only a newer id to resume from.
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
         * Below which balance, and from which spending on, you are notified
         * @description An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`.
         */
        get: operations["getCreditAlert"];
        /**
         * Set the balance below which, and the spending from which on, you are notified
         * @description Below: once each time that the available credits fall below it, to the webhook endpoints that want credit.low, and by mail unless you have switched that notice off. Day and week: once a period, by mail; they stay as they are where the body has none. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`.
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
    "/api/v1/config/notices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the operator tells all users now
         * @description What the operator tells all users now.
         */
        get: operations["listServiceNotices"];
        put?: never;
        post?: never;
        delete?: never;
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
         * @description It has the payer’s company, address and tax id too. 409: nothing has been bought; or, of a team, another owner has, as a customer whose portal shows what that owner bought without the team. An API key needs the scope `account`. For a team (X-Team) it needs the role `owner`.
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
    "/api/v1/billing/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Invoices and receipts of the payment processors
         * @description Read from the processors: of each customer the newest 100, the newest first. The portal has older ones. An API key needs the scope `account`. For a team (X-Team) it needs the role `owner`.
         */
        get: operations["listInvoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a change of your plan costs
         * @description The processor’s own preview of the invoice; nothing changes. null: the processor shows the costs on its page only, before the change is confirmed. 409: no plan runs, or it is this one. An API key needs the scope `account`. For a team (X-Team) it needs the role `owner`.
         */
        get: operations["previewPlanChange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/billing/top-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The automatic top-up, and its last charge
         * @description An API key needs the scope `account`. For a team (X-Team) it needs the role `owner`.
         */
        get: operations["getTopUp"];
        /**
         * Buy a pack whenever the balance is low
         * @description Off until it is called. A saved card is charged, one charge at a time; each is followed by a mail. A charge that fails, or that is not confirmed within 23 hours, pauses it until the next call. 409: no processor of this service charges a saved card. An API key needs the scope `account`. For a team (X-Team) it needs the role `owner`.
         */
        put: operations["setTopUp"];
        post?: never;
        /**
         * Switch the automatic top-up off
         * @description A charge that waits for you is given up within minutes. An API key needs the scope `account`. For a team (X-Team) it needs the role `owner`.
         */
        delete: operations["endTopUp"];
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
         * Send a webhook.test, or an example of another type, to an endpoint
         * @description Also when its events and metadata leave the type out; read the delivery for the response. The body of an example has `"test": true`. 409: the endpoint is disabled or suspended. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`.
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
    "/api/v1/webhook/endpoints/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send everything of a period again
         * @description What was delivered too, each with its webhook-id, the oldest 10000 first; call it again from nextFrom for more. What waits for its next attempt is sent at once. What was not recorded, as of a time when the endpoint was disabled, is not sent. 409: the endpoint is disabled. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`.
         */
        post: operations["replayWebhookEndpoint"];
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
         * @description A ZIP, streamed: account.json (profile, sessions, names of keys, subscriptions, balance, packages), history.json, payments.json, payment-events.json, webhooks.json, webhook-deliveries.json, mails.json, audit.json, assets.json, folders.json, publications.json, reports.json, takedowns.json and videos.json with prompts, and the films, thumbnails and assets that they name. A download that breaks off starts again from the beginning. 429: an export of yours is running already. An API key needs the scope `account`.
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
         * @description A ZIP, streamed: videos.json with prompts and metadata, assets.json, and the films, thumbnails and assets that they name. It is empty of both for a subject that is not known. 429: an export of yours is running already. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`.
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
    "/api/v1/video/consent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The statement about persons in your inputs
         * @description A film with a portrait, a motion or a sound needs it, once an account or team: 403 CONSENT_REQUIRED has its text. An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`.
         */
        get: operations["getConsent"];
        /**
         * State that the persons in your inputs have agreed
         * @description It is stored with its text and time, and is in your export. 409: the text is another one by now. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`.
         */
        put: operations["giveConsent"];
        post?: never;
        delete?: never;
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
    "/api/v1/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What you can plan with: rates, videos in progress, budgets, sizes
         * @description Reading it counts as a request of `user`, and of no other rate. The headers RateLimit-Policy and RateLimit have the rates, the videos in progress (`qu="concurrent-requests"`) and the budgets (`qu="credits"`) too. For a team (X-Team) it needs the role `viewer`.
         */
        get: operations["getLimits"];
        put?: never;
        post?: never;
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
    "project.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A project was made
         * @description A project was made. Signed by Standard Webhooks: verify the raw body with the secret of the endpoint.
         */
        post: operations["projectCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "project.rendered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The cut of a project is stored, and what it costs is settled
         * @description The cut of a project is stored, and what it costs is settled. Signed by Standard Webhooks: verify the raw body with the secret of the endpoint.
         */
        post: operations["projectRendered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "project.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A project was deleted; its films stay
         * @description A project was deleted; its films stay. Signed by Standard Webhooks: verify the raw body with the secret of the endpoint.
         */
        post: operations["projectDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "asset.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A picture, film or sound is kept, to make films from
         * @description A picture, film or sound is kept, to make films from. Signed by Standard Webhooks: verify the raw body with the secret of the endpoint.
         */
        post: operations["assetCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "asset.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Its user deleted an asset; not: nothing has used it for a week
         * @description Its user deleted an asset; not: nothing has used it for a week. Signed by Standard Webhooks: verify the raw body with the secret of the endpoint.
         */
        post: operations["assetDeleted"];
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
        /** @description The shot of which the film is a take: its chosen one, unless it has one that has not failed */
        ShotOfProject: {
            /**
             * Format: uuid
             * @description The id of a project
             */
            project: string;
            /**
             * Format: uuid
             * @description The id of a shot of it
             */
            shot: string;
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
            prompt?: string | null;
            /** @description An id of GET /api/v1/config/models */
            model: string;
            /** @description Whole seconds, within the minDuration and maxDuration of the model */
            duration: number;
            /** @description One of the model’s; none is needed where an image decides */
            aspectRatio?: string | null;
            /** @description One of the resolutions of the model; 720p when left out */
            quality?: string | null;
            /** @description Films of the same request and seed resemble each other, where the provider supports it */
            seed?: number | null;
            /** @description What the film must not show; for models that have it */
            negativePrompt?: string | null;
            /** @description Whether the film has sound; for models that have the choice */
            audio?: boolean | null;
            /** @description What the model alone has: the options of GET /api/v1/config/models */
            options?: {
                [key: string]: string | number | boolean;
            } | null;
            /** @description Where a model has several modes of the same inputs, such as extend and edit: which one */
            mode?: string | null;
            /** @description Names the input start: An https URL of at most 2048 characters, or the url of an asset; makes the video image-to-video */
            startImageUrl?: string | null;
            /** @description As startImageUrl: the picture with which the film ends; makes the video first-last */
            endImageUrl?: string | null;
            /** @description Each as startImageUrl: what the film shows; makes the video reference */
            referenceImageUrls?: string[] | null;
            /**
             * Format: uuid
             * @description The uuid of a completed video of yours, whose film goes on; makes the video extend
             */
            extendFrom?: string | null;
            /** @description Films to make, all or none, with consecutive seeds if one is given. Each is a video of its own; the response has `videos` */
            n?: number | null;
            /** @description Notes of your own, such as the id of an order: at most 16 texts of 512 characters, by names of 64. The film’s detail, lists, events and webhooks have them, and no provider gets them */
            metadata?: {
                [key: string]: string;
            } | null;
            shot?: components["schemas"]["ShotOfProject"] | null;
            /** @description An https URL on the public Internet, of at most 2048 characters: the final event of this video is sent to it, signed with the secret of POST /api/v1/webhook/secret, as well as to your endpoints */
            webhookUrl?: string | null;
        };
        /**
         * @example {
         *       "prompt": "A paper boat in a rain gutter, dawn",
         *       "model": "delta-1-5",
         *       "duration": 4,
         *       "aspectRatio": "16:9"
         *     }
         */
        GenerateRequest: components["schemas"]["QuoteRequest"] & {
            /** @description What the film shows; 1 to 5000 characters after trimming */
            prompt: string;
        };
        /** @enum {unknown} */
        InputRole: "start" | "end" | "keyframe" | "reference" | "film" | "motion" | "sound" | "portrait";
        /** @description Exactly one of asset, video and url */
        SentInput: {
            role: components["schemas"]["InputRole"];
            /** @description The id of an asset of yours, or its name, such as @mara */
            asset?: string | null;
            /**
             * Format: uuid
             * @description The uuid of a completed video of yours
             */
            video?: string | null;
            /** @description An https URL of at most 2048 characters, or the url of an asset */
            url?: string | null;
            kind?: ("image" | "film" | "sound") | null;
            /** @description Of a keyframe: its time in the film, in seconds */
            at?: number | null;
        };
        /**
         * @example {
         *       "prompt": "A paper boat in a rain gutter, dawn",
         *       "model": "delta-1-5",
         *       "duration": 4,
         *       "aspectRatio": "16:9",
         *       "inputs": [
         *         {
         *           "role": "start",
         *           "asset": "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50"
         *         }
         *       ]
         *     }
         */
        InputsRequest: components["schemas"]["QuoteRequest"] & {
            /** @description Whole seconds, within the minDuration and maxDuration of the model */
            duration?: number | null;
            /** @description What the film is made from beside the prompt: the roles decide the mode. References keep their order; the prompt names them @1, @2, or by the name of their assets */
            inputs: components["schemas"]["SentInput"][];
        };
        /**
         * @example {
         *       "model": "bytedance-video-upscaler",
         *       "upscaleFrom": "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50",
         *       "quality": "4k"
         *     }
         */
        UpscaleRequest: {
            /** @description An id of GET /api/v1/config/models */
            model: string;
            /**
             * Format: uuid
             * @description The uuid of a completed video of yours: the new one is a larger copy of its film
             */
            upscaleFrom: string;
            /** @description One of the resolutions of the model; its next one that is larger than the film when left out */
            quality?: string | null;
            /** @description Films of the same request and seed resemble each other, where the provider supports it */
            seed?: number | null;
            /** @description What the film must not show; for models that have it */
            negativePrompt?: string | null;
            /** @description Whether the film has sound; for models that have the choice */
            audio?: boolean | null;
            /** @description Where a model has several modes of the same inputs, such as extend and edit: which one */
            mode?: string | null;
            /** @description What the model alone has: the options of GET /api/v1/config/models */
            options?: {
                [key: string]: string | number | boolean;
            } | null;
            /** @description Notes of your own, such as the id of an order: at most 16 texts of 512 characters, by names of 64. The film’s detail, lists, events and webhooks have them, and no provider gets them */
            metadata?: {
                [key: string]: string;
            } | null;
            shot?: components["schemas"]["ShotOfProject"] | null;
            /** @description An https URL on the public Internet, of at most 2048 characters: the final event of this video is sent to it, signed with the secret of POST /api/v1/webhook/secret, as well as to your endpoints */
            webhookUrl?: string | null;
        };
        Envelope: {
            /** @constant */
            success: true;
        };
        /**
         * @example {
         *       "uuid": "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50",
         *       "status": "PENDING",
         *       "model": "delta-1-5",
         *       "creditsUsed": 16,
         *       "createdAt": "2026-01-15T09:30:00.000Z"
         *     }
         */
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
         *       "credits": 16,
         *       "ceiling": false,
         *       "available": 60,
         *       "affordable": true,
         *       "mode": "text-to-video",
         *       "provider": "provider-b",
         *       "estimatedSeconds": 41
         *     }
         */
        Quote: {
            /** @description The price: what generate would freeze for the same body */
            credits: number;
            /** @description Whether the price is the most: the film is as long as a link says, or the provider makes it. The seconds that are made are settled, and the rest comes back. false: it is the price */
            ceiling: boolean;
            /** @description Credits available now; with an API key, at most what is left of its budget */
            available: number;
            /** @description Whether available covers the price */
            affordable: boolean;
            /** @description One of the modes of the model: what its inputs make of the request */
            mode: string;
            /** @description The kind of provider that is tried first, such as fal or runway */
            provider: string;
            /** @description How long such a film takes there: the median of the last ones */
            estimatedSeconds: number;
        };
        /**
         * @description PENDING, GENERATING, UPLOADING, then COMPLETED or FAILED, which are final
         * @enum {unknown}
         */
        VideoStatus: "PENDING" | "GENERATING" | "UPLOADING" | "COMPLETED" | "FAILED";
        VideoFailure: {
            /**
             * @description Why it failed, for programs
             * @enum {unknown}
             */
            code: "CONTENT_REFUSED" | "PARAMETERS_REFUSED" | "INPUT_REFUSED" | "PROVIDER_ERROR" | "PROVIDER_BUSY" | "ACCOUNT" | "TIMED_OUT" | "CANCELLED" | "LOST" | "NOT_ACCEPTED" | "FILM_UNUSABLE" | "FILM_UNREACHABLE" | "NOT_AS_ORDERED" | "NOT_STORED";
            /** @description The same as error */
            message: string;
            /** @description Whether the same request may succeed when it is made again */
            retryable: boolean;
        };
        /**
         * @example {
         *       "uuid": "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50",
         *       "prompt": "A paper boat in a rain gutter, dawn",
         *       "model": "delta-1-5",
         *       "status": "COMPLETED",
         *       "videoUrl": "https://kinora.example/files/video/01939b1e-1111-7aaa-8bbb-000000000001/01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50.mp4?exp=1768555800&sig=…",
         *       "thumbnailUrl": "https://kinora.example/files/video/01939b1e-1111-7aaa-8bbb-000000000001/01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50.jpg?exp=1768555800&sig=…",
         *       "duration": 4,
         *       "aspectRatio": "16:9",
         *       "creditsUsed": 16,
         *       "createdAt": "2026-01-15T09:30:00.000Z",
         *       "completedAt": "2026-01-15T09:30:48.000Z",
         *       "seed": null,
         *       "mode": "text-to-video",
         *       "extendedFrom": null,
         *       "upscaledFrom": null,
         *       "batchId": null,
         *       "favourite": false,
         *       "folderId": null,
         *       "waiting": false,
         *       "usedIn": null,
         *       "madeBy": null,
         *       "subject": null,
         *       "metadata": null,
         *       "failure": null,
         *       "isPublished": false
         *     }
         */
        ListedVideo: {
            /** Format: uuid */
            uuid: string;
            /** @description In lists and event streams the first 120 characters, then … */
            prompt: string;
            model: string;
            status: components["schemas"]["VideoStatus"];
            /** @description Signed link to the film; read the video again to renew it. Add ?download for an attachment, ?download&filename=name to name it */
            videoUrl: string | null;
            /** @description Signed link to a JPEG */
            thumbnailUrl: string | null;
            /** @description Seconds */
            duration: number;
            /** @description As requested; of the film itself once it is COMPLETED */
            aspectRatio: string;
            /** @description The price in credits, the most until it is completed; 0 once released */
            creditsUsed: number;
            /**
             * Format: date-time
             * @description When the video was requested
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the film was ready
             */
            completedAt: string | null;
            /** @description As requested; null when the provider was to choose one */
            seed: number | null;
            /** @description What it was made of: a text, or the roles of its inputs */
            mode: string;
            /**
             * Format: uuid
             * @description The video that this one continues
             */
            extendedFrom: string | null;
            /**
             * Format: uuid
             * @description The video that this one enlarges
             */
            upscaledFrom: string | null;
            /**
             * Format: uuid
             * @description The same for all videos of one request with n; null for one that was requested alone
             */
            batchId: string | null;
            /** @description As POST /api/v1/video/arrange has set it */
            favourite: boolean;
            /**
             * Format: uuid
             * @description The folder; null: in none
             */
            folderId: string | null;
            /** @description Whether it waits for others of yours to end: of a project whose shots were generated together */
            waiting: boolean;
            /**
             * Format: uuid
             * @description The project in which it is the chosen take of a shot; null: in none
             */
            usedIn: string | null;
            /**
             * Format: uuid
             * @description The API key, program or member of the team that made it; null: a session of your own
             */
            madeBy: string | null;
            /** @description Of its browser token; null: none */
            subject: string | null;
            /** @description As requested; null: none */
            metadata: {
                [key: string]: string;
            } | null;
            /** @description null unless the video is FAILED */
            failure: components["schemas"]["VideoFailure"] | null;
            /** @description Whether everyone sees it on Explore */
            isPublished: boolean;
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
        /**
         * @example {
         *       "uuid": "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50",
         *       "status": "GENERATING",
         *       "progress": 42,
         *       "estimatedSeconds": null,
         *       "queuePosition": null,
         *       "error": null,
         *       "failure": null
         *     }
         */
        TaskStatus: {
            /** Format: uuid */
            uuid: string;
            status: components["schemas"]["VideoStatus"];
            /** @description Never falls */
            progress: number;
            /** @description Seconds until the film is ready: as the provider says, or as the last films took; null: unknown, or final */
            estimatedSeconds: number | null;
            /** @description Tasks before this one at the provider; null: none, or unknown */
            queuePosition: number | null;
            /** @description Why the video failed */
            error: string | null;
            /** @description null unless the video is FAILED */
            failure: components["schemas"]["VideoFailure"] | null;
        };
        VideoProvenance: {
            /** @description Whether the film has signed content credentials (C2PA) */
            signed: boolean;
            /** @description Whose certificate they are signed with */
            signer: string | null;
            /** @description AIGC: the film has the label of GB 45438-2025 */
            label: "AIGC" | null;
            /** @description Signed link to a manifest beside the film; null: it is in the film. Not in webhooks */
            manifestUrl?: string | null;
        };
        VideoInput: {
            /** @enum {unknown} */
            role: "start" | "end" | "keyframe" | "reference" | "film" | "motion" | "sound" | "portrait";
            /** @enum {unknown} */
            kind: "image" | "film" | "sound";
            /** @description Its id */
            asset: string | null;
            /** @description Its uuid */
            video: string | null;
            /** @description The link that was sent; of an asset a newly signed one */
            url: string | null;
            /** @description Of a keyframe, in seconds */
            at: number | null;
        };
        /**
         * @example {
         *       "uuid": "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50",
         *       "prompt": "A paper boat in a rain gutter, dawn",
         *       "model": "delta-1-5",
         *       "status": "COMPLETED",
         *       "videoUrl": "https://kinora.example/files/video/01939b1e-1111-7aaa-8bbb-000000000001/01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50.mp4?exp=1768555800&sig=…",
         *       "thumbnailUrl": "https://kinora.example/files/video/01939b1e-1111-7aaa-8bbb-000000000001/01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50.jpg?exp=1768555800&sig=…",
         *       "provenance": {
         *         "signed": true,
         *         "signer": "Example Films Ltd",
         *         "label": null
         *       },
         *       "duration": 4,
         *       "aspectRatio": "16:9",
         *       "creditsUsed": 16,
         *       "createdAt": "2026-01-15T09:30:00.000Z",
         *       "completedAt": "2026-01-15T09:30:48.000Z",
         *       "provider": "provider-b",
         *       "startImageUrl": null,
         *       "endImageUrl": null,
         *       "referenceImageUrls": null,
         *       "inputs": null,
         *       "seed": null,
         *       "negativePrompt": null,
         *       "audio": null,
         *       "options": null,
         *       "mode": "text-to-video",
         *       "extendedFrom": null,
         *       "upscaledFrom": null,
         *       "batchId": null,
         *       "favourite": false,
         *       "folderId": null,
         *       "waiting": false,
         *       "usedIn": null,
         *       "madeBy": null,
         *       "subject": null,
         *       "metadata": null,
         *       "resolution": "720p",
         *       "fileSize": 1834022,
         *       "generationTime": 41.3,
         *       "error": null,
         *       "failure": null,
         *       "isPublished": false
         *     }
         */
        Video: components["schemas"]["ListedVideo"] & {
            /** @description How the film says that it is made by AI; null until it is COMPLETED */
            provenance: components["schemas"]["VideoProvenance"] | null;
            /** @description The AI provider of the current attempt, or that made the film */
            provider: string;
            /** @description Of the input start: as sent, or a newly signed link to the asset */
            startImageUrl: string | null;
            /** @description As startImageUrl, of the input end */
            endImageUrl: string | null;
            /** @description Each as startImageUrl, of the references */
            referenceImageUrls: string[] | null;
            /** @description What it was made from beside the prompt; null: nothing */
            inputs: components["schemas"]["VideoInput"][] | null;
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
            /** @description Bytes */
            fileSize: number | null;
            /** @description Seconds from the provider’s acceptance to its result */
            generationTime: number | null;
            /** @description Why the video failed */
            error: string | null;
        };
        /**
         * @example {
         *       "uuid": "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50",
         *       "status": "FAILED",
         *       "progress": 0,
         *       "estimatedSeconds": null,
         *       "queuePosition": null,
         *       "error": "Cancelled before it began; your credits are back.",
         *       "failure": null,
         *       "message": "Cancelled before it began; your credits are back."
         *     }
         */
        CancelledVideo: components["schemas"]["TaskStatus"] & {
            /** @description What has become of the video, for its user */
            message: string;
        };
        /**
         * @example {
         *       "uuids": [
         *         "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50"
         *       ],
         *       "notFound": []
         *     }
         */
        BulkOutcome: {
            /** @description Those that were found */
            uuids: string[];
            /** @description Those of no video of yours */
            notFound: string[];
        };
        /**
         * @example {
         *       "id": "01939b1e-7d2e-7aaa-8bbb-1b2c3d4e5f60",
         *       "name": "Boats",
         *       "videos": 12,
         *       "madeBy": "01939b1e-1111-7aaa-8bbb-000000000001",
         *       "createdAt": "2026-01-15T09:30:00.000Z"
         *     }
         */
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
        Deleted: {
            id: string;
            /** @constant */
            deleted: true;
        };
        /**
         * @example {
         *       "uuid": "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50",
         *       "creditsUsed": 0
         *     }
         */
        RenderedProject: {
            /** @description Of the cut */
            uuid: string;
            /** @description Frozen for it */
            creditsUsed: number;
        };
        /** @description Begins with the film, beside the takes’ own */
        ProjectSound: {
            /**
             * Format: uuid
             * @description The id of a sound of yours
             */
            asset: string;
            volume: number;
            fadeInS: number;
            fadeOutS: number;
        };
        /**
         * @example {
         *       "id": "01939b1e-3333-7aaa-8bbb-000000000001",
         *       "name": "The lighthouse",
         *       "aspectRatio": "16:9",
         *       "fit": "fit",
         *       "sound": null,
         *       "version": 4,
         *       "madeBy": "01939b1e-1111-7aaa-8bbb-000000000001",
         *       "changedBy": "01939b1e-1111-7aaa-8bbb-000000000001",
         *       "createdAt": "2026-01-15T09:30:00.000Z",
         *       "updatedAt": "2026-01-15T09:30:00.000Z",
         *       "cutId": null,
         *       "shots": 6,
         *       "thumbnailUrl": "https://kinora.example/files/video/01939b1e-1111-7aaa-8bbb-000000000001/01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50.jpg?exp=1768555800&sig=…"
         *     }
         */
        ListedProject: {
            /** Format: uuid */
            id: string;
            name: string;
            /**
             * @description Of the whole film
             * @enum {unknown}
             */
            aspectRatio: "16:9" | "9:16" | "1:1";
            /**
             * @description How a take of another shape fills the frame: with bars, or cropped
             * @enum {unknown}
             */
            fit: "fit" | "crop";
            /** @description null: the takes’ own sound alone */
            sound: components["schemas"]["ProjectSound"] | null;
            /** @description Counts the changes of these fields, and of which shots there are in which order */
            version: number;
            /**
             * Format: uuid
             * @description Who made it; see makers
             */
            madeBy: string;
            /**
             * Format: uuid
             * @description Who made this version; see makers
             */
            changedBy: string;
            /**
             * Format: date-time
             * @description When it was made
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When this version was made
             */
            updatedAt: string;
            /**
             * Format: uuid
             * @description Its newest cut, the uuid of a video; null: none, or deleted
             */
            cutId: string | null;
            /** @description How many it has */
            shots: number;
            /** @description Signed link to a JPEG of its first finished take */
            thumbnailUrl: string | null;
        };
        /**
         * @description The fields of a generate request, as far as they are decided: they are checked when it is generated
         * @example {
         *       "prompt": "A paper boat in a rain gutter, dawn",
         *       "model": "delta-1-5",
         *       "duration": 4,
         *       "aspectRatio": "16:9"
         *     }
         */
        SentShotSettings: {
            /** @description Whole seconds, within the minDuration and maxDuration of the model */
            duration?: number | null;
            /** @description One of the model’s; none is needed where an image decides */
            aspectRatio?: string | null;
            /** @description One of the resolutions of the model; 720p when left out */
            quality?: string | null;
            /** @description Films of the same request and seed resemble each other, where the provider supports it */
            seed?: number | null;
            /** @description What the film must not show; for models that have it */
            negativePrompt?: string | null;
            /** @description Whether the film has sound; for models that have the choice */
            audio?: boolean | null;
            /** @description What the model alone has: the options of GET /api/v1/config/models */
            options?: {
                [key: string]: string | number | boolean;
            } | null;
            /** @description Where a model has several modes of the same inputs, such as extend and edit: which one */
            mode?: string | null;
            /** @description Names the input start: An https URL of at most 2048 characters, or the url of an asset; makes the video image-to-video */
            startImageUrl?: string | null;
            /** @description As startImageUrl: the picture with which the film ends; makes the video first-last */
            endImageUrl?: string | null;
            /** @description Each as startImageUrl: what the film shows; makes the video reference */
            referenceImageUrls?: string[] | null;
            /**
             * Format: uuid
             * @description The uuid of a completed video of yours, whose film goes on; makes the video extend
             */
            extendFrom?: string | null;
            /**
             * Format: uuid
             * @description The uuid of a completed video of yours, for a larger copy of its film
             */
            upscaleFrom?: string | null;
            /** @description An id of GET /api/v1/config/models */
            model?: string | null;
            prompt?: string | null;
            /** @description What the film is made from beside the prompt: the roles decide the mode. References keep their order; the prompt names them @1, @2, or by the name of their assets */
            inputs?: components["schemas"]["SentInput"][] | null;
        };
        ShotDraft: {
            settings: components["schemas"]["SentShotSettings"];
            /** @description A line for those who work on it */
            notes?: string | null;
        };
        /** @description Exactly one of asset, video and url */
        Input: {
            role: components["schemas"]["InputRole"];
            /** @description The id of an asset of yours, or its name, such as @mara */
            asset?: string;
            /**
             * Format: uuid
             * @description The uuid of a completed video of yours
             */
            video?: string;
            /** @description An https URL of at most 2048 characters, or the url of an asset */
            url?: string;
            /**
             * @description Of a reference that is a link: what it leads to; an image when left out
             * @enum {unknown}
             */
            kind?: "image" | "film" | "sound";
            /** @description Of a keyframe: its time in the film, in seconds */
            at?: number;
        };
        /**
         * @description The fields of a generate request, as far as they are decided: they are checked when it is generated
         * @example {
         *       "prompt": "A paper boat in a rain gutter, dawn",
         *       "model": "delta-1-5",
         *       "duration": 4,
         *       "aspectRatio": "16:9"
         *     }
         */
        ShotSettings: {
            /** @description Whole seconds, within the minDuration and maxDuration of the model */
            duration?: number;
            /** @description One of the model’s; none is needed where an image decides */
            aspectRatio?: string;
            /** @description One of the resolutions of the model; 720p when left out */
            quality?: string;
            /** @description Films of the same request and seed resemble each other, where the provider supports it */
            seed?: number;
            /** @description What the film must not show; for models that have it */
            negativePrompt?: string;
            /** @description Whether the film has sound; for models that have the choice */
            audio?: boolean;
            /** @description What the model alone has: the options of GET /api/v1/config/models */
            options?: {
                [key: string]: string | number | boolean;
            };
            /** @description Where a model has several modes of the same inputs, such as extend and edit: which one */
            mode?: string;
            /** @description Names the input start: An https URL of at most 2048 characters, or the url of an asset; makes the video image-to-video */
            startImageUrl?: string;
            /** @description As startImageUrl: the picture with which the film ends; makes the video first-last */
            endImageUrl?: string;
            /** @description Each as startImageUrl: what the film shows; makes the video reference */
            referenceImageUrls?: string[];
            /**
             * Format: uuid
             * @description The uuid of a completed video of yours, whose film goes on; makes the video extend
             */
            extendFrom?: string;
            /**
             * Format: uuid
             * @description The uuid of a completed video of yours, for a larger copy of its film
             */
            upscaleFrom?: string;
            /** @description An id of GET /api/v1/config/models */
            model?: string;
            prompt?: string;
            /** @description What the film is made from beside the prompt: the roles decide the mode. References keep their order; the prompt names them @1, @2, or by the name of their assets */
            inputs?: components["schemas"]["Input"][];
        };
        /**
         * @example {
         *       "id": "01939b1e-4444-7aaa-8bbb-000000000001",
         *       "settings": {
         *         "prompt": "A paper boat in a rain gutter, dawn",
         *         "model": "delta-1-5",
         *         "duration": 4,
         *         "aspectRatio": "16:9"
         *       },
         *       "notes": "Wide; the boat comes closer",
         *       "takeId": "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50",
         *       "takeDeleted": false,
         *       "inMs": null,
         *       "outMs": 3500,
         *       "version": 3,
         *       "changedBy": "01939b1e-1111-7aaa-8bbb-000000000001",
         *       "changedAt": "2026-01-15T09:30:00.000Z",
         *       "takes": [
         *         {
         *           "uuid": "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50",
         *           "prompt": "A paper boat in a rain gutter, dawn",
         *           "model": "delta-1-5",
         *           "status": "COMPLETED",
         *           "videoUrl": "https://kinora.example/files/video/01939b1e-1111-7aaa-8bbb-000000000001/01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50.mp4?exp=1768555800&sig=…",
         *           "thumbnailUrl": "https://kinora.example/files/video/01939b1e-1111-7aaa-8bbb-000000000001/01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50.jpg?exp=1768555800&sig=…",
         *           "duration": 4,
         *           "aspectRatio": "16:9",
         *           "creditsUsed": 16,
         *           "createdAt": "2026-01-15T09:30:00.000Z",
         *           "completedAt": "2026-01-15T09:30:48.000Z",
         *           "seed": null,
         *           "mode": "text-to-video",
         *           "extendedFrom": null,
         *           "upscaledFrom": null,
         *           "batchId": null,
         *           "favourite": false,
         *           "folderId": null,
         *           "waiting": false,
         *           "usedIn": null,
         *           "madeBy": null,
         *           "subject": null,
         *           "metadata": null,
         *           "failure": null,
         *           "isPublished": false
         *         }
         *       ]
         *     }
         */
        Shot: {
            /** Format: uuid */
            id: string;
            settings: components["schemas"]["ShotSettings"];
            /** @description A line for those who work on it */
            notes: string;
            /**
             * Format: uuid
             * @description The chosen take, the uuid of a video; null: none
             */
            takeId: string | null;
            /** @description Whether the chosen take was deleted since */
            takeDeleted: boolean;
            /** @description Where the cut begins in the take; null: at its begin */
            inMs: number | null;
            /** @description Where the cut ends in the take; null: at its end */
            outMs: number | null;
            /** @description Counts its changes */
            version: number;
            /**
             * Format: uuid
             * @description Who made this version; see makers
             */
            changedBy: string;
            /**
             * Format: date-time
             * @description When
             */
            changedAt: string;
            /** @description The newest first, 12 at most, and the chosen one */
            takes: components["schemas"]["ListedVideo"][];
        };
        /**
         * @example {
         *       "id": "01939b1e-3333-7aaa-8bbb-000000000001",
         *       "name": "The lighthouse",
         *       "aspectRatio": "16:9",
         *       "fit": "fit",
         *       "sound": null,
         *       "version": 4,
         *       "madeBy": "01939b1e-1111-7aaa-8bbb-000000000001",
         *       "changedBy": "01939b1e-1111-7aaa-8bbb-000000000001",
         *       "createdAt": "2026-01-15T09:30:00.000Z",
         *       "updatedAt": "2026-01-15T09:30:00.000Z",
         *       "cutId": null,
         *       "shots": [
         *         {
         *           "id": "01939b1e-4444-7aaa-8bbb-000000000001",
         *           "settings": {
         *             "prompt": "A paper boat in a rain gutter, dawn",
         *             "model": "delta-1-5",
         *             "duration": 4,
         *             "aspectRatio": "16:9"
         *           },
         *           "notes": "Wide; the boat comes closer",
         *           "takeId": "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50",
         *           "takeDeleted": false,
         *           "inMs": null,
         *           "outMs": 3500,
         *           "version": 3,
         *           "changedBy": "01939b1e-1111-7aaa-8bbb-000000000001",
         *           "changedAt": "2026-01-15T09:30:00.000Z",
         *           "takes": [
         *             {
         *               "uuid": "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50",
         *               "prompt": "A paper boat in a rain gutter, dawn",
         *               "model": "delta-1-5",
         *               "status": "COMPLETED",
         *               "videoUrl": "https://kinora.example/files/video/01939b1e-1111-7aaa-8bbb-000000000001/01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50.mp4?exp=1768555800&sig=…",
         *               "thumbnailUrl": "https://kinora.example/files/video/01939b1e-1111-7aaa-8bbb-000000000001/01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50.jpg?exp=1768555800&sig=…",
         *               "duration": 4,
         *               "aspectRatio": "16:9",
         *               "creditsUsed": 16,
         *               "createdAt": "2026-01-15T09:30:00.000Z",
         *               "completedAt": "2026-01-15T09:30:48.000Z",
         *               "seed": null,
         *               "mode": "text-to-video",
         *               "extendedFrom": null,
         *               "upscaledFrom": null,
         *               "batchId": null,
         *               "favourite": false,
         *               "folderId": null,
         *               "waiting": false,
         *               "usedIn": null,
         *               "madeBy": null,
         *               "subject": null,
         *               "metadata": null,
         *               "failure": null,
         *               "isPublished": false
         *             }
         *           ]
         *         }
         *       ],
         *       "makers": []
         *     }
         */
        Project: {
            /** Format: uuid */
            id: string;
            name: string;
            /**
             * @description Of the whole film
             * @enum {unknown}
             */
            aspectRatio: "16:9" | "9:16" | "1:1";
            /**
             * @description How a take of another shape fills the frame: with bars, or cropped
             * @enum {unknown}
             */
            fit: "fit" | "crop";
            /** @description null: the takes’ own sound alone */
            sound: components["schemas"]["ProjectSound"] | null;
            /** @description Counts the changes of these fields, and of which shots there are in which order */
            version: number;
            /**
             * Format: uuid
             * @description Who made it; see makers
             */
            madeBy: string;
            /**
             * Format: uuid
             * @description Who made this version; see makers
             */
            changedBy: string;
            /**
             * Format: date-time
             * @description When it was made
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When this version was made
             */
            updatedAt: string;
            /**
             * Format: uuid
             * @description Its newest cut, the uuid of a video; null: none, or deleted
             */
            cutId: string | null;
            /** @description In their order */
            shots: components["schemas"]["Shot"][];
            makers: components["schemas"]["Makers"];
        };
        ShotRefusal: {
            code: string;
            message: string;
        };
        RenderRefusal: {
            code: string;
            message: string;
        };
        /** @description Of the takes that are chosen now */
        QuotedRender: {
            /** @description How long the cut would be; null: it is refused */
            seconds: number | null;
            /** @description What rendering it would freeze; null: it is refused */
            credits: number | null;
            /** @description Why it cannot be rendered yet */
            refusal: components["schemas"]["RenderRefusal"] | null;
        };
        /**
         * @example {
         *       "credits": 16,
         *       "ceiling": false,
         *       "available": 60,
         *       "affordable": true,
         *       "shots": [
         *         {
         *           "shot": "01939b1e-4444-7aaa-8bbb-000000000001",
         *           "credits": 16,
         *           "ceiling": false,
         *           "estimatedSeconds": 41,
         *           "refusal": null
         *         }
         *       ],
         *       "render": {
         *         "seconds": null,
         *         "credits": null,
         *         "refusal": {
         *           "code": "CONFLICT",
         *           "message": "Shot 1 has no finished take; generate one, choose another, or delete the shot."
         *         }
         *       }
         *     }
         */
        ProjectQuote: {
            /** @description Of all shots that are not refused: what generating them freezes */
            credits: number;
            /** @description Whether it is the most: of some the length is open */
            ceiling: boolean;
            /** @description Credits available now; with an API key, at most what is left of its budget */
            available: number;
            /** @description Whether available covers the sum */
            affordable: boolean;
            shots: {
                /** Format: uuid */
                shot: string;
                /** @description null: it is refused */
                credits: number | null;
                ceiling: boolean;
                /** @description How long such a film takes; null: it is refused */
                estimatedSeconds: number | null;
                /** @description Why it cannot be generated */
                refusal: components["schemas"]["ShotRefusal"] | null;
            }[];
            render: components["schemas"]["QuotedRender"];
        };
        /**
         * @example {
         *       "creditsUsed": 16,
         *       "videos": [
         *         {
         *           "uuid": "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50",
         *           "shot": "01939b1e-4444-7aaa-8bbb-000000000001",
         *           "model": "delta-1-5",
         *           "creditsUsed": 16,
         *           "waiting": false,
         *           "createdAt": "2026-01-15T09:30:00.000Z"
         *         }
         *       ]
         *     }
         */
        GeneratedShots: {
            /** @description Credits frozen for all */
            creditsUsed: number;
            /** @description In the order of the shots */
            videos: {
                uuid: string;
                /** @description null: it was deleted since */
                shot: string | null;
                model: string;
                creditsUsed: number;
                /** @description Whether it waits for others of yours to end */
                waiting: boolean;
                /**
                 * Format: date-time
                 * @description When
                 */
                createdAt: string;
            }[];
        };
        ProposedShot: {
            prompt: string;
            /** @description The length that it proposes; null: none */
            seconds: number | null;
        };
        /**
         * @example {
         *       "url": "https://kinora.example/share/q7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zk",
         *       "showsPrompt": false,
         *       "allowsDownload": false,
         *       "administratorId": null,
         *       "createdAt": "2026-01-15T09:30:00.000Z"
         *     }
         */
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
        /**
         * @example {
         *       "prompt": null,
         *       "model": "delta-1-5",
         *       "sha256": "9f86d081884c7d659f86d081884c7d659f86d081884c7d659f86d081884c7d65",
         *       "duration": 4,
         *       "aspectRatio": "16:9",
         *       "completedAt": "2026-01-15T09:30:48.000Z",
         *       "allowsDownload": false,
         *       "videoUrl": "https://kinora.example/share/q7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zk/film.mp4",
         *       "thumbnailUrl": "https://kinora.example/share/q7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zk/thumbnail.jpg"
         *     }
         */
        SharedVideo: {
            /** @description null unless the owner shows it, and it has one */
            prompt: string | null;
            model: string;
            /** @description SHA-256 of the film, for POST /api/v1/provenance/verify; null: the film is not signed */
            sha256: string | null;
            /** @description Seconds */
            duration: number;
            /** @description As requested; of the film itself once it is COMPLETED */
            aspectRatio: string;
            /**
             * Format: date-time
             * @description When the film was ready
             */
            completedAt: string | null;
            /** @description Whether the owner offers it as a file: videoUrl with ?download */
            allowsDownload: boolean;
            /** @description Link to the film, as long as it is shared */
            videoUrl: string;
            /** @description Link to a JPEG, as long as the film is shared */
            thumbnailUrl: string;
        };
        /**
         * @example {
         *       "known": true,
         *       "kind": "film",
         *       "model": "Delta 1.5",
         *       "madeAt": "2026-01-15T09:30:48.000Z",
         *       "signed": true,
         *       "signer": "Example Films Ltd",
         *       "ingredients": [
         *         {
         *           "relationship": "input",
         *           "contentType": "image/png",
         *           "madeHere": false
         *         }
         *       ]
         *     }
         */
        ProvenanceVerification: {
            /** @description Whether the file was made here; false: the other fields are null */
            known: boolean;
            /** @description What the file is */
            kind: ("film" | "poster") | null;
            /** @description The public name of the model */
            model: string | null;
            /**
             * Format: date-time
             * @description When the film was ready
             */
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
        /**
         * @example {
         *       "id": "01939b1e-8888-7aaa-8bbb-000000000001",
         *       "showsName": false,
         *       "publishedAt": "2026-01-15T09:30:00.000Z",
         *       "administratorId": null,
         *       "removedAt": null,
         *       "removalReason": null
         *     }
         */
        Publication: {
            /**
             * Format: uuid
             * @description Its id at /api/v1/explore; null when an administrator has removed it
             */
            id: string | null;
            /** @description Whether the name of its maker is shown */
            showsName: boolean;
            /**
             * Format: date-time
             * @description When it was published; null when its maker has taken it back
             */
            publishedAt: string | null;
            /** @description Id of the administrator who published it for its maker, with whose rights it ends; null: its maker */
            administratorId: string | null;
            /**
             * Format: date-time
             * @description When an administrator removed it: it cannot be published again
             */
            removedAt: string | null;
            /** @description Why, in the words of the administrator */
            removalReason: string | null;
        };
        /**
         * @example {
         *       "id": "01939b1e-8888-7aaa-8bbb-000000000001",
         *       "prompt": "A paper boat in a rain gutter, dawn",
         *       "model": "delta-1-5",
         *       "sha256": "9f86d081884c7d659f86d081884c7d659f86d081884c7d659f86d081884c7d65",
         *       "duration": 4,
         *       "aspectRatio": "16:9",
         *       "completedAt": "2026-01-15T09:30:48.000Z",
         *       "seed": null,
         *       "negativePrompt": null,
         *       "audio": null,
         *       "options": null,
         *       "mode": "text-to-video",
         *       "resolution": "720p",
         *       "maker": "Ann",
         *       "publishedAt": "2026-01-15T09:30:00.000Z",
         *       "videoUrl": "https://kinora.example/explore/01939b1e-8888-7aaa-8bbb-000000000001/film.mp4",
         *       "thumbnailUrl": "https://kinora.example/explore/01939b1e-8888-7aaa-8bbb-000000000001/thumbnail.jpg"
         *     }
         */
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
            /**
             * Format: date-time
             * @description When the film was ready
             */
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
            /** @description What it was made of: a text, or the roles of its inputs */
            mode: string;
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
         *       "objectsUntil": "2026-07-17T09:30:00.000Z"
         *     }
         */
        StatementOfReasons: {
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
            /**
             * Format: date-time
             * @description Until when the maker may object; null: has, or need not
             */
            objectsUntil: string | null;
        };
        /**
         * @example {
         *       "shots": [
         *         {
         *           "settings": {
         *             "prompt": "A paper boat in a rain gutter, dawn",
         *             "model": "delta-1-5",
         *             "duration": 4,
         *             "aspectRatio": "16:9"
         *           }
         *         }
         *       ]
         *     }
         */
        AddedShots: {
            shots: components["schemas"]["ShotDraft"][];
        };
        /**
         * @example {
         *       "text": "1. A boat leaves.\n2. A storm comes up."
         *     }
         */
        ShotsFromText: {
            /** @description Blank lines and headings separate the shots: “INT. KITCHEN – DAY” stays in the prompts below it, “Shot 3:” and “1.” become notes */
            text: string;
            settings?: components["schemas"]["SentShotSettings"] | null;
        };
        /**
         * @example {
         *       "csv": "prompt,duration\r\nA boat leaves.,4\r\n"
         *     }
         */
        ShotsFromCsv: {
            /** @description Its first row names the columns, as in GET /api/v1/project/{id}/shots.csv */
            csv: string;
            settings?: components["schemas"]["SentShotSettings"] | null;
        };
        LinkedAsset: {
            /** Format: uri */
            url: string;
            name?: string | null;
        };
        /** @enum {unknown} */
        AssetKind: "image" | "film" | "sound";
        /**
         * @example {
         *       "id": "01939b1e-2222-7aaa-8bbb-000000000001",
         *       "kind": "image",
         *       "name": "mara",
         *       "url": "https://kinora.example/files/asset/01939b1e-1111-7aaa-8bbb-000000000001/01939b1e-2222-7aaa-8bbb-000000000001.jpg?exp=1768566600&sig=…",
         *       "urlExpiresAt": "2026-01-16T12:30:00.000Z",
         *       "contentType": "image/jpeg",
         *       "width": 1024,
         *       "height": 1536,
         *       "durationS": null,
         *       "hasSound": null,
         *       "sizeBytes": 482013,
         *       "madeBy": "01939b1e-1111-7aaa-8bbb-000000000001",
         *       "subject": null,
         *       "createdAt": "2026-01-15T09:30:00.000Z"
         *     }
         */
        Asset: {
            /** Format: uuid */
            id: string;
            kind: components["schemas"]["AssetKind"];
            /** @description Assets of one name are one character, place or product; null: it has none */
            name: string | null;
            /** @description Signed link; also for startImageUrl and its like */
            url: string;
            /**
             * Format: date-time
             * @description When the url expires
             */
            urlExpiresAt: string;
            /** @description Of the file that is kept */
            contentType: string;
            /** @description Pixels; null: a sound */
            width: number | null;
            /** @description Pixels; null: a sound */
            height: number | null;
            /** @description Seconds; null: a picture */
            durationS: number | null;
            /** @description null: a picture */
            hasSound: boolean | null;
            sizeBytes: number;
            /** @description The user, the member of the team, or the API key that sent it; null: fetched for a film */
            madeBy: string | null;
            /** @description The subject whose browser token sent it, in whose films alone its name stands for it; null: of none */
            subject: string | null;
            /**
             * Format: date-time
             * @description When it was sent
             */
            createdAt: string;
        };
        /**
         * @example {
         *       "url": "https://kinora.example/files/asset/01939b1e-1111-7aaa-8bbb-000000000001/01939b1e-2222-7aaa-8bbb-000000000001.jpg?exp=1768566600&sig=…",
         *       "width": 4096,
         *       "height": 3072,
         *       "sizeBytes": 2481022,
         *       "contentType": "image/jpeg",
         *       "expiresAt": "2026-01-16T12:30:00.000Z"
         *     }
         */
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
        VideoChanged: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "video";
            /** Format: uuid */
            uuid: string;
            status: components["schemas"]["VideoStatus"];
            /** @description Never falls */
            progress: number;
            /** @description Seconds until the film is ready: as the provider says, or as the last films took; null: unknown, or final */
            estimatedSeconds: number | null;
            /** @description Tasks before this one at the provider; null: none, or unknown */
            queuePosition: number | null;
            /** @description Why the video failed */
            error: string | null;
            /** @description null unless the video is FAILED */
            failure: components["schemas"]["VideoFailure"] | null;
            /** @description The subject of the browser token that made it */
            subject: string | null;
            /** @description In lists and event streams the first 120 characters, then … */
            prompt?: string;
            /** @description Signed link to a JPEG */
            thumbnailUrl?: string | null;
            /**
             * Format: date-time
             * @description When it was ready, or failed
             */
            endedAt?: string | null;
            /**
             * Format: uuid
             * @description The API key, program or member of the team that made it; null: a session of your own
             */
            madeBy?: string | null;
            /** @description As requested; null: none */
            metadata?: {
                [key: string]: string;
            } | null;
        };
        VideoDeleted: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "deleted";
            /** Format: uuid */
            uuid: string;
            /** @description The subject of the browser token that made it */
            subject: string | null;
        };
        StreamReset: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "reset";
        };
        StreamMark: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "mark";
        };
        StreamEvent: components["schemas"]["VideoChanged"] | components["schemas"]["VideoDeleted"] | components["schemas"]["StreamReset"] | components["schemas"]["StreamMark"];
        /**
         * @example {
         *       "id": "delta-1-5",
         *       "name": "Delta 1.5",
         *       "provider": "Delta Motion",
         *       "modes": [
         *         "text-to-video",
         *         "image-to-video"
         *       ],
         *       "minDuration": 4,
         *       "maxDuration": 12,
         *       "resolutions": [
         *         "720p",
         *         "1080p"
         *       ],
         *       "aspectRatios": [
         *         "16:9",
         *         "9:16",
         *         "1:1",
         *         "4:3",
         *         "3:4",
         *         "21:9"
         *       ],
         *       "pricing": {
         *         "per": "second",
         *         "credits": {
         *           "720p": 4,
         *           "1080p": 8
         *         }
         *       },
         *       "enabled": true,
         *       "description": null,
         *       "sample": [
         *         "https://kinora.example/sample/01939b1e-7777-7aaa-8bbb-000000000001/film.mp4"
         *       ],
         *       "sampleThumbnailUrl": "https://kinora.example/sample/01939b1e-7777-7aaa-8bbb-000000000001/thumbnail.jpg",
         *       "isSampleDrawn": false,
         *       "prices": {
         *         "per": "second",
         *         "dependsOn": [
         *           "quality"
         *         ],
         *         "list": [
         *           {
         *             "quality": "720p",
         *             "credits": 4
         *           },
         *           {
         *             "quality": "1080p",
         *             "credits": 8
         *           }
         *         ],
         *         "lengths": {}
         *       },
         *       "rules": [],
         *       "schema": {
         *         "type": "object"
         *       },
         *       "usualSeconds": 41
         *     }
         */
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
            /** @description Whether the sample is no film of the model: the simulator, which stands in for its provider, drew it */
            isSampleDrawn: boolean;
            /** @description All prices, with what they depend on; `pricing` has those with the defaults of all options */
            prices: {
                /**
                 * @description second: of the film, which may be as long as an input; where what goes in is paid for, of that
                 * @enum {unknown}
                 */
                per: "second" | "clip";
                /** @description The fields of a request, `mode` among them */
                dependsOn: string[];
                /** @description The credits with the values of these fields; a film costs whole credits, rounded up */
                list: ({
                    credits: number;
                } & {
                    [key: string]: unknown;
                })[];
                /** @description By mode, where an input or the provider decides how long the film is: which, and the shortest and longest in seconds. While that length is not known the price is of the longest, and what is not made comes back */
                lengths: {
                    [key: string]: {
                        /** @enum {unknown} */
                        follows: "film" | "motion" | "sound" | "provider";
                        from: number;
                        to: number;
                    };
                };
            } | null;
            /** @description What values exclude each other: with all of `when` (`{ "given": true }`: any value), only `then`; `why` is for users */
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
        /**
         * @description What is in braces is a placeholder: its words stand for those of the user
         * @example {
         *       "title": {
         *         "en": "Product",
         *         "zh": "产品"
         *       },
         *       "prompt": {
         *         "en": "{A glass bottle} on wet black stone, turning slowly."
         *       }
         *     }
         */
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
        /**
         * @example {
         *       "providers": [
         *         {
         *           "id": "google",
         *           "name": "Google"
         *         }
         *       ],
         *       "link": true,
         *       "signUp": "open",
         *       "captcha": null
         *     }
         */
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
         * @example {
         *       "id": "01939b1e-5d6c-7000-8000-000000000001",
         *       "transType": "NEW_USER",
         *       "initial": 60,
         *       "remaining": 28,
         *       "frozen": 16,
         *       "orderNo": null,
         *       "source": "new-user",
         *       "expiresAt": "2026-02-14T09:30:00.000Z",
         *       "createdAt": "2026-01-15T09:30:00.000Z"
         *     }
         */
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
            /** @description What it was granted for, as in the history */
            source: string;
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
         *       "below": 100,
         *       "day": 500,
         *       "week": null
         *     }
         */
        CreditAlert: {
            /** @description credit.low is sent when the available credits fall below this; null: never */
            below: number | null;
            /** @description A mail is sent when films of this day in UTC have cost as much; null: never */
            day: number | null;
            /** @description A mail is sent when films of this week, from Monday on in UTC, have cost as much; null: never */
            week: number | null;
        };
        /**
         * @example {
         *       "state": "decided",
         *       "credits": 60,
         *       "message": null,
         *       "isSeen": true
         *     }
         */
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
        /**
         * @example {
         *       "key": "2026-01-15",
         *       "credits": 48,
         *       "videos": 3
         *     }
         */
        CreditUsage: {
            /** @description The day, the model, or the id of the API key, connected program or member of the team; null: sessions of your own */
            key: string | null;
            /** @description Frozen or spent; what failed films gave back is left out */
            credits: number;
            videos: number;
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
         *       "id": "01939b1e-aaaa-7aaa-8bbb-000000000001",
         *       "textEn": "We move to larger machines.",
         *       "textZh": "我们正在迁移到更大的服务器。",
         *       "pauses": true,
         *       "startsAt": "2026-01-20T02:00:00.000Z",
         *       "endsAt": "2026-01-20T03:00:00.000Z"
         *     }
         */
        ServiceNotice: {
            /** Format: uuid */
            id: string;
            /** @description In English, and in the errors of the API */
            textEn: string;
            /** @description In Chinese */
            textZh: string;
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
        };
        /**
         * @example {
         *       "id": "pro-monthly",
         *       "name": "Pro, monthly",
         *       "kind": "subscription",
         *       "credits": 960,
         *       "period": "month",
         *       "validDays": null,
         *       "price": {
         *         "cents": 2990,
         *         "currency": "USD"
         *       }
         *     }
         */
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
        PaymentPage: {
            /** @description A page of the payment processor to send the user to */
            url: string;
        };
        /**
         * @example {
         *       "id": "in_01",
         *       "processor": "payment-b",
         *       "number": "K-0001",
         *       "status": "paid",
         *       "amount": 2990,
         *       "currency": "USD",
         *       "createdAt": "2026-01-15T09:30:00.000Z",
         *       "url": "https://invoice.example/i/01",
         *       "pdfUrl": "https://invoice.example/i/01/pdf"
         *     }
         */
        PaymentDocument: {
            id: string;
            processor: components["schemas"]["PaymentProcessor"];
            /** @description Of the invoice or receipt */
            number: string | null;
            /** @description The processor’s word, such as paid, open, void or refunded */
            status: string;
            /** @description With tax, in the currency’s smallest unit */
            amount: number;
            currency: string;
            /**
             * Format: date-time
             * @description When it was made
             */
            createdAt: string;
            /** @description Its page at the processor; null: the portal has it */
            url: string | null;
            /** @description The invoice as PDF */
            pdfUrl: string | null;
        };
        /**
         * @example {
         *       "processor": "payment-b",
         *       "rule": {
         *         "productId": "pack-starter",
         *         "below": 100,
         *         "maxPerMonth": 3,
         *         "paused": null
         *       },
         *       "last": null,
         *       "cardUrl": null
         *     }
         */
        TopUp: {
            /** @description The processor that charges a saved card; null: none of this service does, so there are no top-ups */
            processor: components["schemas"]["PaymentProcessor"] | null;
            rule: {
                /** @description The pack that is bought */
                productId: string;
                /** @description When fewer credits than this are available */
                below: number;
                /** @description So often in a calendar month of UTC, at most */
                maxPerMonth: number;
                /** @description Why nothing is bought until PUT is called again: no_card, declined, balance (money at the processor would pay), expired (it was not confirmed within 23 hours), no_answer, not_sold or not_applied; null: it is on */
                paused: string | null;
            } | null;
            last: {
                /** @description charging, action (to be confirmed at url), paid or failed */
                state: string;
                productId: string;
                /** @description The processor’s page where the payment is confirmed */
                url: string | null;
                /** @description Why it failed */
                reason: string | null;
                /**
                 * Format: date-time
                 * @description When it began
                 */
                createdAt: string;
            } | null;
            /** @description The processor’s page that saves a card, which is still lacking; after PUT only */
            cardUrl: string | null;
        };
        /** @enum {unknown} */
        WebhookEventType: "video.completed" | "video.failed" | "video.cancelled" | "video.deleted" | "project.created" | "project.rendered" | "project.deleted" | "asset.created" | "asset.deleted" | "credit.added" | "credit.low" | "credit.expiring" | "subscription.updated";
        /** @description Types of event that it gets; empty: all */
        WebhookEventTypes: components["schemas"]["WebhookEventType"][];
        /**
         * @example {
         *       "id": "01939b1e-9999-7000-8000-000000000001",
         *       "url": "https://example.com/kinora",
         *       "description": "Nightly trailers",
         *       "events": [
         *         "video.completed",
         *         "video.failed"
         *       ],
         *       "subject": null,
         *       "metadata": {
         *         "shop": "north"
         *       },
         *       "enabled": true,
         *       "disabledReason": null,
         *       "disabledAt": null,
         *       "failingSince": null,
         *       "madeBy": null,
         *       "suspendedAt": null,
         *       "endsAt": null,
         *       "createdAt": "2026-01-15T09:30:00.000Z",
         *       "updatedAt": "2026-01-15T09:30:00.000Z"
         *     }
         */
        WebhookEndpoint: {
            /** Format: uuid */
            id: string;
            url: string;
            /** @description As sent */
            description: string | null;
            events: components["schemas"]["WebhookEventTypes"];
            /** @description The subject of browser tokens of whose videos and assets alone it gets events; null: all events */
            subject: string | null;
            /** @description It gets events of videos that have all of this metadata alone; empty: all events */
            metadata: {
                [key: string]: string;
            };
            enabled: boolean;
            /** @description owner: by you; gone: it responded with 410; failing: for five days; null while it is enabled */
            disabledReason: ("owner" | "gone" | "failing") | null;
            /**
             * Format: date-time
             * @description When it was disabled
             */
            disabledAt: string | null;
            /**
             * Format: date-time
             * @description The first failure since the last success; null when the latest attempt succeeded
             */
            failingSince: string | null;
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
            /**
             * Format: date-time
             * @description When it was last changed by you
             */
            updatedAt: string;
        };
        /**
         * @example {
         *       "id": "01939b1e-9999-7000-8000-000000000001",
         *       "url": "https://example.com/kinora",
         *       "description": "Nightly trailers",
         *       "events": [
         *         "video.completed",
         *         "video.failed"
         *       ],
         *       "subject": null,
         *       "metadata": {
         *         "shop": "north"
         *       },
         *       "enabled": true,
         *       "disabledReason": null,
         *       "disabledAt": null,
         *       "failingSince": null,
         *       "madeBy": null,
         *       "suspendedAt": null,
         *       "endsAt": null,
         *       "createdAt": "2026-01-15T09:30:00.000Z",
         *       "updatedAt": "2026-01-15T09:30:00.000Z",
         *       "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazfsRYZLQUc="
         *     }
         */
        CreatedWebhookEndpoint: components["schemas"]["WebhookEndpoint"] & {
            /** @description Signs the deliveries: whsec_ and base64. Shown this once */
            secret: string;
        };
        /**
         * @example {
         *       "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazfsRYZLQUc=",
         *       "previousUntil": "2026-01-16T09:30:00.000Z"
         *     }
         */
        WebhookSecret: {
            /** @description Signs the deliveries: whsec_ and base64. Shown this once */
            secret: string;
            /**
             * Format: date-time
             * @description Until when deliveries carry the signature of the previous secret too
             */
            previousUntil: string;
        };
        /**
         * @example {
         *       "id": "msg_01939b1e5d6a7c3e9f0a4b1c2d3e4f50",
         *       "type": "video.completed",
         *       "status": "delivered",
         *       "attempts": 1,
         *       "responseStatus": 200,
         *       "error": null,
         *       "createdAt": "2026-01-15T09:30:00.000Z",
         *       "attemptedAt": "2026-01-15T09:30:00.000Z",
         *       "nextAttemptAt": null
         *     }
         */
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
        };
        /**
         * @example {
         *       "id": "msg_01939b1e5d6a7c3e9f0a4b1c2d3e4f50",
         *       "type": "video.completed",
         *       "status": "delivered",
         *       "attempts": 1,
         *       "responseStatus": 200,
         *       "error": null,
         *       "createdAt": "2026-01-15T09:30:00.000Z",
         *       "attemptedAt": "2026-01-15T09:30:00.000Z",
         *       "nextAttemptAt": null,
         *       "request": {
         *         "url": "https://example.com/kinora",
         *         "headers": {
         *           "content-type": "application/json",
         *           "user-agent": "Kinora-Webhooks/1",
         *           "webhook-id": "msg_01939b1e5d6a7c3e9f0a4b1c2d3e4f50",
         *           "webhook-timestamp": "1768469400"
         *         },
         *         "body": "{\"data\": {\"uuid\": \"01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50\", \"status\": \"COMPLETED\"}, \"type\": \"video.completed\", \"timestamp\": \"2026-01-15T09:30:00.000Z\"}"
         *       },
         *       "response": {
         *         "status": 200,
         *         "body": "ok",
         *         "durationMs": 38
         *       }
         *     }
         */
        Delivery: components["schemas"]["ListedDelivery"] & {
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
        Confirmation: {
            /** @description Your password, as a confirmation; a user without one signs in again, at most 10 minutes before */
            password?: string;
            /** @description The credits that you know to be owed. 409 names them (`details.owed`) where they are more */
            owed?: number;
        };
        /**
         * @example {
         *       "subject": "visitor-8812",
         *       "left": {
         *         "videos": 0,
         *         "images": 0
         *       },
         *       "erased": true
         *     }
         */
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
        /**
         * @example {
         *       "text": "Every person who is seen or heard in what I send has agreed to it.",
         *       "version": "0b7c1f9a2d3e",
         *       "givenAt": "2026-01-05T10:00:00.000Z"
         *     }
         */
        Consent: {
            /** @description What is stated; null: this service asks for nothing */
            text: string | null;
            version: string | null;
            /**
             * Format: date-time
             * @description When your account, or the team, has stated it; null: not yet
             */
            givenAt: string | null;
        };
        /**
         * @example {
         *       "credit.low": true,
         *       "credit.expiring": true,
         *       "payment.failed": true,
         *       "payment.top-up": true,
         *       "credit.spent": true,
         *       "video.done": false,
         *       "webhook.disabled": true,
         *       "team.suspended": true,
         *       "service.notice": true
         *     }
         */
        Notices: {
            /** @description The available credits fall below the threshold of PUT /api/v1/credit/alert */
            "credit.low": boolean;
            /** @description Credits expire within seven days, once a package */
            "credit.expiring": boolean;
            /** @description A payment for the subscription failed */
            "payment.failed": boolean;
            /** @description An automatic top-up was paid, has failed, or is to be confirmed; to owners of a team */
            "payment.top-up": boolean;
            /** @description Films of a day or week have cost what PUT /api/v1/credit/alert set */
            "credit.spent": boolean;
            /** @description A film is completed or has failed; off until it is switched on */
            "video.done": boolean;
            /** @description A webhook endpoint was disabled */
            "webhook.disabled": boolean;
            /** @description Keys or endpoints of a team were suspended, whose maker an administrator has locked or deleted; to owners */
            "team.suspended": boolean;
            /** @description Maintenance and incidents, as the operator announces them */
            "service.notice": boolean;
        };
        NoticeSettings: {
            /**
             * @description Whether this service sends mail
             * @example true
             */
            isMailSetUp: boolean;
            notices: components["schemas"]["Notices"];
        };
        /**
         * @example {
         *       "id": "01939b1e-3333-7000-8000-000000000001",
         *       "name": "server",
         *       "start": "kin_FWSvPk",
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
         *       "expiresAt": null,
         *       "createdAt": "2026-01-15T09:30:00.000Z"
         *     }
         */
        OwnApiKey: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description The first characters, to distinguish keys */
            start: string;
            /** @description Whether it is a test key: its films cost nothing, are not real, and go after a day */
            test: boolean;
            /** @description read: reads films, models, events and credits; generate: makes, cancels, deletes and shares films; account: all the rest */
            scopes: components["schemas"]["Scope"][];
            /** @description What it may spend in a period; null: as much as the account has */
            budget: components["schemas"]["KeyBudgetState"] | null;
            used: components["schemas"]["KeyUse"];
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
         *       "subject": "visitor-8812",
         *       "scopes": [
         *         "read",
         *         "generate"
         *       ],
         *       "budget": 60,
         *       "left": 44,
         *       "expiresAt": "2026-01-15T09:40:00.000Z"
         *     }
         */
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
            subject?: string | null;
            /**
             * @description What the token may do; at most what the key may. With generate it reads as well
             * @default [
             *       "read"
             *     ]
             */
            scopes?: ("read" | "generate")[] | null;
            /**
             * @description Credits that the token may spend; the budget of the key counts as well. With 0 it reads only
             * @default 0
             */
            budget?: number | null;
            /**
             * @description How long it lasts
             * @default 600
             */
            seconds?: number | null;
        };
        /**
         * @example {
         *       "token": "kint_0bQ8…",
         *       "subject": "visitor-8812",
         *       "expiresAt": "2026-01-15T09:40:00.000Z"
         *     }
         */
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
        /**
         * @example {
         *       "rates": [
         *         {
         *           "name": "user",
         *           "limit": 600,
         *           "windowSeconds": 60,
         *           "left": 599,
         *           "resetAt": "2026-01-15T09:31:00.000Z"
         *         },
         *         {
         *           "name": "generate",
         *           "limit": 60,
         *           "windowSeconds": 60,
         *           "left": 60,
         *           "resetAt": null
         *         }
         *       ],
         *       "inProgress": {
         *         "limit": 100,
         *         "now": 2
         *       },
         *       "budgets": [
         *         {
         *           "of": "API key",
         *           "credits": 500,
         *           "left": 340,
         *           "resetAt": "2026-02-01T00:00:00.000Z"
         *         }
         *       ],
         *       "sizes": {
         *         "promptCharacters": 5000,
         *         "filmsPerRequest": 4,
         *         "inputs": 60,
         *         "bodyBytes": 1048576,
         *         "imageBytes": 15728640,
         *         "filmBytes": 209715200,
         *         "soundBytes": 31457280,
         *         "assetSeconds": 600,
         *         "assetsBytes": 5368709120,
         *         "pieceBytes": 8388608,
         *         "pageSize": 100
         *       }
         *     }
         */
        Limits: {
            /** @description Of the person, with all keys and tokens; empty where nothing is limited */
            rates: {
                /** @description As in RateLimit: user counts every request, the others certain ones too */
                name: string;
                /** @description Requests in a window */
                limit: number;
                /** @description How long a window is, from its first request */
                windowSeconds: number;
                /** @description Requests that are left in this window */
                left: number;
                /**
                 * Format: date-time
                 * @description When the window ends; null: it has not begun
                 */
                resetAt: string | null;
            }[];
            inProgress: {
                /** @description Videos of the account at a time; null: any number */
                limit: number | null;
                /** @description Those in progress; of a browser token those of its subject */
                now: number;
            };
            /** @description Those that this request would spend from, beside the balance; each counts */
            budgets: {
                /**
                 * @description account: a limit that those who run the service have set
                 * @enum {unknown}
                 */
                of: "token" | "API key" | "member" | "program" | "account";
                /** @description What it may spend in a period; of a token, once */
                credits: number;
                /** @description What is left of it */
                left: number;
                /**
                 * Format: date-time
                 * @description When the next period begins; null of a token
                 */
                resetAt: string | null;
            }[];
            sizes: {
                /** @description Of a prompt; a model may take fewer */
                promptCharacters: number;
                /** @description The most of n in generate */
                filmsPerRequest: number;
                /** @description Of a film; a model takes fewer */
                inputs: number;
                /** @description Of a JSON body */
                bodyBytes: number;
                /** @description Of a picture that is uploaded */
                imageBytes: number;
                /** @description Of a film that is uploaded */
                filmBytes: number;
                /** @description Of a sound that is uploaded */
                soundBytes: number;
                /** @description Of a film or sound that is uploaded */
                assetSeconds: number;
                /** @description Of all that an account keeps to make films from */
                assetsBytes: number;
                /** @description The least of a request of an upload by tus, but for the last */
                pieceBytes: number;
                /** @description Rows of a page of a list */
                pageSize: number;
            };
        };
        /**
         * @example {
         *       "id": "01939b1e-7777-7aaa-8bbb-000000000001",
         *       "name": "Studio North",
         *       "role": "owner",
         *       "members": 3,
         *       "locked": false,
         *       "secondFactorRequired": false,
         *       "createdAt": "2026-01-15T09:30:00.000Z"
         *     }
         */
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
        /**
         * @example {
         *       "id": "01939b1e-7777-7aaa-8bbb-000000000001",
         *       "name": "Studio North",
         *       "role": "owner",
         *       "members": 3,
         *       "locked": false,
         *       "secondFactorRequired": false,
         *       "createdAt": "2026-01-15T09:30:00.000Z",
         *       "budget": null,
         *       "used": {
         *         "day": 16,
         *         "week": 32,
         *         "month": 96
         *       },
         *       "balance": {
         *         "available": 44,
         *         "frozen": 0,
         *         "used": 16,
         *         "total": 70,
         *         "expiringSoon": 0,
         *         "expired": 10,
         *         "clawedBack": 0,
         *         "owed": 0
         *       }
         *     }
         */
        TeamDetail: components["schemas"]["Team"] & {
            /** @description What the member may spend in a period; null: as much as the team has */
            budget: components["schemas"]["MemberBudgetState"] | null;
            used: components["schemas"]["MemberUse"];
            balance: components["schemas"]["Balance"];
        };
        /** @description Ids of keys and endpoints that you, an owner, take over: they go on as yours */
        GivenIds: string[];
        /**
         * @example {
         *       "id": "01939b1e-6666-7aaa-8bbb-000000000002",
         *       "email": "ben@example.com",
         *       "role": "maker",
         *       "actorId": "01939b1e-1111-7aaa-8bbb-000000000001",
         *       "inviter": "Ann",
         *       "createdAt": "2026-01-15T09:30:00.000Z",
         *       "expiresAt": "2026-01-22T09:30:00.000Z"
         *     }
         */
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
        /**
         * @example {
         *       "id": "01939b1e-6666-7aaa-8bbb-000000000002",
         *       "email": "ben@example.com",
         *       "role": "maker",
         *       "actorId": "01939b1e-1111-7aaa-8bbb-000000000001",
         *       "inviter": "Ann",
         *       "createdAt": "2026-01-15T09:30:00.000Z",
         *       "expiresAt": "2026-01-22T09:30:00.000Z",
         *       "link": "https://kinora.example/account#team-invitation=q7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Zkq7Z"
         *     }
         */
        CreatedTeamInvitation: components["schemas"]["TeamInvitation"] & {
            /** @description For the invited person; shown this once. Where mail is set up, it is not that of the mail, and needs an account whose address is verified */
            link: string;
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
         *       "endsAt": null,
         *       "key": "kin_FWSvPktLTZzGuUzqKiGUhWupTqwbfCwsAeTG"
         *     }
         */
        CreatedTeamKey: components["schemas"]["TeamKey"] & {
            /** @description Shown this once; send it as x-api-key, without X-Team */
            key: string;
        };
        /**
         * @example {
         *       "kind": "key",
         *       "id": "01939b1e-3333-7000-8000-000000000001",
         *       "name": "server"
         *     }
         */
        TeamGiven: {
            /** @enum {unknown} */
            kind: "invitation" | "key" | "endpoint" | "program";
            /** Format: uuid */
            id: string;
            /** @description The invited address, the name of the key or the program, or the URL of the endpoint */
            name: string;
        };
        /**
         * @example {
         *       "id": "01939b1e-3333-7000-8000-000000000001",
         *       "name": "Storyboarder",
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
         *       "connectedBy": {
         *         "id": "01939b1e-1111-7aaa-8bbb-000000000001",
         *         "name": "Ann"
         *       },
         *       "createdAt": "2026-01-15T09:30:00.000Z"
         *     }
         */
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
        /**
         * @example {
         *       "id": "01939b1e-8888-7aaa-8bbb-000000000001",
         *       "createdAt": "2026-01-15T09:30:00.000Z",
         *       "action": "team.set-role",
         *       "by": "member",
         *       "actorId": "01939b1e-1111-7aaa-8bbb-000000000001",
         *       "actorName": "Ann",
         *       "subject": "01939b1e-1111-7aaa-8bbb-000000000002",
         *       "subjectName": "Ben",
         *       "before": {
         *         "role": "maker"
         *       },
         *       "after": {
         *         "role": "admin"
         *       }
         *     }
         */
        TeamLogEntry: {
            /** Format: uuid */
            id: string;
            /**
             * Format: date-time
             * @description When it was done
             */
            createdAt: string;
            /** @description What was done: team.create, team.rename, team.set-second-factor, team.invite, team.revoke-invitation, team.join, team.leave, team.remove-member, team.set-role, team.set-budget, team.create-key, team.delete-key, team.create-endpoint, team.delete-endpoint, team.connect-program, team.disconnect-program, team.take-over-key, team.take-over-endpoint, team.delete-folder, team.delete-project, team.buy, team.move-credits; by those who run the service such as team.lock, credits.add; others may follow */
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
         * Format: date-time
         * @description When it happened
         * @example 2026-01-15T09:30:48.000Z
         */
        EventTime: string;
        /**
         * @example {
         *       "uuid": "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50",
         *       "model": "delta-1-5",
         *       "status": "COMPLETED",
         *       "provenance": {
         *         "signed": true,
         *         "signer": "Example Films Ltd",
         *         "label": null
         *       },
         *       "duration": 4,
         *       "aspectRatio": "16:9",
         *       "creditsUsed": 16,
         *       "createdAt": "2026-01-15T09:30:00.000Z",
         *       "completedAt": "2026-01-15T09:30:48.000Z",
         *       "seed": null,
         *       "mode": "text-to-video",
         *       "extendedFrom": null,
         *       "upscaledFrom": null,
         *       "project": null,
         *       "batchId": null,
         *       "subject": null,
         *       "metadata": null,
         *       "error": null,
         *       "failure": null,
         *       "quality": "720p"
         *     }
         */
        VideoEvent: {
            /** Format: uuid */
            uuid: string;
            model: string;
            status: components["schemas"]["VideoStatus"];
            /** @description How the film says that it is made by AI; null until it is COMPLETED */
            provenance: components["schemas"]["VideoProvenance"] | null;
            /** @description Seconds */
            duration: number;
            /** @description As requested; of the film itself once it is COMPLETED */
            aspectRatio: string;
            /** @description The price in credits, the most until it is completed; 0 once released */
            creditsUsed: number;
            /**
             * Format: date-time
             * @description When the video was requested
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the film was ready
             */
            completedAt: string | null;
            /** @description As requested; null when the provider was to choose one */
            seed: number | null;
            /** @description What it was made of: a text, or the roles of its inputs */
            mode: string;
            /**
             * Format: uuid
             * @description The video that this one continues
             */
            extendedFrom: string | null;
            /**
             * Format: uuid
             * @description The video that this one enlarges
             */
            upscaledFrom: string | null;
            /**
             * Format: uuid
             * @description The project of which it is a cut; null: a film
             */
            project: string | null;
            /**
             * Format: uuid
             * @description The same for all videos of one request with n; null for one that was requested alone
             */
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
            failure: components["schemas"]["VideoFailure"] | null;
            /** @description As requested; of the film itself once it is COMPLETED */
            quality: string;
        };
        VideoCompletedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "video.completed";
            timestamp: components["schemas"]["EventTime"];
            data: components["schemas"]["VideoEvent"];
            /**
             * @description It has not happened: the test of an endpoint asked for an example
             * @constant
             */
            test?: true;
        };
        VideoFailedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "video.failed";
            timestamp: components["schemas"]["EventTime"];
            data: components["schemas"]["VideoEvent"];
            /**
             * @description It has not happened: the test of an endpoint asked for an example
             * @constant
             */
            test?: true;
        };
        VideoCancelledEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "video.cancelled";
            timestamp: components["schemas"]["EventTime"];
            data: components["schemas"]["VideoEvent"];
            /**
             * @description It has not happened: the test of an endpoint asked for an example
             * @constant
             */
            test?: true;
        };
        VideoDeletedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "video.deleted";
            timestamp: components["schemas"]["EventTime"];
            data: components["schemas"]["VideoEvent"];
            /**
             * @description It has not happened: the test of an endpoint asked for an example
             * @constant
             */
            test?: true;
        };
        /**
         * @example {
         *       "id": "01939b1e-7777-7000-8000-000000000001",
         *       "name": "Harbour at dawn",
         *       "aspectRatio": "16:9",
         *       "fit": "fit",
         *       "createdAt": "2026-01-15T09:30:48.000Z"
         *     }
         */
        ProjectEvent: {
            /** Format: uuid */
            id: string;
            name: string;
            aspectRatio: string;
            /** @description How a take of another shape fills the frame: fit or crop */
            fit: string;
            /**
             * Format: date-time
             * @description When it was made
             */
            createdAt: string;
        };
        ProjectCreatedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "project.created";
            timestamp: components["schemas"]["EventTime"];
            data: components["schemas"]["ProjectEvent"];
            /**
             * @description It has not happened: the test of an endpoint asked for an example
             * @constant
             */
            test?: true;
        };
        ProjectRenderedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "project.rendered";
            timestamp: components["schemas"]["EventTime"];
            data: components["schemas"]["VideoEvent"];
            /**
             * @description It has not happened: the test of an endpoint asked for an example
             * @constant
             */
            test?: true;
        };
        ProjectDeletedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "project.deleted";
            timestamp: components["schemas"]["EventTime"];
            data: components["schemas"]["ProjectEvent"];
            /**
             * @description It has not happened: the test of an endpoint asked for an example
             * @constant
             */
            test?: true;
        };
        /**
         * @example {
         *       "id": "01939b1e-2222-7aaa-8bbb-000000000001",
         *       "kind": "image",
         *       "name": "mara",
         *       "contentType": "image/jpeg",
         *       "width": 1024,
         *       "height": 1536,
         *       "durationS": null,
         *       "hasSound": null,
         *       "sizeBytes": 482013,
         *       "madeBy": "01939b1e-1111-7aaa-8bbb-000000000001",
         *       "subject": null,
         *       "createdAt": "2026-01-15T09:30:00.000Z"
         *     }
         */
        AssetEvent: {
            /** Format: uuid */
            id: string;
            kind: components["schemas"]["AssetKind"];
            /** @description Assets of one name are one character, place or product; null: it has none */
            name: string | null;
            /** @description Of the file that is kept */
            contentType: string;
            /** @description Pixels; null: a sound */
            width: number | null;
            /** @description Pixels; null: a sound */
            height: number | null;
            /** @description Seconds; null: a picture */
            durationS: number | null;
            /** @description null: a picture */
            hasSound: boolean | null;
            sizeBytes: number;
            /** @description The user, the member of the team, or the API key that sent it; null: fetched for a film */
            madeBy: string | null;
            /** @description The subject whose browser token sent it, in whose films alone its name stands for it; null: of none */
            subject: string | null;
            /**
             * Format: date-time
             * @description When it was sent
             */
            createdAt: string;
        };
        AssetCreatedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "asset.created";
            timestamp: components["schemas"]["EventTime"];
            data: components["schemas"]["AssetEvent"];
            /**
             * @description It has not happened: the test of an endpoint asked for an example
             * @constant
             */
            test?: true;
        };
        AssetDeletedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "asset.deleted";
            timestamp: components["schemas"]["EventTime"];
            data: components["schemas"]["AssetEvent"];
            /**
             * @description It has not happened: the test of an endpoint asked for an example
             * @constant
             */
            test?: true;
        };
        /**
         * @example {
         *       "packageId": "01939b1e-7777-7000-8000-000000000001",
         *       "transType": "ORDER_PAY",
         *       "credits": 280,
         *       "orderNo": null,
         *       "expiresAt": "2026-02-15T09:30:00.000Z"
         *     }
         */
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
        CreditAddedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "credit.added";
            timestamp: components["schemas"]["EventTime"];
            data: components["schemas"]["CreditAdded"];
            /**
             * @description It has not happened: the test of an endpoint asked for an example
             * @constant
             */
            test?: true;
        };
        /**
         * @example {
         *       "available": 44,
         *       "threshold": 100
         *     }
         */
        CreditLow: {
            available: number;
            threshold: number;
        };
        CreditLowEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "credit.low";
            timestamp: components["schemas"]["EventTime"];
            data: components["schemas"]["CreditLow"];
            /**
             * @description It has not happened: the test of an endpoint asked for an example
             * @constant
             */
            test?: true;
        };
        /**
         * @example {
         *       "packageId": "01939b1e-7777-7000-8000-000000000001",
         *       "credits": 44,
         *       "expiresAt": "2026-02-15T09:30:00.000Z"
         *     }
         */
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
        CreditExpiringEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "credit.expiring";
            timestamp: components["schemas"]["EventTime"];
            data: components["schemas"]["CreditExpiring"];
            /**
             * @description It has not happened: the test of an endpoint asked for an example
             * @constant
             */
            test?: true;
        };
        /**
         * @example {
         *       "id": "01939b1e-7777-7000-8000-000000000001",
         *       "plan": "pro-monthly",
         *       "status": "active",
         *       "currentPeriodStart": "2026-01-15T09:30:48.000Z",
         *       "currentPeriodEnd": "2026-02-15T09:30:00.000Z",
         *       "cancelAtPeriodEnd": false,
         *       "cancelledAt": null
         *     }
         */
        SubscriptionEvent: {
            /** Format: uuid */
            id: string;
            /** @description An id of GET /api/v1/config/plans */
            plan: string | null;
            /** @description As in GET /api/v1/billing/subscription */
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
        };
        SubscriptionUpdatedEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "subscription.updated";
            timestamp: components["schemas"]["EventTime"];
            data: components["schemas"]["SubscriptionEvent"];
            /**
             * @description It has not happened: the test of an endpoint asked for an example
             * @constant
             */
            test?: true;
        };
        /**
         * @example {
         *       "endpointId": "01939b1e-7777-7000-8000-000000000001"
         *     }
         */
        WebhookTest: {
            /** Format: uuid */
            endpointId: string;
        };
        WebhookTestEvent: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "webhook.test";
            timestamp: components["schemas"]["EventTime"];
            data: components["schemas"]["WebhookTest"];
            /**
             * @description It has not happened: the test of an endpoint asked for an example
             * @constant
             */
            test?: true;
        };
        WebhookEvent: components["schemas"]["VideoCompletedEvent"] | components["schemas"]["VideoFailedEvent"] | components["schemas"]["VideoCancelledEvent"] | components["schemas"]["VideoDeletedEvent"] | components["schemas"]["ProjectCreatedEvent"] | components["schemas"]["ProjectRenderedEvent"] | components["schemas"]["ProjectDeletedEvent"] | components["schemas"]["AssetCreatedEvent"] | components["schemas"]["AssetDeletedEvent"] | components["schemas"]["CreditAddedEvent"] | components["schemas"]["CreditLowEvent"] | components["schemas"]["CreditExpiringEvent"] | components["schemas"]["SubscriptionUpdatedEvent"] | components["schemas"]["WebhookTestEvent"];
    };
    responses: {
        /** @description 400 INVALID_REQUEST, 400 UNSUPPORTED_MODEL, 400 MODEL_UNAVAILABLE, 400 DURATION_OUT_OF_RANGE, 400 UNSUPPORTED_QUALITY, 400 UNSUPPORTED_ASPECT_RATIO, 400 UNSUPPORTED_MODE, 400 CONTENT_REFUSED, 401 UNAUTHENTICATED, 402 INSUFFICIENT_CREDITS, 402 KEY_BUDGET_EXCEEDED, 403 FORBIDDEN, 403 CONSENT_REQUIRED, 403 INSUFFICIENT_SCOPE, 404 NOT_FOUND, 409 CONFLICT, 413 PAYLOAD_TOO_LARGE, 415 UNSUPPORTED_MEDIA_TYPE, 422 IDEMPOTENCY_KEY_REUSED, 429 RATE_LIMITED, 429 TOO_MANY_IN_PROGRESS */
        GenerateVideoError: {
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
                        code?: "INVALID_REQUEST" | "UNSUPPORTED_MODEL" | "MODEL_UNAVAILABLE" | "DURATION_OUT_OF_RANGE" | "UNSUPPORTED_QUALITY" | "UNSUPPORTED_ASPECT_RATIO" | "UNSUPPORTED_MODE" | "CONTENT_REFUSED" | "UNAUTHENTICATED" | "INSUFFICIENT_CREDITS" | "KEY_BUDGET_EXCEEDED" | "FORBIDDEN" | "CONSENT_REQUIRED" | "INSUFFICIENT_SCOPE" | "NOT_FOUND" | "CONFLICT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_KEY_REUSED" | "RATE_LIMITED" | "TOO_MANY_IN_PROGRESS";
                    };
                };
            };
        };
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
        /** @description 400 INVALID_REQUEST, 400 UNSUPPORTED_MODEL, 400 MODEL_UNAVAILABLE, 400 DURATION_OUT_OF_RANGE, 400 UNSUPPORTED_QUALITY, 400 UNSUPPORTED_ASPECT_RATIO, 400 UNSUPPORTED_MODE, 401 UNAUTHENTICATED, 403 FORBIDDEN, 403 INSUFFICIENT_SCOPE, 404 NOT_FOUND, 409 CONFLICT, 413 PAYLOAD_TOO_LARGE, 415 UNSUPPORTED_MEDIA_TYPE, 429 RATE_LIMITED */
        QuoteVideoError: {
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
                        code?: "INVALID_REQUEST" | "UNSUPPORTED_MODEL" | "MODEL_UNAVAILABLE" | "DURATION_OUT_OF_RANGE" | "UNSUPPORTED_QUALITY" | "UNSUPPORTED_ASPECT_RATIO" | "UNSUPPORTED_MODE" | "UNAUTHENTICATED" | "FORBIDDEN" | "INSUFFICIENT_SCOPE" | "NOT_FOUND" | "CONFLICT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED";
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
        /** @description 400 INVALID_REQUEST, 401 UNAUTHENTICATED, 403 FORBIDDEN, 403 INSUFFICIENT_SCOPE, 404 NOT_FOUND, 409 CONFLICT, 429 RATE_LIMITED */
        UserReadConflictError: {
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
                        code?: "INVALID_REQUEST" | "UNAUTHENTICATED" | "FORBIDDEN" | "INSUFFICIENT_SCOPE" | "NOT_FOUND" | "CONFLICT" | "RATE_LIMITED";
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
        /** @description 400 INVALID_REQUEST, 401 UNAUTHENTICATED, 402 INSUFFICIENT_CREDITS, 402 KEY_BUDGET_EXCEEDED, 403 FORBIDDEN, 403 INSUFFICIENT_SCOPE, 404 NOT_FOUND, 409 CONFLICT, 413 PAYLOAD_TOO_LARGE, 415 UNSUPPORTED_MEDIA_TYPE, 422 IDEMPOTENCY_KEY_REUSED, 429 RATE_LIMITED, 429 TOO_MANY_IN_PROGRESS, 503 UNAVAILABLE */
        RenderProjectError: {
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
                        code?: "INVALID_REQUEST" | "UNAUTHENTICATED" | "INSUFFICIENT_CREDITS" | "KEY_BUDGET_EXCEEDED" | "FORBIDDEN" | "INSUFFICIENT_SCOPE" | "NOT_FOUND" | "CONFLICT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_KEY_REUSED" | "RATE_LIMITED" | "TOO_MANY_IN_PROGRESS" | "UNAVAILABLE";
                    };
                };
            };
        };
        /** @description 400 INVALID_REQUEST, 400 UNSUPPORTED_MODEL, 400 MODEL_UNAVAILABLE, 400 DURATION_OUT_OF_RANGE, 400 UNSUPPORTED_QUALITY, 400 UNSUPPORTED_ASPECT_RATIO, 400 UNSUPPORTED_MODE, 400 CONTENT_REFUSED, 401 UNAUTHENTICATED, 402 INSUFFICIENT_CREDITS, 402 KEY_BUDGET_EXCEEDED, 403 FORBIDDEN, 403 CONSENT_REQUIRED, 403 INSUFFICIENT_SCOPE, 404 NOT_FOUND, 409 CONFLICT, 413 PAYLOAD_TOO_LARGE, 415 UNSUPPORTED_MEDIA_TYPE, 422 IDEMPOTENCY_KEY_REUSED, 429 RATE_LIMITED, 429 TOO_MANY_IN_PROGRESS */
        GenerateProjectError: {
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
                        code?: "INVALID_REQUEST" | "UNSUPPORTED_MODEL" | "MODEL_UNAVAILABLE" | "DURATION_OUT_OF_RANGE" | "UNSUPPORTED_QUALITY" | "UNSUPPORTED_ASPECT_RATIO" | "UNSUPPORTED_MODE" | "CONTENT_REFUSED" | "UNAUTHENTICATED" | "INSUFFICIENT_CREDITS" | "KEY_BUDGET_EXCEEDED" | "FORBIDDEN" | "CONSENT_REQUIRED" | "INSUFFICIENT_SCOPE" | "NOT_FOUND" | "CONFLICT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "IDEMPOTENCY_KEY_REUSED" | "RATE_LIMITED" | "TOO_MANY_IN_PROGRESS";
                    };
                };
            };
        };
        /** @description 400 INVALID_REQUEST, 400 CONTENT_REFUSED, 401 UNAUTHENTICATED, 403 FORBIDDEN, 403 INSUFFICIENT_SCOPE, 404 NOT_FOUND, 413 PAYLOAD_TOO_LARGE, 415 UNSUPPORTED_MEDIA_TYPE, 429 RATE_LIMITED, 503 UNAVAILABLE */
        UserChangeContentRefusedUnavailableError: {
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
                        code?: "INVALID_REQUEST" | "CONTENT_REFUSED" | "UNAUTHENTICATED" | "FORBIDDEN" | "INSUFFICIENT_SCOPE" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "UNAVAILABLE";
                    };
                };
            };
        };
        /** @description 400 INVALID_REQUEST, 404 NOT_FOUND, 429 RATE_LIMITED */
        PublicReadNotFoundError: {
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
                        code?: "INVALID_REQUEST" | "NOT_FOUND" | "RATE_LIMITED";
                    };
                };
            };
        };
        /** @description 400 INVALID_REQUEST, 413 PAYLOAD_TOO_LARGE, 415 UNSUPPORTED_MEDIA_TYPE, 429 RATE_LIMITED */
        PublicChangeError: {
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
                        code?: "INVALID_REQUEST" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED";
                    };
                };
            };
        };
        /** @description 400 INVALID_REQUEST, 404 NOT_FOUND, 409 CONFLICT, 413 PAYLOAD_TOO_LARGE, 415 UNSUPPORTED_MEDIA_TYPE, 429 RATE_LIMITED */
        PublicChangeNotFoundConflictError: {
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
                        code?: "INVALID_REQUEST" | "NOT_FOUND" | "CONFLICT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED";
                    };
                };
            };
        };
        /** @description 400 INVALID_REQUEST, 429 RATE_LIMITED */
        PublicReadError: {
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
                        code?: "INVALID_REQUEST" | "RATE_LIMITED";
                    };
                };
            };
        };
        /** @description 400 INVALID_REQUEST, 404 NOT_FOUND, 413 PAYLOAD_TOO_LARGE, 415 UNSUPPORTED_MEDIA_TYPE, 429 RATE_LIMITED */
        PublicChangeNotFoundError: {
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
                        code?: "INVALID_REQUEST" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED";
                    };
                };
            };
        };
        /** @description 400 INVALID_REQUEST, 401 UNAUTHENTICATED, 404 NOT_FOUND, 409 CONFLICT, 413 PAYLOAD_TOO_LARGE, 415 UNSUPPORTED_MEDIA_TYPE, 429 RATE_LIMITED */
        ReceiveCallbackError: {
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
                        code?: "INVALID_REQUEST" | "UNAUTHENTICATED" | "NOT_FOUND" | "CONFLICT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED";
                    };
                };
            };
        };
    };
    parameters: {
        /** @description The same for each attempt of a delivery */
        "webhook-id": string;
        /** @description The time of the attempt, in seconds since 1970 */
        "webhook-timestamp": string;
        /** @description Signatures, separated by spaces: v1 and the base64 of an HMAC-SHA256 */
        "webhook-signature": string;
        /** @description Up to 255 characters of your choice. A repeated request with the same key and body returns what the first one made, with the header Idempotent-Replayed, and does nothing twice, for at least 24 hours; the same key with another body is 422. */
        IdempotencyKey: string;
        /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
        Team: string;
        /** @description From 1 */
        Page: number;
        PageSize: number;
        /** @description nextCursor of the previous page; equally fast at any depth. page is ignored */
        CursorOrPage: string;
        /** @description PENDING, GENERATING, UPLOADING, then COMPLETED or FAILED, which are final */
        VideoStatus: "PENDING" | "GENERATING" | "UPLOADING" | "COMPLETED" | "FAILED";
        /** @description The uuid that generate returned */
        VideoUuid: string;
        /** @description The id of a team, in the place of X-Team where no header can be sent */
        TeamOfLink: string;
        /** @description The id of the folder */
        FolderId: string;
        /** @description The id of the project */
        ProjectId: string;
        /** @description nextCursor of the previous page */
        Cursor: string;
        /** @description The id of the shot */
        ShotId: string;
        /** @description The id of the asset */
        AssetId: string;
        /** @description Only videos that browser tokens of this subject made */
        VideosOfSubject: string;
        /** @description Why the credits moved. SYSTEM_ADJUST: by an administrator, for a redemption code, or between a user and a team (`source` begins with transfer:) */
        TransType: "NEW_USER" | "ORDER_PAY" | "SUBSCRIPTION" | "VIDEO_CONSUME" | "REFUND" | "EXPIRED" | "SYSTEM_ADJUST";
        /** @description First day, in UTC; default: 29 days before the last */
        FirstDay: string;
        /** @description Last day; default: today. At most 366 days */
        LastDay: string;
        /** @description maker: the API keys, or the members of the team */
        UsageBy: "day" | "model" | "maker";
        /** @description Only films that browser tokens of this subject made */
        FilmsOfSubject: string;
        /** @description The id of the endpoint */
        EndpointId: string;
        /** @description The id of the delivery, msg_… */
        DeliveryId: string;
        /** @description Of browser tokens: your id of a visitor */
        Subject: string;
        /** @description The user id of the member */
        MemberId: string;
        /** @description viewer: reads. maker: makes films too, and changes own ones. admin: changes the films of all, and manages members, keys and webhooks. owner: pays, and deletes the team */
        TeamRole: "viewer" | "maker" | "admin" | "owner";
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
    generateVideo: {
        parameters: {
            query?: never;
            header?: {
                /** @description Up to 255 characters of your choice. A repeated request with the same key and body returns what the first one made, with the header Idempotent-Replayed, and does nothing twice, for at least 24 hours; the same key with another body is 422. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GenerateRequest"] | components["schemas"]["InputsRequest"] | components["schemas"]["UpscaleRequest"];
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
                        data: components["schemas"]["GeneratedVideo"];
                    };
                };
            };
            "4XX": components["responses"]["GenerateVideoError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    quoteVideo: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuoteRequest"] | components["schemas"]["InputsRequest"] | components["schemas"]["UpscaleRequest"];
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
                        data: components["schemas"]["Quote"];
                    };
                };
            };
            "4XX": components["responses"]["QuoteVideoError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listVideos: {
        parameters: {
            query?: {
                /** @description From 1 */
                page?: components["parameters"]["Page"];
                pageSize?: components["parameters"]["PageSize"];
                /** @description nextCursor of the previous page; equally fast at any depth. page is ignored */
                cursor?: components["parameters"]["CursorOrPage"];
                /** @description PENDING, GENERATING, UPLOADING, then COMPLETED or FAILED, which are final */
                status?: components["parameters"]["VideoStatus"];
                /** @description Films, or the cuts of projects alone; films when left out */
                kind?: "film" | "cut";
                /** @description Only videos of this model */
                model?: string;
                /** @description Only videos of this mode of their model */
                mode?: string;
                /** @description Only videos that were requested in this shape, such as 9:16 */
                aspectRatio?: string;
                /** @description Only favourites, or with false all others */
                favourite?: boolean;
                /** @description Only videos in the folder with this id; none: those in no folder */
                folder?: string;
                /** @description Only videos that this member of the team, API key or connected program made */
                madeBy?: string;
                /** @description Only videos that browser tokens of this subject made */
                subject?: string;
                /** @description Only videos requested then or later */
                from?: string;
                /** @description Only videos requested before */
                to?: string;
                /** @description Only videos with these notes: metadata[order]=1234, more of them together */
                metadata?: {
                    [key: string]: string;
                };
                /** @description Only videos with this text in their prompt, case-insensitive. Of more than 2,000 videos, total counts 200 at most. */
                q?: string;
                /** @description Which comes first */
                sort?: "newest" | "oldest";
            };
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
                            videos: components["schemas"]["ListedVideo"][];
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
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getTask: {
        parameters: {
            query: {
                /** @description The uuid that generate returned */
                uuid: string;
            };
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
                        data: components["schemas"]["TaskStatus"];
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getVideo: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The uuid that generate returned */
                uuid: components["parameters"]["VideoUuid"];
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
                        data: components["schemas"]["Video"];
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteVideo: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The uuid that generate returned */
                uuid: components["parameters"]["VideoUuid"];
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
                            uuid: string;
                            /** @constant */
                            deleted: true;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    cancelVideo: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The uuid that generate returned */
                uuid: components["parameters"]["VideoUuid"];
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
                        data: components["schemas"]["CancelledVideo"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    arrangeVideos: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Of videos of yours */
                    uuids: string[];
                    favourite?: boolean | null;
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
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["BulkOutcome"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteVideos: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["BulkOutcome"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    archiveVideos: {
        parameters: {
            query: {
                /** @description Once for each film: uuid=…&uuid=… */
                uuid: string[];
                /** @description The id of a team, in the place of X-Team where no header can be sent */
                team?: components["parameters"]["TeamOfLink"];
            };
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
            "4XX": components["responses"]["UserReadConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listVideoFolders: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
                            folders: components["schemas"]["VideoFolder"][];
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createVideoFolder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Up to 255 characters of your choice. A repeated request with the same key and body returns what the first one made, with the header Idempotent-Replayed, and does nothing twice, for at least 24 hours; the same key with another body is 422. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["VideoFolder"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictIdempotencyKeyReusedError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteVideoFolder: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The id of the folder */
                id: components["parameters"]["FolderId"];
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
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    renameVideoFolder: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The id of the folder */
                id: components["parameters"]["FolderId"];
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
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["VideoFolder"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    renderProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Up to 255 characters of your choice. A repeated request with the same key and body returns what the first one made, with the header Idempotent-Replayed, and does nothing twice, for at least 24 hours; the same key with another body is 422. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The id of the project */
                id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["RenderedProject"];
                    };
                };
            };
            "4XX": components["responses"]["RenderProjectError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listProjects: {
        parameters: {
            query?: {
                pageSize?: components["parameters"]["PageSize"];
                /** @description nextCursor of the previous page */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
                            projects: components["schemas"]["ListedProject"][];
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
    makeProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Up to 255 characters of your choice. A repeated request with the same key and body returns what the first one made, with the header Idempotent-Replayed, and does nothing twice, for at least 24 hours; the same key with another body is 422. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One line of visible characters, without direction marks and without the beginning of an address; blanks around it are removed */
                    name: string;
                    aspectRatio?: ("16:9" | "9:16" | "1:1") | null;
                    fit?: ("fit" | "crop") | null;
                    /** @description null: the takes’ own sound alone */
                    sound?: components["schemas"]["ProjectSound"] | null;
                    shots?: components["schemas"]["ShotDraft"][] | null;
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
                        data: components["schemas"]["Project"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictIdempotencyKeyReusedError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The id of the project */
                id: components["parameters"]["ProjectId"];
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
                        data: components["schemas"]["Project"];
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The id of the project */
                id: components["parameters"]["ProjectId"];
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
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    changeProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The id of the project */
                id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Of the project, as it was read: another one is 409 */
                    version: number;
                    /** @description One line of visible characters, without direction marks and without the beginning of an address; blanks around it are removed */
                    name?: string;
                    /**
                     * @description Of the whole film
                     * @enum {unknown}
                     */
                    aspectRatio?: "16:9" | "9:16" | "1:1";
                    /**
                     * @description How a take of another shape fills the frame: with bars, or cropped
                     * @enum {unknown}
                     */
                    fit?: "fit" | "crop";
                    /** @description null: the takes’ own sound alone */
                    sound?: components["schemas"]["ProjectSound"] | null;
                    /** @description The ids of all its shots, in their new order */
                    shots?: string[];
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
                        data: components["schemas"]["Project"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteShot: {
        parameters: {
            query?: {
                /** @description Of the shot, as it was read: another one is 409 */
                version?: number;
            };
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The id of the project */
                id: components["parameters"]["ProjectId"];
                /** @description The id of the shot */
                shotId: components["parameters"]["ShotId"];
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
                        data: components["schemas"]["Project"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    changeShot: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The id of the project */
                id: components["parameters"]["ProjectId"];
                /** @description The id of the shot */
                shotId: components["parameters"]["ShotId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Of the shot, as it was read: another one is 409 */
                    version: number;
                    settings?: components["schemas"]["ShotSettings"];
                    /** @description A line for those who work on it */
                    notes?: string;
                    /**
                     * Format: uuid
                     * @description The chosen take, the uuid of a video; null: none
                     */
                    takeId?: string | null;
                    /** @description Where the cut begins in the take; null: at its begin */
                    inMs?: number | null;
                    /** @description Where the cut ends in the take; null: at its end */
                    outMs?: number | null;
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
                        data: components["schemas"]["Shot"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    quoteProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The id of the project */
                id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Their ids; those without a take, or whose take is deleted or has failed, when left out */
                    shots?: string[] | null;
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
                        data: components["schemas"]["ProjectQuote"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    generateProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Up to 255 characters of your choice. A repeated request with the same key and body returns what the first one made, with the header Idempotent-Replayed, and does nothing twice, for at least 24 hours; the same key with another body is 422. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The id of the project */
                id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Their ids; those without a take, or whose take is deleted or has failed, when left out */
                    shots?: string[] | null;
                    /** @description The sum that you were quoted */
                    credits?: number | null;
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
                        data: components["schemas"]["GeneratedShots"];
                    };
                };
            };
            "4XX": components["responses"]["GenerateProjectError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    improvePrompt: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    prompt: string;
                    /** @description The model that it is for */
                    model?: string | null;
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
                        /**
                         * @example {
                         *       "prompt": "A lighthouse on a cliff at dusk, long shot, waves below, the light begins to turn"
                         *     }
                         */
                        data: {
                            prompt: string;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserChangeContentRefusedUnavailableError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    proposeShots: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description A script, or an idea */
                    script: string;
                    /** @description The most to propose */
                    shots?: number | null;
                    /** @description Of a shot */
                    seconds?: number | null;
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
                        /**
                         * @example {
                         *       "shots": [
                         *         {
                         *           "prompt": "A lighthouse on a cliff at dusk, long shot, waves below, the light begins to turn",
                         *           "seconds": 5
                         *         }
                         *       ]
                         *     }
                         */
                        data: {
                            shots: components["schemas"]["ProposedShot"][];
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserChangeContentRefusedUnavailableError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getShare: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The uuid that generate returned */
                uuid: components["parameters"]["VideoUuid"];
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
                            /** @description null: the film is not shared */
                            share: components["schemas"]["Share"] | null;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    shareVideo: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The uuid that generate returned */
                uuid: components["parameters"]["VideoUuid"];
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
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            share: components["schemas"]["Share"];
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    revokeShare: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The uuid that generate returned */
                uuid: components["parameters"]["VideoUuid"];
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
                            share: null;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
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
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["SharedVideo"];
                    };
                };
            };
            "4XX": components["responses"]["PublicReadNotFoundError"];
            "5XX": components["responses"]["ServerError"];
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
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["ProvenanceVerification"];
                    };
                };
            };
            "4XX": components["responses"]["PublicChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getPublication: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The uuid that generate returned */
                uuid: components["parameters"]["VideoUuid"];
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
                            /** @description null: the film is not published */
                            publication: components["schemas"]["Publication"] | null;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    publishVideo: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The uuid that generate returned */
                uuid: components["parameters"]["VideoUuid"];
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
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            publication: components["schemas"]["Publication"];
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    unpublishVideo: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The uuid that generate returned */
                uuid: components["parameters"]["VideoUuid"];
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
                            /** @description null: the film is not published */
                            publication: components["schemas"]["Publication"] | null;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listPublishedFilms: {
        parameters: {
            query?: {
                /** @description Only films published then or later */
                from?: string;
                /** @description Only films of the maker of this one, whose name each of them shows */
                makerOf?: string;
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
                            films: components["schemas"]["PublishedFilm"][];
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
            "4XX": components["responses"]["PublicReadNotFoundError"];
            "5XX": components["responses"]["ServerError"];
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
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["PublishedFilm"];
                    };
                };
            };
            "4XX": components["responses"]["PublicReadNotFoundError"];
            "5XX": components["responses"]["ServerError"];
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
                    note?: string | null;
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
                            reported: true;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getTakedown: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The uuid that generate returned */
                uuid: components["parameters"]["VideoUuid"];
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
                            /** @description null: it was never taken down */
                            takedown: components["schemas"]["StatementOfReasons"] | null;
                            /** @description The page of the objection, which needs no sign-in */
                            objectionUrl: string | null;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getStatementOfReasons: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The part of the link behind #token= */
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
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["StatementOfReasons"];
                    };
                };
            };
            "4XX": components["responses"]["PublicReadNotFoundError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    objectToTakedown: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The part of the link behind #token= */
                token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why the decision is wrong */
                    objection: string;
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
                        data: components["schemas"]["StatementOfReasons"];
                    };
                };
            };
            "4XX": components["responses"]["PublicChangeNotFoundConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    addShots: {
        parameters: {
            query?: {
                /** @description The id of the shot that they follow; at the end when left out */
                after?: string;
            };
            header?: {
                /** @description Up to 255 characters of your choice. A repeated request with the same key and body returns what the first one made, with the header Idempotent-Replayed, and does nothing twice, for at least 24 hours; the same key with another body is 422. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The id of the project */
                id: components["parameters"]["ProjectId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddedShots"] | components["schemas"]["ShotsFromText"] | components["schemas"]["ShotsFromCsv"];
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
                        data: components["schemas"]["Project"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictIdempotencyKeyReusedError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    downloadShots: {
        parameters: {
            query?: {
                /** @description The id of a team, in the place of X-Team where no header can be sent */
                team?: components["parameters"]["TeamOfLink"];
            };
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The id of the project */
                id: components["parameters"]["ProjectId"];
            };
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
    archiveProject: {
        parameters: {
            query?: {
                /** @description The id of a team, in the place of X-Team where no header can be sent */
                team?: components["parameters"]["TeamOfLink"];
            };
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The id of the project */
                id: components["parameters"]["ProjectId"];
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
            "4XX": components["responses"]["UserReadConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listAssets: {
        parameters: {
            query?: {
                /** @description Only assets of this kind */
                kind?: "image" | "film" | "sound";
                /** @description Only assets of this name */
                name?: string;
                /** @description Only assets with a name, or with false all others */
                named?: boolean;
                pageSize?: components["parameters"]["PageSize"];
                /** @description nextCursor of the previous page */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
                            assets: components["schemas"]["Asset"][];
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
    uploadAsset: {
        parameters: {
            query?: {
                /** @description As that of PATCH */
                name?: string;
                /** @description Refuse any other; of a film for `sound` its sound is kept alone */
                kind?: "image" | "film" | "sound";
            };
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "*/*": Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;
                "application/json": components["schemas"]["LinkedAsset"];
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
                        data: components["schemas"]["Asset"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    uploadImage: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "image/png": Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;
                "image/jpeg": Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;
                "image/webp": Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;
                "image/avif": Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;
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
                        data: components["schemas"]["UploadedImage"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getAsset: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The id of the asset */
                id: components["parameters"]["AssetId"];
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
                        data: components["schemas"]["Asset"];
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteAsset: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The id of the asset */
                id: components["parameters"]["AssetId"];
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
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    changeAsset: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The id of the asset */
                id: components["parameters"]["AssetId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Letters, digits, - and _, at most 40; in small letters; null: none */
                    name?: string | null;
                    /**
                     * @description `sound` for a film; any other as it is
                     * @enum {unknown}
                     */
                    kind?: "image" | "film" | "sound";
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
                        data: components["schemas"]["Asset"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    streamVideoEvents: {
        parameters: {
            query?: {
                /** @description Only videos that browser tokens of this subject made */
                subject?: components["parameters"]["VideosOfSubject"];
                /** @description The same, for clients that cannot send headers; the header takes precedence */
                lastEventId?: string;
            };
            header?: {
                /** @description The last id received, to resume after it */
                "last-event-id"?: string;
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
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
                    "text/event-stream": components["schemas"]["StreamEvent"];
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
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
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            models: components["schemas"]["Model"][];
                        };
                    };
                };
            };
            "4XX": components["responses"]["PublicReadError"];
            "5XX": components["responses"]["ServerError"];
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
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            templates: components["schemas"]["PromptTemplate"][];
                        };
                    };
                };
            };
            "4XX": components["responses"]["PublicReadError"];
            "5XX": components["responses"]["ServerError"];
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
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["SignInOptions"];
                    };
                };
            };
            "4XX": components["responses"]["PublicReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getBalance: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
                        data: components["schemas"]["Balance"];
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listPackages: {
        parameters: {
            query?: {
                pageSize?: components["parameters"]["PageSize"];
                /** @description nextCursor of the previous page */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
                            packages: components["schemas"]["CreditPackage"][];
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
    listTransactions: {
        parameters: {
            query?: {
                /** @description From 1 */
                page?: components["parameters"]["Page"];
                pageSize?: components["parameters"]["PageSize"];
                /** @description nextCursor of the previous page; equally fast at any depth. page is ignored */
                cursor?: components["parameters"]["CursorOrPage"];
                /** @description Why the credits moved. SYSTEM_ADJUST: by an administrator, for a redemption code, or between a user and a team (`source` begins with transfer:) */
                transType?: components["parameters"]["TransType"];
                /** @description Whether rows of films have the prompt */
                prompts?: boolean;
            };
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
                        data: components["schemas"]["CreditHistory"];
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getCreditAlert: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
                        data: components["schemas"]["CreditAlert"];
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    setCreditAlert: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description credit.low is sent when the available credits fall below this; null: never */
                    below: number | null;
                    /** @description A mail is sent when films of this day in UTC have cost as much; null: never */
                    day?: number | null;
                    /** @description A mail is sent when films of this week, from Monday on in UTC, have cost as much; null: never */
                    week?: number | null;
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
                        data: components["schemas"]["CreditAlert"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
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
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["Gift"];
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
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
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["Gift"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
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
                    "application/json": components["schemas"]["Envelope"] & {
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
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getCreditUsage: {
        parameters: {
            query?: {
                /** @description First day, in UTC; default: 29 days before the last */
                from?: components["parameters"]["FirstDay"];
                /** @description Last day; default: today. At most 366 days */
                to?: components["parameters"]["LastDay"];
                /** @description maker: the API keys, or the members of the team */
                by?: components["parameters"]["UsageBy"];
                /** @description Only films that browser tokens of this subject made */
                subject?: components["parameters"]["FilmsOfSubject"];
            };
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
                            rows: components["schemas"]["CreditUsage"][];
                            makers: components["schemas"]["Makers"];
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    downloadCreditUsage: {
        parameters: {
            query?: {
                /** @description First day, in UTC; default: 29 days before the last */
                from?: components["parameters"]["FirstDay"];
                /** @description Last day; default: today. At most 366 days */
                to?: components["parameters"]["LastDay"];
                /** @description maker: the API keys, or the members of the team */
                by?: components["parameters"]["UsageBy"];
                /** @description Only films that browser tokens of this subject made */
                subject?: components["parameters"]["FilmsOfSubject"];
                /** @description The id of a team, in the place of X-Team where no header can be sent */
                team?: components["parameters"]["TeamOfLink"];
            };
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
    addCredits: {
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
                    credits: number;
                    /** @description The user who receives them; you when left out */
                    userId?: string | null;
                    /**
                     * @description Days until they expire
                     * @default 365
                     */
                    expiryDays?: number | null;
                    /** @description Shown in the user’s history */
                    remark?: string | null;
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
            "4XX": components["responses"]["UserChangeConflictIdempotencyKeyReusedError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listServiceNotices: {
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
                            notices: components["schemas"]["ServiceNotice"][];
                        };
                    };
                };
            };
            "4XX": components["responses"]["PublicReadError"];
            "5XX": components["responses"]["ServerError"];
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
                    "application/json": components["schemas"]["Envelope"] & {
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
            "4XX": components["responses"]["PublicChangeNotFoundError"];
            "5XX": components["responses"]["ServerError"];
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
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            products: components["schemas"]["Product"][];
                            /**
                             * @description The processors that are set up; empty when payments are not
                             * @example [
                             *       "payment-a",
                             *       "payment-b"
                             *     ]
                             */
                            processors: components["schemas"]["PaymentProcessor"][];
                        };
                    };
                };
            };
            "4XX": components["responses"]["PublicReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    startCheckout: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description An id of GET /api/v1/config/plans */
                    productId: string;
                    processor?: components["schemas"]["PaymentProcessor"] | null;
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
                        data: components["schemas"]["PaymentPage"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    openPortal: {
        parameters: {
            query?: {
                /** @description Whose portal; default: that of the plan */
                processor?: "payment-a" | "payment-b";
                /** @description The plan that it offers to change to, where the processor can */
                plan?: string;
            };
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
                        data: components["schemas"]["PaymentPage"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
                            subscription: components["schemas"]["Subscription"] | null;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listInvoices: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
                            invoices: components["schemas"]["PaymentDocument"][];
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    previewPlanChange: {
        parameters: {
            query: {
                /** @description The id of another plan */
                plan: string;
            };
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
                            preview: {
                                /** @description What is due, in the currency’s smallest unit */
                                amount: number;
                                /** @description What goes to the balance that pays later invoices */
                                credited: number;
                                currency: string;
                                /**
                                 * Format: date-time
                                 * @description When the amount is due
                                 */
                                at: string;
                            } | null;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getTopUp: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
                        data: components["schemas"]["TopUp"];
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    setTopUp: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The pack that is bought */
                    productId: string;
                    /** @description When fewer credits than this are available */
                    below: number;
                    /** @description So often in a calendar month of UTC, at most */
                    maxPerMonth: number;
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
                        data: components["schemas"]["TopUp"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    endTopUp: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
                        data: components["schemas"]["TopUp"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
                            endpoints: components["schemas"]["WebhookEndpoint"][];
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Up to 255 characters of your choice. A repeated request with the same key and body returns what the first one made, with the header Idempotent-Replayed, and does nothing twice, for at least 24 hours; the same key with another body is 422. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description An https URL on the public Internet, of at most 2048 characters */
                    url: string;
                    /** @description For you */
                    description?: string | null;
                    events?: components["schemas"]["WebhookEventTypes"] | null;
                    /** @description Only events of videos and assets that browser tokens of this subject make; it does not change */
                    subject?: string | null;
                    /** @description It gets events of videos that have all of this metadata alone; empty: all events */
                    metadata?: {
                        [key: string]: string;
                    } | null;
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
                        data: components["schemas"]["CreatedWebhookEndpoint"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictIdempotencyKeyReusedError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The id of the endpoint */
                id: components["parameters"]["EndpointId"];
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
                        data: components["schemas"]["WebhookEndpoint"];
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The id of the endpoint */
                id: components["parameters"]["EndpointId"];
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
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The id of the endpoint */
                id: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description An https URL on the public Internet, of at most 2048 characters */
                    url?: string;
                    /** @description For you */
                    description?: string;
                    events?: components["schemas"]["WebhookEventTypes"];
                    /** @description It gets events of videos that have all of this metadata alone; empty: all events */
                    metadata?: {
                        [key: string]: string;
                    };
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
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["WebhookEndpoint"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The id of the endpoint */
                id: components["parameters"]["EndpointId"];
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
                        data: components["schemas"]["WebhookSecret"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    rotateWebhookUrlSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
                        data: components["schemas"]["WebhookSecret"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: {
                /** @description The type of the event; left out: webhook.test */
                type?: "video.completed" | "video.failed" | "video.cancelled" | "video.deleted" | "project.created" | "project.rendered" | "project.deleted" | "asset.created" | "asset.deleted" | "credit.added" | "credit.low" | "credit.expiring" | "subscription.updated" | "webhook.test";
            };
            header?: {
                /** @description Up to 255 characters of your choice. A repeated request with the same key and body returns what the first one made, with the header Idempotent-Replayed, and does nothing twice, for at least 24 hours; the same key with another body is 422. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The id of the endpoint */
                id: components["parameters"]["EndpointId"];
            };
            cookie?: never;
        };
        requestBody?: never;
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
                            /**
                             * @description The header webhook-id, the same at every attempt
                             * @example msg_01939b1e5d6a7c3e9f0a4b1c2d3e4f50
                             */
                            deliveryId: string;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictIdempotencyKeyReusedError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    recoverWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The id of the endpoint */
                id: components["parameters"]["EndpointId"];
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
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            /** @description How many are sent again */
                            deliveries: number;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    replayWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The id of the endpoint */
                id: components["parameters"]["EndpointId"];
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
                    from: string;
                    /**
                     * Format: date-time
                     * @description Events before this time
                     */
                    to: string;
                    /** @description Types of event; empty or left out: all but tests */
                    types?: components["schemas"]["WebhookEventType"][] | null;
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
                            /** @description How many are sent again */
                            deliveries: number;
                            /**
                             * Format: date-time
                             * @description The `from` of the next call; null: nothing is left of the period
                             */
                            nextFrom: string | null;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                status?: "pending" | "delivered" | "failed";
                type?: "video.completed" | "video.failed" | "video.cancelled" | "video.deleted" | "project.created" | "project.rendered" | "project.deleted" | "asset.created" | "asset.deleted" | "credit.added" | "credit.low" | "credit.expiring" | "subscription.updated" | "webhook.test";
                /** @description Only events of videos and assets that browser tokens of this subject made */
                subject?: string;
                pageSize?: components["parameters"]["PageSize"];
                /** @description nextCursor of the previous page */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The id of the endpoint */
                id: components["parameters"]["EndpointId"];
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
                            deliveries: components["schemas"]["ListedDelivery"][];
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
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The id of the endpoint */
                id: components["parameters"]["EndpointId"];
                /** @description The id of the delivery, msg_… */
                deliveryId: components["parameters"]["DeliveryId"];
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
                        data: components["schemas"]["Delivery"];
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The id of the endpoint */
                id: components["parameters"]["EndpointId"];
                /** @description The id of the delivery, msg_… */
                deliveryId: components["parameters"]["DeliveryId"];
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
                        data: components["schemas"]["Delivery"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
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
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
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
                "application/json": components["schemas"]["Confirmation"];
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
    exportSubject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description Of browser tokens: your id of a visitor */
                subject: components["parameters"]["Subject"];
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
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    eraseSubject: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description Of browser tokens: your id of a visitor */
                subject: components["parameters"]["Subject"];
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
                        data: components["schemas"]["SubjectErasure"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getConsent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
                        data: components["schemas"]["Consent"];
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    giveConsent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Of the text; it changes with the text */
                    version: string;
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
                        data: components["schemas"]["Consent"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
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
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["NoticeSettings"];
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
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
                    /** @description An automatic top-up was paid, has failed, or is to be confirmed; to owners of a team */
                    "payment.top-up"?: boolean;
                    /** @description Films of a day or week have cost what PUT /api/v1/credit/alert set */
                    "credit.spent"?: boolean;
                    /** @description A film is completed or has failed; off until it is switched on */
                    "video.done"?: boolean;
                    /** @description A webhook endpoint was disabled */
                    "webhook.disabled"?: boolean;
                    /** @description Keys or endpoints of a team were suspended, whose maker an administrator has locked or deleted; to owners */
                    "team.suspended"?: boolean;
                    /** @description Maintenance and incidents, as the operator announces them */
                    "service.notice"?: boolean;
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
                        data: components["schemas"]["NoticeSettings"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
                        data: components["schemas"]["OwnApiKey"] | components["schemas"]["OwnToken"];
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Up to 255 characters of your choice. A repeated request with the same key and body returns what the first one made, with the header Idempotent-Replayed, and does nothing twice, for at least 24 hours; the same key with another body is 422. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Envelope"] & {
                        data: components["schemas"]["BrowserToken"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictIdempotencyKeyReusedError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getLimits: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
                        data: components["schemas"]["Limits"];
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
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
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            teams: components["schemas"]["Team"][];
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getTeam: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
                        data: components["schemas"]["TeamDetail"];
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createTeam: {
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
                    /** @description One line of visible characters, without direction marks and without the beginning of an address; blanks around it are removed */
                    name: string;
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
                        data: components["schemas"]["Team"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictIdempotencyKeyReusedError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteTeam: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Confirmation"];
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
    changeTeam: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
                    "application/json": components["schemas"]["Envelope"] & {
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
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    exportTeam: {
        parameters: {
            query?: {
                /** @description The id of a team, in the place of X-Team where no header can be sent */
                team?: components["parameters"]["TeamOfLink"];
            };
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listTeamMembers: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
                            members: components["schemas"]["TeamMember"][];
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    removeTeamMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The user id of the member */
                id: components["parameters"]["MemberId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    takeOver?: components["schemas"]["GivenIds"];
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
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            userId: string;
                            /** @constant */
                            removed: true;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    changeTeamMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The user id of the member */
                id: components["parameters"]["MemberId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    role?: components["schemas"]["TeamRole"];
                    /** @description null: as much as the team has */
                    budget?: components["schemas"]["KeyBudget"] | null;
                    takeOver?: components["schemas"]["GivenIds"];
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
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getMovableCredits: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
                            movable: number;
                            /** @description What you owe */
                            owed: number;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    moveCredits: {
        parameters: {
            query?: never;
            header?: {
                /** @description Up to 255 characters of your choice. A repeated request with the same key and body returns what the first one made, with the header Idempotent-Replayed, and does nothing twice, for at least 24 hours; the same key with another body is 422. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
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
                    "application/json": components["schemas"]["Envelope"] & {
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
            "4XX": components["responses"]["UserChangeConflictIdempotencyKeyReusedError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listTeamInvitations: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
                            invitations: components["schemas"]["TeamInvitation"][];
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    inviteTeamMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Format: email */
                    email: string;
                    role?: components["schemas"]["TeamRole"] | null;
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
                        data: components["schemas"]["CreatedTeamInvitation"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    revokeTeamInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
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
                    "application/json": components["schemas"]["Envelope"] & {
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
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
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
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            teamId: string;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listTeamKeys: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
                            apiKeys: components["schemas"]["TeamKey"][];
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createTeamKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One line of visible characters, without direction marks and without the beginning of an address; blanks around it are removed */
                    name: string;
                    /** @description Seconds; without it the key never expires */
                    expiresIn?: number | null;
                    /** @description What the key may do; all when left out */
                    scopes?: components["schemas"]["Scope"][] | null;
                    budget?: components["schemas"]["KeyBudget"] | null;
                    /** @description A test key: it begins with kin_test_, makes films of this service for nothing, and has films, assets, webhooks and limits of its own */
                    test?: boolean | null;
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
                        data: components["schemas"]["CreatedTeamKey"];
                    };
                };
            };
            "4XX": components["responses"]["UserChangeConflictError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteTeamKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listTeamGiven: {
        parameters: {
            query?: {
                /** @description viewer: reads. maker: makes films too, and changes own ones. admin: changes the films of all, and manages members, keys and webhooks. owner: pays, and deletes the team */
                role?: components["parameters"]["TeamRole"];
            };
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path: {
                /** @description The user id of the member */
                id: components["parameters"]["MemberId"];
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
                            given: components["schemas"]["TeamGiven"][];
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    takeOverTeamGiven: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    ids: components["schemas"]["GivenIds"];
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
                            ids: components["schemas"]["GivenIds"];
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listTeamPrograms: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
                            programs: components["schemas"]["TeamProgram"][];
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    disconnectTeamProgram: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
            "4XX": components["responses"]["UserChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listTeamLog: {
        parameters: {
            query?: {
                /** @description The nextCursor of the page before */
                cursor?: string;
                pageSize?: number;
            };
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
                            entries: components["schemas"]["TeamLogEntry"][];
                            /** @description null: the last page */
                            nextCursor: string | null;
                        };
                    };
                };
            };
            "4XX": components["responses"]["UserReadError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    downloadTeamLog: {
        parameters: {
            query?: {
                /** @description The id of a team, in the place of X-Team where no header can be sent */
                team?: components["parameters"]["TeamOfLink"];
            };
            header?: {
                /** @description The id of a team of which you are a member: the request is for the team. Needless with its API key */
                "X-Team"?: components["parameters"]["Team"];
            };
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
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            /** @constant */
                            received: true;
                        };
                    };
                };
            };
            "4XX": components["responses"]["ReceiveCallbackError"];
            "5XX": components["responses"]["ServerError"];
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
                    "application/json": components["schemas"]["Envelope"] & {
                        data: {
                            /**
                             * @description What is off now
                             * @enum {unknown}
                             */
                            notice: "credit.low" | "credit.expiring" | "payment.failed" | "payment.top-up" | "credit.spent" | "video.done" | "webhook.disabled" | "team.suspended" | "service.notice";
                        };
                    };
                };
            };
            "4XX": components["responses"]["PublicChangeError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    videoCompleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for each attempt of a delivery */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: v1 and the base64 of an HMAC-SHA256 */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VideoCompletedEvent"];
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
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: v1 and the base64 of an HMAC-SHA256 */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VideoFailedEvent"];
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
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: v1 and the base64 of an HMAC-SHA256 */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VideoCancelledEvent"];
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
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: v1 and the base64 of an HMAC-SHA256 */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VideoDeletedEvent"];
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
    projectCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for each attempt of a delivery */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: v1 and the base64 of an HMAC-SHA256 */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectCreatedEvent"];
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
    projectRendered: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for each attempt of a delivery */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: v1 and the base64 of an HMAC-SHA256 */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectRenderedEvent"];
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
    projectDeleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for each attempt of a delivery */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: v1 and the base64 of an HMAC-SHA256 */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectDeletedEvent"];
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
    assetCreated: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for each attempt of a delivery */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: v1 and the base64 of an HMAC-SHA256 */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AssetCreatedEvent"];
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
    assetDeleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The same for each attempt of a delivery */
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: v1 and the base64 of an HMAC-SHA256 */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AssetDeletedEvent"];
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
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: v1 and the base64 of an HMAC-SHA256 */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreditAddedEvent"];
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
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: v1 and the base64 of an HMAC-SHA256 */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreditLowEvent"];
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
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: v1 and the base64 of an HMAC-SHA256 */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreditExpiringEvent"];
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
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: v1 and the base64 of an HMAC-SHA256 */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscriptionUpdatedEvent"];
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
                "webhook-id": components["parameters"]["webhook-id"];
                /** @description The time of the attempt, in seconds since 1970 */
                "webhook-timestamp": components["parameters"]["webhook-timestamp"];
                /** @description Signatures, separated by spaces: v1 and the base64 of an HMAC-SHA256 */
                "webhook-signature": components["parameters"]["webhook-signature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookTestEvent"];
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
