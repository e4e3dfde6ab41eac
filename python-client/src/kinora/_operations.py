"""A method for each operation of the API."""
# Generated from openapi.json by `npm run openapi`. Do not edit: change the routes.
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Literal, Union

from ._transport import Transport, each_item, new_idempotency_key, path_value

if TYPE_CHECKING:
    from .types import (
        AcceptTeamInvitationBody,
        AcceptTeamInvitationResult,
        AddCreditsBody,
        AddCreditsResult,
        AddedShots,
        ArrangeVideosBody,
        Asset,
        Balance,
        BrowserToken,
        BulkOutcome,
        CancelledVideo,
        ChangeAssetBody,
        ChangeProjectBody,
        ChangeShotBody,
        ChangeTeamBody,
        ChangeTeamMemberBody,
        ChangeTeamMemberResult,
        ChangeTeamResult,
        Confirmation,
        Consent,
        CreateTeamBody,
        CreateTeamKeyBody,
        CreateVideoFolderBody,
        CreateWebhookEndpointBody,
        CreatedTeamInvitation,
        CreatedTeamKey,
        CreatedWebhookEndpoint,
        CreditAlert,
        CreditHistory,
        CreditPackage,
        CreditTransaction,
        DeleteTeamKeyResult,
        DeleteVideoResult,
        DeleteVideosBody,
        Deleted,
        DeletedAccount,
        Delivery,
        DisconnectTeamProgramResult,
        GenerateProjectBody,
        GenerateRequest,
        GeneratedShots,
        GeneratedVideo,
        GetCreditUsageResult,
        GetMovableCreditsResult,
        GetPublicationResult,
        GetShareResult,
        GetSubscriptionResult,
        GetTakedownResult,
        Gift,
        GiveConsentBody,
        ImprovePromptBody,
        ImprovePromptResult,
        InputsRequest,
        InviteTeamMemberBody,
        Limits,
        LinkedAsset,
        ListAssetsResult,
        ListInvoicesResult,
        ListModelsResult,
        ListPackagesResult,
        ListPlansResult,
        ListProjectsResult,
        ListPromptTemplatesResult,
        ListPublishedFilmsResult,
        ListServiceNoticesResult,
        ListTeamGivenResult,
        ListTeamInvitationsResult,
        ListTeamKeysResult,
        ListTeamLogResult,
        ListTeamMembersResult,
        ListTeamProgramsResult,
        ListTeamsResult,
        ListVideoFoldersResult,
        ListVideosResult,
        ListWebhookDeliveriesResult,
        ListWebhookEndpointsResult,
        ListedDelivery,
        ListedProject,
        ListedVideo,
        MakeProjectBody,
        MoveCreditsBody,
        MoveCreditsResult,
        NoticeSettings,
        ObjectToTakedownBody,
        OpenInvitationBody,
        OpenInvitationResult,
        OpenTeamInvitationBody,
        OpenTeamInvitationResult,
        OwnApiKey,
        OwnToken,
        PaymentPage,
        PreviewPlanChangeResult,
        Project,
        ProjectQuote,
        ProposeShotsBody,
        ProposeShotsResult,
        ProvenanceVerification,
        PublishVideoBody,
        PublishVideoResult,
        PublishedFilm,
        Quote,
        QuoteProjectBody,
        QuoteRequest,
        ReceiveCallbackResult,
        RecoverWebhookEndpointBody,
        RecoverWebhookEndpointResult,
        RedeemCodeBody,
        RedeemCodeResult,
        RemoveTeamMemberBody,
        RemoveTeamMemberResult,
        RenameVideoFolderBody,
        RenderedProject,
        ReplayWebhookEndpointBody,
        ReplayWebhookEndpointResult,
        ReportPublishedFilmBody,
        ReportPublishedFilmResult,
        RevokeShareResult,
        RevokeTeamInvitationResult,
        SetCreditAlertBody,
        SetNoticesBody,
        SetTopUpBody,
        ShareVideoBody,
        ShareVideoResult,
        SharedVideo,
        Shot,
        ShotsFromCsv,
        ShotsFromText,
        SignInOptions,
        StartCheckoutBody,
        StatementOfReasons,
        SubjectErasure,
        TakeOverTeamGivenBody,
        TakeOverTeamGivenResult,
        TaskStatus,
        Team,
        TeamDetail,
        TeamLogEntry,
        TestWebhookEndpointResult,
        TokenRequest,
        TopUp,
        UnpublishVideoResult,
        UnsubscribeResult,
        UpdateWebhookEndpointBody,
        UploadedImage,
        UpscaleRequest,
        VerifyProvenanceBody,
        Video,
        VideoFolder,
        WebhookEndpoint,
        WebhookSecret,
    )


class Operations(Transport):
    def upload_asset(
        self,
        body: Union[bytes, LinkedAsset],
        *,
        name: Union[str, None] = None,
        kind: Union[Literal["image", "film", "sound"], None] = None,
        content_type: str | None = None,
    ) -> Asset:
        """The body is the file itself, or JSON with a link to it. Pictures: PNG, JPEG, WebP or AVIF of at most 15 MB; films: MP4, MOV or WebM of at most 200 MB and 10 minutes; sounds: MP3, WAV, M4A or OGG of at most 30 MB. What is kept has no metadata. The same file again is the same asset. Above 16 MB /api/v1/asset/upload takes it by several requests (tus 1.0). One without a name that no video uses is kept for 30 days. 413: larger, or all of yours are. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`."""
        return self.request("POST", "/api/v1/asset", body, query={"name": name, "kind": kind}, content_type=content_type)

    def list_assets(
        self,
        *,
        kind: Union[Literal["image", "film", "sound"], None] = None,
        name: Union[str, None] = None,
        named: Union[bool, None] = None,
        pageSize: Union[int, None] = None,
        cursor: Union[str, None] = None,
    ) -> ListAssetsResult:
        """An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`."""
        return self.request("GET", "/api/v1/asset", query={"kind": kind, "name": name, "named": named, "pageSize": pageSize, "cursor": cursor})

    def iter_assets(
        self,
        *,
        kind: Union[Literal["image", "film", "sound"], None] = None,
        name: Union[str, None] = None,
        named: Union[bool, None] = None,
        pageSize: Union[int, None] = None,
    ) -> Iterator[Asset]:
        """Your assets, newest first: all pages."""
        return each_item(lambda cursor: self.list_assets(kind=kind, name=name, named=named, pageSize=pageSize, cursor=cursor), "assets")

    def get_asset(
        self,
        id: str,
    ) -> Asset:
        """An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`."""
        return self.request("GET", f"/api/v1/asset/{path_value(id)}")

    def change_asset(
        self,
        id: str,
        body: ChangeAssetBody,
    ) -> Asset:
        """Up to 9 assets of one name are one character, place or product, which inputs name @mara. One with a name is kept until you delete it. A film becomes its `sound` for ever, under the same id; one that a video uses stays a film (409): then send the file again with ?kind=sound. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`."""
        return self.request("PATCH", f"/api/v1/asset/{path_value(id)}", body)

    def delete_asset(
        self,
        id: str,
    ) -> Deleted:
        """Its links end. Films that were made from it stay; one that is not sent to a provider yet fails, and its credits are back. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`."""
        return self.request("DELETE", f"/api/v1/asset/{path_value(id)}")

    def generate_video(
        self,
        body: Union[GenerateRequest, InputsRequest, UpscaleRequest],
        *,
        idempotency_key: str | None = None,
    ) -> GeneratedVideo:
        """Freezes the price and responds at once; poll GET /api/v1/video/task, or read GET /api/v1/video/events. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`."""
        return self.request("POST", "/api/v1/video/generate", body, headers={"idempotency-key": idempotency_key or new_idempotency_key()})

    def quote_video(
        self,
        body: Union[QuoteRequest, InputsRequest, UpscaleRequest],
    ) -> Quote:
        """Takes the body of generate, with or without a prompt, and refuses what generate would refuse, but for what moderation decides. Nothing is generated or frozen. An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`."""
        return self.request("POST", "/api/v1/video/quote", body)

    def list_videos(
        self,
        *,
        page: Union[int, None] = None,
        pageSize: Union[int, None] = None,
        cursor: Union[str, None] = None,
        status: Union[Literal["PENDING", "GENERATING", "UPLOADING", "COMPLETED", "FAILED"], None] = None,
        kind: Union[Literal["film", "cut"], None] = None,
        model: Union[str, None] = None,
        mode: Union[str, None] = None,
        aspectRatio: Union[str, None] = None,
        favourite: Union[bool, None] = None,
        folder: Union[str, None] = None,
        madeBy: Union[str, None] = None,
        subject: Union[str, None] = None,
        from_: Union[str, None] = None,
        to: Union[str, None] = None,
        metadata: Union[Dict[str, str], None] = None,
        q: Union[str, None] = None,
        sort: Union[Literal["newest", "oldest"], None] = None,
    ) -> ListVideosResult:
        """With a filter, unless it is one of status and kind and model, total counts 2,000 at most, with metadata as with q. A cursor belongs to one sort. An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`."""
        return self.request("GET", "/api/v1/video/list", query={"page": page, "pageSize": pageSize, "cursor": cursor, "status": status, "kind": kind, "model": model, "mode": mode, "aspectRatio": aspectRatio, "favourite": favourite, "folder": folder, "madeBy": madeBy, "subject": subject, "from": from_, "to": to, "metadata": metadata, "q": q, "sort": sort})

    def iter_videos(
        self,
        *,
        pageSize: Union[int, None] = None,
        status: Union[Literal["PENDING", "GENERATING", "UPLOADING", "COMPLETED", "FAILED"], None] = None,
        kind: Union[Literal["film", "cut"], None] = None,
        model: Union[str, None] = None,
        mode: Union[str, None] = None,
        aspectRatio: Union[str, None] = None,
        favourite: Union[bool, None] = None,
        folder: Union[str, None] = None,
        madeBy: Union[str, None] = None,
        subject: Union[str, None] = None,
        from_: Union[str, None] = None,
        to: Union[str, None] = None,
        metadata: Union[Dict[str, str], None] = None,
        q: Union[str, None] = None,
        sort: Union[Literal["newest", "oldest"], None] = None,
    ) -> Iterator[ListedVideo]:
        """Your videos, newest first: all pages."""
        return each_item(lambda cursor: self.list_videos(pageSize=pageSize, status=status, kind=kind, model=model, mode=mode, aspectRatio=aspectRatio, favourite=favourite, folder=folder, madeBy=madeBy, subject=subject, from_=from_, to=to, metadata=metadata, q=q, sort=sort, cursor=cursor), "videos")

    def get_task(
        self,
        *,
        uuid: str,
    ) -> TaskStatus:
        """An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`."""
        return self.request("GET", "/api/v1/video/task", query={"uuid": uuid})

    def get_video(
        self,
        uuid: str,
    ) -> Video:
        """An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`."""
        return self.request("GET", f"/api/v1/video/{path_value(uuid)}")

    def delete_video(
        self,
        uuid: str,
    ) -> DeleteVideoResult:
        """It disappears from every list; its record and its cost stay. A generation in progress runs on. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`."""
        return self.request("DELETE", f"/api/v1/video/{path_value(uuid)}")

    def cancel_video(
        self,
        uuid: str,
    ) -> CancelledVideo:
        """At once until it is submitted to a provider; afterwards the provider is asked, if it can stop a task. Cancelled: the video is FAILED and its credits are back. Still GENERATING: the provider was asked and may finish it all the same. 409: it is too late, or the provider cannot stop it; the film is kept. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`."""
        return self.request("POST", f"/api/v1/video/{path_value(uuid)}/cancel")

    def arrange_videos(
        self,
        body: ArrangeVideosBody,
    ) -> BulkOutcome:
        """What is left out stays as it is. 403: a maker of a team arranges own videos only. 404: you have no such folder. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`."""
        return self.request("POST", "/api/v1/video/arrange", body)

    def delete_videos(
        self,
        body: DeleteVideosBody,
    ) -> BulkOutcome:
        """Each as DELETE /api/v1/video/{uuid} does. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`."""
        return self.request("POST", "/api/v1/video/delete", body)

    def archive_videos(
        self,
        *,
        uuid: List[str],
        team: Union[str, None] = None,
    ) -> bytes:
        """A ZIP, streamed, in which each film is named by its prompt; videos without a film are left out. 404: one of the videos is none of yours. 409: none of them has a film. An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`."""
        return self.request("GET", "/api/v1/video/archive", query={"uuid": uuid, "team": team})

    def list_video_folders(
        self,
    ) -> ListVideoFoldersResult:
        """An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`."""
        return self.request("GET", "/api/v1/video/folders")

    def create_video_folder(
        self,
        body: CreateVideoFolderBody,
        *,
        idempotency_key: str | None = None,
    ) -> VideoFolder:
        """409: you have a folder of this name, or 200 of them, which is the most. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`."""
        return self.request("POST", "/api/v1/video/folders", body, headers={"idempotency-key": idempotency_key or new_idempotency_key()})

    def rename_video_folder(
        self,
        id: str,
        body: RenameVideoFolderBody,
    ) -> VideoFolder:
        """403: a maker of a team renames own folders only. 409: you have another folder of this name. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`."""
        return self.request("PATCH", f"/api/v1/video/folders/{path_value(id)}", body)

    def delete_video_folder(
        self,
        id: str,
    ) -> Deleted:
        """Its videos stay, in no folder. 403: a maker of a team deletes own folders only. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`."""
        return self.request("DELETE", f"/api/v1/video/folders/{path_value(id)}")

    def get_share(
        self,
        uuid: str,
    ) -> GetShareResult:
        """An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`."""
        return self.request("GET", f"/api/v1/video/{path_value(uuid)}/share")

    def share_video(
        self,
        uuid: str,
        body: ShareVideoBody,
    ) -> ShareVideoResult:
        """All who have the link can watch the film until it is revoked. The link of a film that is shared already stays; the other fields change. 409: the film is not completed, or no longer kept. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`."""
        return self.request("PUT", f"/api/v1/video/{path_value(uuid)}/share", body)

    def revoke_share(
        self,
        uuid: str,
    ) -> RevokeShareResult:
        """The link stops working at once and for ever; sharing the film again makes another one. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`."""
        return self.request("DELETE", f"/api/v1/video/{path_value(uuid)}/share")

    def get_shared_video(
        self,
        token: str,
    ) -> SharedVideo:
        """Needs no credential: the token is one. 404: revoked, deleted, or no token of this service."""
        return self.request("GET", f"/api/v1/share/{path_value(token)}")

    def get_publication(
        self,
        uuid: str,
    ) -> GetPublicationResult:
        """An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`."""
        return self.request("GET", f"/api/v1/video/{path_value(uuid)}/publication")

    def publish_video(
        self,
        uuid: str,
        body: PublishVideoBody,
    ) -> PublishVideoResult:
        """Everyone can then watch the film and read its prompt, model and settings; images that it was made from are not shown. 409: the film is not completed or no longer kept, or an administrator has removed it from Explore. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`."""
        return self.request("PUT", f"/api/v1/video/{path_value(uuid)}/publication", body)

    def unpublish_video(
        self,
        uuid: str,
    ) -> UnpublishVideoResult:
        """It is gone from there at once. Repeating the call changes nothing. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`."""
        return self.request("DELETE", f"/api/v1/video/{path_value(uuid)}/publication")

    def list_published_films(
        self,
        *,
        from_: Union[str, None] = None,
        makerOf: Union[str, None] = None,
        pageSize: Union[int, None] = None,
        cursor: Union[str, None] = None,
    ) -> ListPublishedFilmsResult:
        """Needs no credential. A page may have fewer films than pageSize, also none, before the last: follow nextCursor until it is null. 404: the operator has not switched it on."""
        return self.request("GET", "/api/v1/explore", query={"from": from_, "makerOf": makerOf, "pageSize": pageSize, "cursor": cursor})

    def iter_published_films(
        self,
        *,
        from_: Union[str, None] = None,
        makerOf: Union[str, None] = None,
        pageSize: Union[int, None] = None,
    ) -> Iterator[PublishedFilm]:
        """Published films, newest first: all pages."""
        return each_item(lambda cursor: self.list_published_films(from_=from_, makerOf=makerOf, pageSize=pageSize, cursor=cursor), "films")

    def get_published_film(
        self,
        id: str,
    ) -> PublishedFilm:
        """Needs no credential. 404: it is not published any more."""
        return self.request("GET", f"/api/v1/explore/{path_value(id)}")

    def report_published_film(
        self,
        id: str,
        body: ReportPublishedFilmBody,
    ) -> ReportPublishedFilmResult:
        """Administrators decide on it. A second report of a user changes nothing. 429: 20 films within an hour. An API key needs the scope `account`."""
        return self.request("POST", f"/api/v1/explore/{path_value(id)}/report", body)

    def get_takedown(
        self,
        uuid: str,
    ) -> GetTakedownResult:
        """The latest decision of an administrator on it, and the page where you may object. An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`."""
        return self.request("GET", f"/api/v1/video/{path_value(uuid)}/takedown")

    def get_statement_of_reasons(
        self,
        token: str,
    ) -> StatementOfReasons:
        """Needs no credential: the token is one. 404: it is not of this service."""
        return self.request("GET", f"/api/v1/takedown/{path_value(token)}")

    def object_to_takedown(
        self,
        token: str,
        body: ObjectToTakedownBody,
    ) -> StatementOfReasons:
        """An administrator reads it and answers by mail. Needs no credential: the token is one. A second objection changes nothing. 409: too late."""
        return self.request("PUT", f"/api/v1/takedown/{path_value(token)}", body)

    def upload_image(
        self,
        body: bytes,
        *,
        content_type: str | None = None,
    ) -> UploadedImage:
        """POST /api/v1/asset for a picture: each side 64 to 8192 pixels. It is re-encoded without metadata, upright, opaque, at most 4096 pixels wide and high. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`."""
        return self.request("POST", "/api/v1/video/image", body, content_type=content_type)

    def get_consent(
        self,
    ) -> Consent:
        """A film with a portrait, a motion or a sound needs it, once an account or team: 403 CONSENT_REQUIRED has its text. An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`."""
        return self.request("GET", "/api/v1/video/consent")

    def give_consent(
        self,
        body: GiveConsentBody,
    ) -> Consent:
        """It is stored with its text and time, and is in your export. 409: the text is another one by now. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`."""
        return self.request("PUT", "/api/v1/video/consent", body)

    def render_project(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
    ) -> RenderedProject:
        """The chosen takes in their order, as they are trimmed. The cut is a video of its own: follow, read, share, cancel and delete it by its uuid; GET /api/v1/video/list has cuts with kind=cut alone. 409: a shot has no finished take. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`."""
        return self.request("POST", f"/api/v1/project/{path_value(id)}/render", headers={"idempotency-key": idempotency_key or new_idempotency_key()})

    def list_projects(
        self,
        *,
        pageSize: Union[int, None] = None,
        cursor: Union[str, None] = None,
    ) -> ListProjectsResult:
        """An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`."""
        return self.request("GET", "/api/v1/project", query={"pageSize": pageSize, "cursor": cursor})

    def iter_projects(
        self,
        *,
        pageSize: Union[int, None] = None,
    ) -> Iterator[ListedProject]:
        """Your projects, newest first: all pages."""
        return each_item(lambda cursor: self.list_projects(pageSize=pageSize, cursor=cursor), "projects")

    def make_project(
        self,
        body: MakeProjectBody,
        *,
        idempotency_key: str | None = None,
    ) -> Project:
        """409: you have 1,000 projects, which is the most. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`."""
        return self.request("POST", "/api/v1/project", body, headers={"idempotency-key": idempotency_key or new_idempotency_key()})

    def get_project(
        self,
        id: str,
    ) -> Project:
        """An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`."""
        return self.request("GET", f"/api/v1/project/{path_value(id)}")

    def change_project(
        self,
        id: str,
        body: ChangeProjectBody,
    ) -> Project:
        """What is left out stays as it is. 409: it has another version; the details say which, and who made it when. Read it again and repeat the change. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`."""
        return self.request("PATCH", f"/api/v1/project/{path_value(id)}", body)

    def delete_project(
        self,
        id: str,
    ) -> Deleted:
        """Its takes stay, as films. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`."""
        return self.request("DELETE", f"/api/v1/project/{path_value(id)}")

    def change_shot(
        self,
        id: str,
        shotId: str,
        body: ChangeShotBody,
    ) -> Shot:
        """What is left out stays as it is; another take begins uncut. A film of yours that is a take of no shot becomes one of this shot when it is chosen. 409: the shot has another version; see changeProject. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`."""
        return self.request("PATCH", f"/api/v1/project/{path_value(id)}/shots/{path_value(shotId)}", body)

    def delete_shot(
        self,
        id: str,
        shotId: str,
        *,
        version: Union[int, None] = None,
    ) -> Project:
        """Its takes stay, as films. 409: the shot has another version; see changeProject. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`."""
        return self.request("DELETE", f"/api/v1/project/{path_value(id)}/shots/{path_value(shotId)}", query={"version": version})

    def quote_project(
        self,
        id: str,
        body: QuoteProjectBody,
    ) -> ProjectQuote:
        """Nothing is generated or frozen. An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`."""
        return self.request("POST", f"/api/v1/project/{path_value(id)}/quote", body)

    def generate_project(
        self,
        id: str,
        body: GenerateProjectBody,
        *,
        idempotency_key: str | None = None,
    ) -> GeneratedShots:
        """A film each, by one request: the credits of all are frozen, or of none. Those that find no place among your videos in progress wait, and begin in their order as places are free. A film becomes the chosen take of a shot that has none, or whose take failed. 409: no shot lacks a take, the price is another one than `credits`, or a shot was generated or deleted meanwhile. A shot that is refused: its code, and in the details each such shot. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`."""
        return self.request("POST", f"/api/v1/project/{path_value(id)}/generate", body, headers={"idempotency-key": idempotency_key or new_idempotency_key()})

    def improve_prompt(
        self,
        body: ImprovePromptBody,
    ) -> ImprovePromptResult:
        """Nothing is made or charged. Moderation sees the text first, where there is one. 404: this service has no writer (`WRITER_URL`). An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`."""
        return self.request("POST", "/api/v1/writer/prompt", body)

    def propose_shots(
        self,
        body: ProposeShotsBody,
    ) -> ProposeShotsResult:
        """Nothing is made or charged. Moderation sees the text first, where there is one. 404: this service has no writer (`WRITER_URL`). An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`."""
        return self.request("POST", "/api/v1/writer/shots", body)

    def add_shots(
        self,
        id: str,
        body: Union[AddedShots, ShotsFromText, ShotsFromCsv],
        *,
        after: Union[str, None] = None,
        idempotency_key: str | None = None,
    ) -> Project:
        """Each as it is stated, or read from a text or from CSV, with `settings` beside what is read; both may also be the body itself, as text/plain or text/csv. 409: with them it would have more than 50 shots. An API key needs the scope `generate`. For a team (X-Team) it needs the role `maker`."""
        return self.request("POST", f"/api/v1/project/{path_value(id)}/shots", body, query={"after": after}, headers={"idempotency-key": idempotency_key or new_idempotency_key()})

    def download_shots(
        self,
        id: str,
        *,
        team: Union[str, None] = None,
    ) -> bytes:
        """A row each, with a column for each of its settings; POST /api/v1/project/{id}/shots reads it. An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`."""
        return self.request("GET", f"/api/v1/project/{path_value(id)}/shots.csv", query={"team": team})

    def archive_project(
        self,
        id: str,
        *,
        team: Union[str, None] = None,
    ) -> bytes:
        """A ZIP, streamed: the films in the order of their shots, the sound of the project, and cut.edl, an edit decision list (CMX 3600) of 24 frames a second. Shots without a film are left out. 409: none has one. An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`."""
        return self.request("GET", f"/api/v1/project/{path_value(id)}/archive", query={"team": team})

    def get_balance(
        self,
    ) -> Balance:
        """An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`."""
        return self.request("GET", "/api/v1/credit/balance")

    def list_packages(
        self,
        *,
        pageSize: Union[int, None] = None,
        cursor: Union[str, None] = None,
    ) -> ListPackagesResult:
        """Packages with remaining or frozen credits, in the order they are consumed: first to expire first. An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`."""
        return self.request("GET", "/api/v1/credit/packages", query={"pageSize": pageSize, "cursor": cursor})

    def iter_packages(
        self,
        *,
        pageSize: Union[int, None] = None,
    ) -> Iterator[CreditPackage]:
        """Your credit packages, and when they expire: all pages."""
        return each_item(lambda cursor: self.list_packages(pageSize=pageSize, cursor=cursor), "packages")

    def list_transactions(
        self,
        *,
        page: Union[int, None] = None,
        pageSize: Union[int, None] = None,
        cursor: Union[str, None] = None,
        transType: Union[Literal["NEW_USER", "ORDER_PAY", "SUBSCRIPTION", "VIDEO_CONSUME", "REFUND", "EXPIRED", "SYSTEM_ADJUST"], None] = None,
        prompts: Union[bool, None] = None,
    ) -> CreditHistory:
        """An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`."""
        return self.request("GET", "/api/v1/credit/history", query={"page": page, "pageSize": pageSize, "cursor": cursor, "transType": transType, "prompts": prompts})

    def iter_transactions(
        self,
        *,
        pageSize: Union[int, None] = None,
        transType: Union[Literal["NEW_USER", "ORDER_PAY", "SUBSCRIPTION", "VIDEO_CONSUME", "REFUND", "EXPIRED", "SYSTEM_ADJUST"], None] = None,
        prompts: Union[bool, None] = None,
    ) -> Iterator[CreditTransaction]:
        """Your credit transactions, newest first: all pages."""
        return each_item(lambda cursor: self.list_transactions(pageSize=pageSize, transType=transType, prompts=prompts, cursor=cursor), "transactions")

    def get_credit_alert(
        self,
    ) -> CreditAlert:
        """An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`."""
        return self.request("GET", "/api/v1/credit/alert")

    def set_credit_alert(
        self,
        body: SetCreditAlertBody,
    ) -> CreditAlert:
        """Below: once each time that the available credits fall below it, to the webhook endpoints that want credit.low, and by mail unless you have switched that notice off. Day and week: once a period, by mail; they stay as they are where the body has none. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`."""
        return self.request("PUT", "/api/v1/credit/alert", body)

    def get_gift(
        self,
    ) -> Gift:
        """An API key needs the scope `account`."""
        return self.request("GET", "/api/v1/credit/gift")

    def mark_gift_seen(
        self,
    ) -> Gift:
        """The studio shows the reason once. An API key needs the scope `account`."""
        return self.request("POST", "/api/v1/credit/gift/seen")

    def redeem_code(
        self,
        body: RedeemCodeBody,
    ) -> RedeemCodeResult:
        """Grants the credits of the code, once for each person: a repetition of the user returns the same (`replayed`). They cannot be moved into a team. 404: there is no such code. 409: it has ended (`details.reason` is `code_ended`), was redeemed as often as it may be (`code_used_up`; from this network: `code_network_limit`) or by another account of your e-mail address (`code_person_used`), or is for those who have bought nothing yet (`code_not_new`). Attempts that fail are limited, of a user and of an address. An API key needs the scope `account`."""
        return self.request("POST", "/api/v1/credit/redeem", body)

    def get_credit_usage(
        self,
        *,
        from_: Union[str, None] = None,
        to: Union[str, None] = None,
        by: Union[Literal["day", "model", "maker"], None] = None,
        subject: Union[str, None] = None,
    ) -> GetCreditUsageResult:
        """An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`."""
        return self.request("GET", "/api/v1/credit/usage", query={"from": from_, "to": to, "by": by, "subject": subject})

    def download_credit_usage(
        self,
        *,
        from_: Union[str, None] = None,
        to: Union[str, None] = None,
        by: Union[Literal["day", "model", "maker"], None] = None,
        subject: Union[str, None] = None,
        team: Union[str, None] = None,
    ) -> bytes:
        """A row names who made the films by the id alone: a name may be a formula. An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`."""
        return self.request("GET", "/api/v1/credit/usage.csv", query={"from": from_, "to": to, "by": by, "subject": subject, "team": team})

    def add_credits(
        self,
        body: AddCreditsBody,
        *,
        idempotency_key: str | None = None,
    ) -> AddCreditsResult:
        """An API key needs the scope `account`."""
        return self.request("POST", "/api/v1/admin/credits/add", body, headers={"idempotency-key": idempotency_key or new_idempotency_key()})

    def start_checkout(
        self,
        body: StartCheckoutBody,
    ) -> PaymentPage:
        """Send the user to the url. The credits are granted when the processor reports the payment. 409: a plan of the user runs, which the customer portal changes. An API key needs the scope `account`. For a team (X-Team) it needs the role `owner`."""
        return self.request("POST", "/api/v1/billing/checkout", body)

    def open_portal(
        self,
        *,
        processor: Union[Literal["payment-a", "payment-b"], None] = None,
        plan: Union[str, None] = None,
    ) -> PaymentPage:
        """It has the payer’s company, address and tax id too. 409: nothing has been bought; or, of a team, another owner has, as a customer whose portal shows what that owner bought without the team. An API key needs the scope `account`. For a team (X-Team) it needs the role `owner`."""
        return self.request("POST", "/api/v1/billing/portal", query={"processor": processor, "plan": plan})

    def get_subscription(
        self,
    ) -> GetSubscriptionResult:
        """An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`."""
        return self.request("GET", "/api/v1/billing/subscription")

    def list_invoices(
        self,
    ) -> ListInvoicesResult:
        """Read from the processors: of each customer the newest 100, the newest first. The portal has older ones. An API key needs the scope `account`. For a team (X-Team) it needs the role `owner`."""
        return self.request("GET", "/api/v1/billing/invoices")

    def preview_plan_change(
        self,
        *,
        plan: str,
    ) -> PreviewPlanChangeResult:
        """The processor’s own preview of the invoice; nothing changes. null: the processor shows the costs on its page only, before the change is confirmed. 409: no plan runs, or it is this one. An API key needs the scope `account`. For a team (X-Team) it needs the role `owner`."""
        return self.request("GET", "/api/v1/billing/preview", query={"plan": plan})

    def get_top_up(
        self,
    ) -> TopUp:
        """An API key needs the scope `account`. For a team (X-Team) it needs the role `owner`."""
        return self.request("GET", "/api/v1/billing/top-up")

    def set_top_up(
        self,
        body: SetTopUpBody,
    ) -> TopUp:
        """Off until it is called. A saved card is charged, one charge at a time; each is followed by a mail. A charge that fails, or that is not confirmed within 23 hours, pauses it until the next call. 409: no processor of this service charges a saved card. An API key needs the scope `account`. For a team (X-Team) it needs the role `owner`."""
        return self.request("PUT", "/api/v1/billing/top-up", body)

    def end_top_up(
        self,
    ) -> TopUp:
        """A charge that waits for you is given up within minutes. An API key needs the scope `account`. For a team (X-Team) it needs the role `owner`."""
        return self.request("DELETE", "/api/v1/billing/top-up")

    def list_models(
        self,
    ) -> ListModelsResult:
        """Models, with their limits and prices."""
        return self.request("GET", "/api/v1/config/models")

    def list_prompt_templates(
        self,
    ) -> ListPromptTemplatesResult:
        """Prompt templates of the operator."""
        return self.request("GET", "/api/v1/config/templates")

    def list_sign_in_options(
        self,
    ) -> SignInOptions:
        """Ways to sign in, beside e-mail address and password."""
        return self.request("GET", "/api/v1/config/sign-in")

    def list_service_notices(
        self,
    ) -> ListServiceNoticesResult:
        """What the operator tells all users now."""
        return self.request("GET", "/api/v1/config/notices")

    def open_invitation(
        self,
        body: OpenInvitationBody,
    ) -> OpenInvitationResult:
        """Takes the token of its link and sets a cookie for an hour, with which sign-up/email and sign-in/social make an account where signUp of GET /api/v1/config/sign-in is invite; with open the gift of the invitation counts too. 404: it was used, revoked, or has ended."""
        return self.request("POST", "/api/v1/invitation", body)

    def list_plans(
        self,
    ) -> ListPlansResult:
        """Credit packs and subscription plans."""
        return self.request("GET", "/api/v1/config/plans")

    def create_webhook_endpoint(
        self,
        body: CreateWebhookEndpointBody,
        *,
        idempotency_key: str | None = None,
    ) -> CreatedWebhookEndpoint:
        """Events are sent to it by Standard Webhooks, signed with the secret that this response shows once. That of a team ends when its maker leaves or loses the role, unless an owner takes it over. 409: you have 20 endpoints, which is the most. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`."""
        return self.request("POST", "/api/v1/webhook/endpoints", body, headers={"idempotency-key": idempotency_key or new_idempotency_key()})

    def list_webhook_endpoints(
        self,
    ) -> ListWebhookEndpointsResult:
        """An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`."""
        return self.request("GET", "/api/v1/webhook/endpoints")

    def get_webhook_endpoint(
        self,
        id: str,
    ) -> WebhookEndpoint:
        """An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`."""
        return self.request("GET", f"/api/v1/webhook/endpoints/{path_value(id)}")

    def update_webhook_endpoint(
        self,
        id: str,
        body: UpdateWebhookEndpointBody,
    ) -> WebhookEndpoint:
        """What waits for an endpoint is sent when it is enabled again; events while it is disabled are not. Events wait for one that is suspended. The member of a team who changes the URL answers for the endpoint from then on. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`."""
        return self.request("PATCH", f"/api/v1/webhook/endpoints/{path_value(id)}", body)

    def delete_webhook_endpoint(
        self,
        id: str,
    ) -> Deleted:
        """Its deliveries are not sent any more and cannot be read. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`."""
        return self.request("DELETE", f"/api/v1/webhook/endpoints/{path_value(id)}")

    def rotate_webhook_secret(
        self,
        id: str,
    ) -> WebhookSecret:
        """Deliveries carry the signatures of the secrets of the last 24 hours too, so repeat it when the response was lost. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`."""
        return self.request("POST", f"/api/v1/webhook/endpoints/{path_value(id)}/rotate")

    def rotate_webhook_url_secret(
        self,
    ) -> WebhookSecret:
        """It signs what is sent to the webhookUrl of generate. A secret that was used before signs for 24 hours more. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`."""
        return self.request("POST", "/api/v1/webhook/secret")

    def test_webhook_endpoint(
        self,
        id: str,
        *,
        type: Union[Literal["video.completed", "video.failed", "video.cancelled", "video.deleted", "project.created", "project.rendered", "project.deleted", "asset.created", "asset.deleted", "credit.added", "credit.low", "credit.expiring", "subscription.updated", "webhook.test"], None] = None,
        idempotency_key: str | None = None,
    ) -> TestWebhookEndpointResult:
        """Also when its events and metadata leave the type out; read the delivery for the response. The body of an example has `"test": true`. 409: the endpoint is disabled or suspended. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`."""
        return self.request("POST", f"/api/v1/webhook/endpoints/{path_value(id)}/test", query={"type": type}, headers={"idempotency-key": idempotency_key or new_idempotency_key()})

    def recover_webhook_endpoint(
        self,
        id: str,
        body: RecoverWebhookEndpointBody,
    ) -> RecoverWebhookEndpointResult:
        """The oldest 10,000 of them; call it again for more. 409: the endpoint is disabled. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`."""
        return self.request("POST", f"/api/v1/webhook/endpoints/{path_value(id)}/recover", body)

    def replay_webhook_endpoint(
        self,
        id: str,
        body: ReplayWebhookEndpointBody,
    ) -> ReplayWebhookEndpointResult:
        """What was delivered too, each with its webhook-id, the oldest 10000 first; call it again from nextFrom for more. What waits for its next attempt is sent at once. What was not recorded, as of a time when the endpoint was disabled, is not sent. 409: the endpoint is disabled. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`."""
        return self.request("POST", f"/api/v1/webhook/endpoints/{path_value(id)}/replay", body)

    def list_webhook_deliveries(
        self,
        id: str,
        *,
        status: Union[Literal["pending", "delivered", "failed"], None] = None,
        type: Union[Literal["video.completed", "video.failed", "video.cancelled", "video.deleted", "project.created", "project.rendered", "project.deleted", "asset.created", "asset.deleted", "credit.added", "credit.low", "credit.expiring", "subscription.updated", "webhook.test"], None] = None,
        subject: Union[str, None] = None,
        pageSize: Union[int, None] = None,
        cursor: Union[str, None] = None,
    ) -> ListWebhookDeliveriesResult:
        """An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`."""
        return self.request("GET", f"/api/v1/webhook/endpoints/{path_value(id)}/deliveries", query={"status": status, "type": type, "subject": subject, "pageSize": pageSize, "cursor": cursor})

    def iter_webhook_deliveries(
        self,
        id: str,
        *,
        status: Union[Literal["pending", "delivered", "failed"], None] = None,
        type: Union[Literal["video.completed", "video.failed", "video.cancelled", "video.deleted", "project.created", "project.rendered", "project.deleted", "asset.created", "asset.deleted", "credit.added", "credit.low", "credit.expiring", "subscription.updated", "webhook.test"], None] = None,
        subject: Union[str, None] = None,
        pageSize: Union[int, None] = None,
    ) -> Iterator[ListedDelivery]:
        """Deliveries to an endpoint, newest first: all pages."""
        return each_item(lambda cursor: self.list_webhook_deliveries(id, status=status, type=type, subject=subject, pageSize=pageSize, cursor=cursor), "deliveries")

    def get_webhook_delivery(
        self,
        id: str,
        deliveryId: str,
    ) -> Delivery:
        """An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`."""
        return self.request("GET", f"/api/v1/webhook/endpoints/{path_value(id)}/deliveries/{path_value(deliveryId)}")

    def redeliver_webhook(
        self,
        id: str,
        deliveryId: str,
    ) -> Delivery:
        """With the same webhook-id, also when it was delivered. 409: the endpoint is disabled. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`."""
        return self.request("POST", f"/api/v1/webhook/endpoints/{path_value(id)}/deliveries/{path_value(deliveryId)}/redeliver")

    def list_teams(
        self,
    ) -> ListTeamsResult:
        """An API key needs the scope `read`."""
        return self.request("GET", "/api/v1/teams")

    def create_team(
        self,
        body: CreateTeamBody,
        *,
        idempotency_key: str | None = None,
    ) -> Team:
        """You are its owner. It has a balance of its own, and no credits. 409: you own 20 teams, which is the most. An API key needs the scope `account`."""
        return self.request("POST", "/api/v1/team", body, headers={"idempotency-key": idempotency_key or new_idempotency_key()})

    def get_team(
        self,
    ) -> TeamDetail:
        """An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`."""
        return self.request("GET", "/api/v1/team")

    def change_team(
        self,
        body: ChangeTeamBody,
    ) -> ChangeTeamResult:
        """What is left out stays. An owner who has a second factor requires one of all: from then on a member without is refused within a second (403, `details.reason` is second_factor_missing), and with the member the own API keys and connected programs. API keys of the team go on. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`."""
        return self.request("PATCH", "/api/v1/team", body)

    def delete_team(
        self,
        body: Confirmation,
    ) -> Deleted:
        """As DELETE /api/v1/account deletes a user: keys and memberships go at once, films, images and prompts within minutes; a video that a provider has runs to its end first. Its credits are lost, and this cannot be undone. 400: the password is wrong. 403: also while an administrator impersonates the owner. 409: a subscription of it still renews, or it owes credits of payments that were returned (`details.owed`), and `owed` does not say so. Those owe them then who have paid and moved the credits. An API key needs the scope `account`. For a team (X-Team) it needs the role `owner`."""
        return self.request("DELETE", "/api/v1/team", body)

    def export_team(
        self,
        *,
        team: Union[str, None] = None,
    ) -> bytes:
        """As GET /api/v1/account/export: account.json has the team, its members, invitations and names of keys. Of a film and a row of the history it says by which member or key. 429: an export of the team is running already. An API key needs the scope `account`. For a team (X-Team) it needs the role `owner`."""
        return self.request("GET", "/api/v1/team/export", query={"team": team})

    def list_team_members(
        self,
    ) -> ListTeamMembersResult:
        """An API key needs the scope `read`. For a team (X-Team) it needs the role `viewer`."""
        return self.request("GET", "/api/v1/team/members")

    def change_team_member(
        self,
        id: str,
        body: ChangeTeamMemberBody,
    ) -> ChangeTeamMemberResult:
        """What is left out stays. A role counts within a second; what the member has given and the new role could not give (open invitations, keys, endpoints) ends with the former one, except takeOver. 403: only owners change owners, make them, and set the own budget; also while an administrator impersonates the user. 409: the last owner keeps the role; takeOver has what this member has not made. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`."""
        return self.request("PATCH", f"/api/v1/team/members/{path_value(id)}", body)

    def remove_team_member(
        self,
        id: str,
        body: Union[Union[RemoveTeamMemberBody, None], None] = None,
    ) -> RemoveTeamMemberResult:
        """Access ends within a second, and with it what the member has given: open invitations, keys with their browser tokens, and endpoints, except takeOver. The films stay with the team. 403: you are neither an admin nor this member; only owners remove owners; also while an administrator impersonates the user. 409: the last owner cannot leave; takeOver has what this member has not made. For a team (X-Team) it needs the role `viewer`."""
        return self.request("DELETE", f"/api/v1/team/members/{path_value(id)}", body)

    def get_movable_credits(
        self,
    ) -> GetMovableCreditsResult:
        """The welcome gift cannot be moved, nor credits of a payment that is being returned; while you owe credits, none can. 403: also for an API key of the team, which has no credits of its own. For a team (X-Team) it needs the role `viewer`."""
        return self.request("GET", "/api/v1/team/credits")

    def move_credits(
        self,
        body: MoveCreditsBody,
        *,
        idempotency_key: str | None = None,
    ) -> MoveCreditsResult:
        """Any member may; no operation moves them back. Those that expire first go first, and keep their expiry. When their payment is returned, the team loses its part of them. Both histories have a row, whose source is transfer:<id>:<the id of the team, or yours>. 403: also for an API key of the team, and while an administrator impersonates you. 409: so many cannot be moved (`details.available` can), you owe credits (`details.owed`), or the service keeps you and the team in different databases. For a team (X-Team) it needs the role `viewer`."""
        return self.request("POST", "/api/v1/team/credits", body, headers={"idempotency-key": idempotency_key or new_idempotency_key()})

    def invite_team_member(
        self,
        body: InviteTeamMemberBody,
    ) -> CreatedTeamInvitation:
        """By mail, for seven days; an earlier invitation of the address stops working. It ends when you may not invite to this role any more. 403: only owners invite owners; also where mail is set up and your address is not verified (`details.reason` email_not_verified), and while an administrator impersonates the user. 409: the address is of a member already, or the team is full. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`."""
        return self.request("POST", "/api/v1/team/invitations", body)

    def list_team_invitations(
        self,
    ) -> ListTeamInvitationsResult:
        """An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`."""
        return self.request("GET", "/api/v1/team/invitations")

    def revoke_team_invitation(
        self,
        id: str,
    ) -> RevokeTeamInvitationResult:
        """An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`."""
        return self.request("DELETE", f"/api/v1/team/invitations/{path_value(id)}")

    def open_team_invitation(
        self,
        body: OpenTeamInvitationBody,
    ) -> OpenTeamInvitationResult:
        """Takes the token of the link, and changes nothing. 403: mail is set up, this is not the link of the mail, and your address is not verified (`details.reason` email_not_verified). 404: it was accepted, revoked or replaced, has ended, or is for another e-mail address. An API key needs the scope `account`."""
        return self.request("POST", "/api/v1/team/invitations/open", body)

    def accept_team_invitation(
        self,
        body: AcceptTeamInvitationBody,
    ) -> AcceptTeamInvitationResult:
        """Takes the token of the link. 403: mail is set up, this is not the link of the mail, and your address is not verified (`details.reason` email_not_verified). 404: it was accepted, revoked or replaced, has ended, or is for another e-mail address. An API key needs the scope `account`."""
        return self.request("POST", "/api/v1/team/invitations/accept", body)

    def create_team_key(
        self,
        body: CreateTeamKeyBody,
    ) -> CreatedTeamKey:
        """Needs a session: a stolen one of long ago does not do it, so the sign-in is at most 10 minutes old, or the password is in the body. The key ends when its maker leaves or loses the role, unless an owner takes it over. 403: also while an administrator impersonates the user. 409: the team has 100 keys, which is the most. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`."""
        return self.request("POST", "/api/v1/team/keys", body)

    def list_team_keys(
        self,
    ) -> ListTeamKeysResult:
        """An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`."""
        return self.request("GET", "/api/v1/team/keys")

    def delete_team_key(
        self,
        id: str,
    ) -> DeleteTeamKeyResult:
        """It stops working within a second, and its browser tokens with it. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`."""
        return self.request("DELETE", f"/api/v1/team/keys/{path_value(id)}")

    def list_team_given(
        self,
        id: str,
        *,
        role: Union[Literal["viewer", "maker", "admin", "owner"], None] = None,
    ) -> ListTeamGivenResult:
        """Open invitations, keys, connected programs and webhook endpoints that end when the member is removed or leaves, or gets the role of the query. 403: you are neither an admin nor this member. For a team (X-Team) it needs the role `viewer`."""
        return self.request("GET", f"/api/v1/team/members/{path_value(id)}/given", query={"role": role})

    def take_over_team_given(
        self,
        body: TakeOverTeamGivenBody,
    ) -> TakeOverTeamGivenResult:
        """You answer for them from now on, so they do not end with their former maker, and a suspension ends. Who knows the text of a key can still use it. 403: also while an administrator impersonates the user. 404: one of them has ended; nothing is taken over. An API key needs the scope `account`. For a team (X-Team) it needs the role `owner`."""
        return self.request("POST", "/api/v1/team/take-over", body)

    def list_team_programs(
        self,
    ) -> ListTeamProgramsResult:
        """By OAuth, newest first. Each acts for the team as the member who connected it, and within its budget. An API key needs the scope `account`. For a team (X-Team) it needs the role `owner`."""
        return self.request("GET", "/api/v1/team/programs")

    def disconnect_team_program(
        self,
        id: str,
    ) -> DisconnectTeamProgramResult:
        """Its tokens stop working within a second. The member may connect it again. 404: it has ended. An API key needs the scope `account`. For a team (X-Team) it needs the role `owner`."""
        return self.request("DELETE", f"/api/v1/team/programs/{path_value(id)}")

    def list_team_log(
        self,
        *,
        cursor: Union[str, None] = None,
        pageSize: Union[int, None] = None,
    ) -> ListTeamLogResult:
        """Invitations, members, roles, budgets, API keys, webhook endpoints, deleted folders, purchases, moved credits, and what those who run the service did. It is kept as long as the team; an invited address goes with its account. An API key needs the scope `account`. For a team (X-Team) it needs the role `owner`."""
        return self.request("GET", "/api/v1/team/log", query={"cursor": cursor, "pageSize": pageSize})

    def iter_team_log(
        self,
        *,
        pageSize: Union[int, None] = None,
    ) -> Iterator[TeamLogEntry]:
        """What was done to a team, newest first: all pages."""
        return each_item(lambda cursor: self.list_team_log(pageSize=pageSize, cursor=cursor), "entries")

    def download_team_log(
        self,
        *,
        team: Union[str, None] = None,
    ) -> bytes:
        """All are in GET /api/v1/team/export. An API key needs the scope `account`. For a team (X-Team) it needs the role `owner`."""
        return self.request("GET", "/api/v1/team/log.csv", query={"team": team})

    def export_account(
        self,
    ) -> bytes:
        """A ZIP, streamed: account.json (profile, sessions, names of keys, subscriptions, balance, packages), history.json, payments.json, payment-events.json, webhooks.json, webhook-deliveries.json, mails.json, audit.json, assets.json, folders.json, publications.json, reports.json, takedowns.json and videos.json with prompts, and the films, thumbnails and assets that they name. A download that breaks off starts again from the beginning. 429: an export of yours is running already. An API key needs the scope `account`."""
        return self.request("GET", "/api/v1/account/export")

    def delete_account(
        self,
        body: Confirmation,
    ) -> DeletedAccount:
        """Sessions, keys, e-mail address and name go at once, and links to films stop working. Films, start images, prompts and the bodies of payment events are erased within minutes; a video that a provider has runs to its end first. The books keep your user id as a pseudonym. Credentials stop working within a second. This cannot be undone. 400: the password is wrong. 403: an administrator impersonates the user. 409: a subscription still renews or a payment of it may still come (its first one is open, for a day; it is expired and the processor retries the payment), or you are the last administrator, or the last owner of a team (`details.teams`), or you owe credits of payments that were returned (`details.owed`), and `owed` does not say so. An API key needs the scope `account`."""
        return self.request("DELETE", "/api/v1/account", body)

    def export_subject(
        self,
        subject: str,
    ) -> bytes:
        """A ZIP, streamed: videos.json with prompts and metadata, assets.json, and the films, thumbnails and assets that they name. It is empty of both for a subject that is not known. 429: an export of yours is running already. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`."""
        return self.request("GET", f"/api/v1/subject/{path_value(subject)}/export")

    def erase_subject(
        self,
        subject: str,
    ) -> SubjectErasure:
        """Its tokens end, its films disappear, and prompts, films, images, metadata, logs and webhook deliveries are erased; the subject too. A video that a provider has runs to its end first. The books keep what it cost. What is left is erased within minutes; repeat the request to see it. This cannot be undone. An API key needs the scope `account`. For a team (X-Team) it needs the role `admin`."""
        return self.request("DELETE", f"/api/v1/subject/{path_value(subject)}")

    def get_notices(
        self,
    ) -> NoticeSettings:
        """They are sent to a verified address only. An API key needs the scope `account`."""
        return self.request("GET", "/api/v1/account/notices")

    def set_notices(
        self,
        body: SetNoticesBody,
    ) -> NoticeSettings:
        """Those that the body leaves out stay as they are. Mail about the sign-in cannot be switched off. An API key needs the scope `account`."""
        return self.request("PUT", "/api/v1/account/notices", body)

    def get_key(
        self,
    ) -> Union[OwnApiKey, OwnToken]:
        """Of a key its scopes, its budget and what it has used; of a token its subject, its scopes and what is left; with any scope. 404: the request has a session. For a team (X-Team) it needs the role `viewer`."""
        return self.request("GET", "/api/v1/key")

    def create_token(
        self,
        body: TokenRequest,
        *,
        idempotency_key: str | None = None,
    ) -> BrowserToken:
        """A page may hold it, as it may never hold a key: it lasts ten minutes at most, spends a budget of its own once, ends with the key, and makes, reads, cancels and deletes the films of its subject alone. Send it as the key is sent; CORS_ORIGINS says which sites may. 403: the key lacks a scope, or the request has a token. 404: it has a session. For a team (X-Team) it needs the role `viewer`."""
        return self.request("POST", "/api/v1/key/token", body, headers={"idempotency-key": idempotency_key or new_idempotency_key()})

    def get_limits(
        self,
    ) -> Limits:
        """Reading it counts as a request of `user`, and of no other rate. The headers RateLimit-Policy and RateLimit have the rates, the videos in progress (`qu="concurrent-requests"`) and the budgets (`qu="credits"`) too. For a team (X-Team) it needs the role `viewer`."""
        return self.request("GET", "/api/v1/limits")

    def unsubscribe(
        self,
        *,
        token: str,
    ) -> UnsubscribeResult:
        """For mail programs (List-Unsubscribe-Post, RFC 8058) and the page of the link; needs no sign-in. The body is not read. 400: the token is not ours."""
        return self.request("POST", "/api/v1/account/notices/unsubscribe", query={"token": token})

    def receive_callback(
        self,
        provider: str,
        *,
        ref: Union[str, None] = None,
        sig: Union[str, None] = None,
        x_callback_secret: Union[str, None] = None,
    ) -> ReceiveCallbackResult:
        """Authenticated by the signed reference in the callback URL that was submitted with the task, or by the header X-Callback-Secret. The body has the provider’s own format."""
        return self.request("POST", f"/api/v1/video/callback/{path_value(provider)}", query={"ref": ref, "sig": sig}, headers={"x-callback-secret": x_callback_secret})

    def verify_provenance(
        self,
        body: VerifyProvenanceBody,
    ) -> ProvenanceVerification:
        """Needs no credential, and says nothing about the owner. A film or poster is known by its bytes, also after it was deleted; one that was changed, or is not signed yet, is not known."""
        return self.request("POST", "/api/v1/provenance/verify", body)
