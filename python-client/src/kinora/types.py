"""The types of requests and responses."""
# Generated from openapi.json by `npm run openapi`. Do not edit: change the routes.
from __future__ import annotations

from typing import Any, Dict, List, Literal, TypedDict, Union


class Asset(TypedDict):
    id: str
    kind: AssetKind
    name: Union[str, None]
    url: str
    urlExpiresAt: str
    contentType: str
    width: Union[float, None]
    height: Union[float, None]
    durationS: Union[float, None]
    hasSound: Union[bool, None]
    sizeBytes: int
    madeBy: Union[str, None]
    subject: Union[str, None]
    createdAt: str


class _LinkedAsset(TypedDict):
    url: str


class LinkedAsset(_LinkedAsset, total=False):
    name: Union[str, None]


class ListAssetsResult(TypedDict):
    assets: List[Asset]
    pageSize: int
    nextCursor: Union[str, None]


class ChangeAssetBody(TypedDict, total=False):
    name: Union[str, None]
    kind: Literal["image", "film", "sound"]


class Deleted(TypedDict):
    id: str
    deleted: Literal[True]


class _GeneratedVideo(TypedDict):
    uuid: str
    status: Literal["PENDING"]
    model: str
    creditsUsed: int
    createdAt: str


class GeneratedVideo(_GeneratedVideo, total=False):
    videos: List[GeneratedVideoVideosItem]


class GeneratedVideoVideosItem(TypedDict):
    uuid: str
    status: Literal["PENDING"]
    model: str
    creditsUsed: int
    createdAt: str


class _GenerateRequest(TypedDict):
    prompt: str
    model: str
    duration: float


class GenerateRequest(_GenerateRequest, total=False):
    aspectRatio: Union[str, None]
    quality: Union[str, None]
    seed: Union[int, None]
    negativePrompt: Union[str, None]
    audio: Union[bool, None]
    options: Union[Dict[str, Union[str, float, bool]], None]
    mode: Union[str, None]
    startImageUrl: Union[str, None]
    endImageUrl: Union[str, None]
    referenceImageUrls: Union[List[str], None]
    extendFrom: Union[str, None]
    n: Union[int, None]
    metadata: Union[Dict[str, str], None]
    shot: Union[ShotOfProject, None]
    webhookUrl: Union[str, None]


class ShotOfProject(TypedDict):
    """The shot of which the film is a take: its chosen one, unless it has one that has not failed"""
    project: str
    shot: str


class _InputsRequest(TypedDict):
    model: str
    duration: Union[float, None]
    inputs: List[SentInput]


class InputsRequest(_InputsRequest, total=False):
    prompt: Union[str, None]
    aspectRatio: Union[str, None]
    quality: Union[str, None]
    seed: Union[int, None]
    negativePrompt: Union[str, None]
    audio: Union[bool, None]
    options: Union[Dict[str, Union[str, float, bool]], None]
    mode: Union[str, None]
    startImageUrl: Union[str, None]
    endImageUrl: Union[str, None]
    referenceImageUrls: Union[List[str], None]
    extendFrom: Union[str, None]
    n: Union[int, None]
    metadata: Union[Dict[str, str], None]
    shot: Union[ShotOfProject, None]
    webhookUrl: Union[str, None]


class _SentInput(TypedDict):
    role: InputRole


class SentInput(_SentInput, total=False):
    """Exactly one of asset, video and url"""
    asset: Union[str, None]
    video: Union[str, None]
    url: Union[str, None]
    kind: Union[Literal["image", "film", "sound"], None]
    at: Union[float, None]


class _UpscaleRequest(TypedDict):
    model: str
    upscaleFrom: str


class UpscaleRequest(_UpscaleRequest, total=False):
    quality: Union[str, None]
    seed: Union[int, None]
    negativePrompt: Union[str, None]
    audio: Union[bool, None]
    mode: Union[str, None]
    options: Union[Dict[str, Union[str, float, bool]], None]
    metadata: Union[Dict[str, str], None]
    shot: Union[ShotOfProject, None]
    webhookUrl: Union[str, None]


class Quote(TypedDict):
    credits: int
    ceiling: bool
    available: int
    affordable: bool
    mode: str
    provider: str
    estimatedSeconds: int


class _QuoteRequest(TypedDict):
    model: str
    duration: float


class QuoteRequest(_QuoteRequest, total=False):
    prompt: Union[str, None]
    aspectRatio: Union[str, None]
    quality: Union[str, None]
    seed: Union[int, None]
    negativePrompt: Union[str, None]
    audio: Union[bool, None]
    options: Union[Dict[str, Union[str, float, bool]], None]
    mode: Union[str, None]
    startImageUrl: Union[str, None]
    endImageUrl: Union[str, None]
    referenceImageUrls: Union[List[str], None]
    extendFrom: Union[str, None]
    n: Union[int, None]
    metadata: Union[Dict[str, str], None]
    shot: Union[ShotOfProject, None]
    webhookUrl: Union[str, None]


class ListVideosResult(TypedDict):
    videos: List[ListedVideo]
    makers: Makers
    total: int
    page: int
    pageSize: int
    nextCursor: Union[str, None]


class ListedVideo(TypedDict):
    uuid: str
    prompt: str
    model: str
    status: VideoStatus
    videoUrl: Union[str, None]
    thumbnailUrl: Union[str, None]
    duration: float
    aspectRatio: str
    creditsUsed: int
    createdAt: str
    completedAt: Union[str, None]
    seed: Union[int, None]
    mode: str
    extendedFrom: Union[str, None]
    upscaledFrom: Union[str, None]
    batchId: Union[str, None]
    favourite: bool
    folderId: Union[str, None]
    waiting: bool
    usedIn: Union[str, None]
    madeBy: Union[str, None]
    subject: Union[str, None]
    metadata: Union[Dict[str, str], None]
    failure: Union[VideoFailure, None]
    isPublished: bool


class VideoFailure(TypedDict):
    code: Literal["CONTENT_REFUSED", "PARAMETERS_REFUSED", "INPUT_REFUSED", "PROVIDER_ERROR", "PROVIDER_BUSY", "ACCOUNT", "TIMED_OUT", "CANCELLED", "LOST", "NOT_ACCEPTED", "FILM_UNUSABLE", "FILM_UNREACHABLE", "NOT_AS_ORDERED", "NOT_STORED"]
    message: str
    retryable: bool


class Maker(TypedDict):
    id: str
    name: Union[str, None]
    kind: Literal["member", "key", "program"]


class TaskStatus(TypedDict):
    uuid: str
    status: VideoStatus
    progress: int
    estimatedSeconds: Union[int, None]
    queuePosition: Union[int, None]
    error: Union[str, None]
    failure: Union[VideoFailure, None]


class Video(TypedDict):
    uuid: str
    prompt: str
    model: str
    status: VideoStatus
    videoUrl: Union[str, None]
    thumbnailUrl: Union[str, None]
    duration: float
    aspectRatio: str
    creditsUsed: int
    createdAt: str
    completedAt: Union[str, None]
    seed: Union[int, None]
    mode: str
    extendedFrom: Union[str, None]
    upscaledFrom: Union[str, None]
    batchId: Union[str, None]
    favourite: bool
    folderId: Union[str, None]
    waiting: bool
    usedIn: Union[str, None]
    madeBy: Union[str, None]
    subject: Union[str, None]
    metadata: Union[Dict[str, str], None]
    failure: Union[VideoFailure, None]
    isPublished: bool
    provenance: Union[VideoProvenance, None]
    provider: str
    startImageUrl: Union[str, None]
    endImageUrl: Union[str, None]
    referenceImageUrls: Union[List[str], None]
    inputs: Union[List[VideoInput], None]
    negativePrompt: Union[str, None]
    audio: Union[bool, None]
    options: Union[Dict[str, Union[str, float, bool]], None]
    resolution: str
    fileSize: Union[float, None]
    generationTime: Union[float, None]
    error: Union[str, None]


class _VideoProvenance(TypedDict):
    signed: bool
    signer: Union[str, None]
    label: Union[Literal["AIGC"], None]


class VideoProvenance(_VideoProvenance, total=False):
    manifestUrl: Union[str, None]


class VideoInput(TypedDict):
    role: Literal["start", "end", "keyframe", "reference", "film", "motion", "sound", "portrait"]
    kind: Literal["image", "film", "sound"]
    asset: Union[str, None]
    video: Union[str, None]
    url: Union[str, None]
    at: Union[float, None]


class DeleteVideoResult(TypedDict):
    uuid: str
    deleted: Literal[True]


class CancelledVideo(TypedDict):
    uuid: str
    status: VideoStatus
    progress: int
    estimatedSeconds: Union[int, None]
    queuePosition: Union[int, None]
    error: Union[str, None]
    failure: Union[VideoFailure, None]
    message: str


class BulkOutcome(TypedDict):
    uuids: List[str]
    notFound: List[str]


class _ArrangeVideosBody(TypedDict):
    uuids: List[str]


class ArrangeVideosBody(_ArrangeVideosBody, total=False):
    favourite: Union[bool, None]
    folderId: Union[str, None]


class DeleteVideosBody(TypedDict):
    uuids: List[str]


class ListVideoFoldersResult(TypedDict):
    folders: List[VideoFolder]


class VideoFolder(TypedDict):
    id: str
    name: str
    videos: int
    madeBy: str
    createdAt: str


class CreateVideoFolderBody(TypedDict):
    name: str


class RenameVideoFolderBody(TypedDict):
    name: str


class GetShareResult(TypedDict):
    share: Union[Share, None]


class Share(TypedDict):
    url: str
    showsPrompt: bool
    allowsDownload: bool
    administratorId: Union[str, None]
    createdAt: str


class ShareVideoResult(TypedDict):
    share: Share


class ShareVideoBody(TypedDict, total=False):
    showsPrompt: bool
    allowsDownload: bool


class RevokeShareResult(TypedDict):
    share: None


class SharedVideo(TypedDict):
    prompt: Union[str, None]
    model: str
    sha256: Union[str, None]
    duration: float
    aspectRatio: str
    completedAt: Union[str, None]
    allowsDownload: bool
    videoUrl: str
    thumbnailUrl: str


class GetPublicationResult(TypedDict):
    publication: Union[Publication, None]


class Publication(TypedDict):
    id: Union[str, None]
    showsName: bool
    publishedAt: Union[str, None]
    administratorId: Union[str, None]
    removedAt: Union[str, None]
    removalReason: Union[str, None]


class PublishVideoResult(TypedDict):
    publication: Publication


class PublishVideoBody(TypedDict, total=False):
    showsName: bool


class UnpublishVideoResult(TypedDict):
    publication: Union[Publication, None]


class ListPublishedFilmsResult(TypedDict):
    films: List[PublishedFilm]
    pageSize: int
    nextCursor: Union[str, None]


class PublishedFilm(TypedDict):
    id: str
    prompt: str
    model: str
    sha256: Union[str, None]
    duration: float
    aspectRatio: str
    completedAt: Union[str, None]
    seed: Union[int, None]
    negativePrompt: Union[str, None]
    audio: Union[bool, None]
    options: Union[Dict[str, Union[str, float, bool]], None]
    mode: str
    resolution: str
    maker: Union[str, None]
    publishedAt: str
    videoUrl: str
    thumbnailUrl: str


class ReportPublishedFilmResult(TypedDict):
    reported: Literal[True]


class _ReportPublishedFilmBody(TypedDict):
    reason: Literal["sexual", "violence", "hate", "person", "copyright", "spam", "other"]


class ReportPublishedFilmBody(_ReportPublishedFilmBody, total=False):
    note: Union[str, None]


class GetTakedownResult(TypedDict):
    takedown: Union[StatementOfReasons, None]
    objectionUrl: Union[str, None]


class StatementOfReasons(TypedDict):
    id: str
    uuid: str
    state: Literal["hidden", "removed", "lifted"]
    ground: Literal["law", "terms"]
    rule: str
    source: Literal["notice", "own"]
    isAutomated: bool
    reason: str
    decidedAt: str
    objection: Union[str, None]
    objectedAt: Union[str, None]
    answer: Union[str, None]
    answeredAt: Union[str, None]
    objectsUntil: Union[str, None]


class ObjectToTakedownBody(TypedDict):
    objection: str


class UploadedImage(TypedDict):
    url: str
    width: int
    height: int
    sizeBytes: int
    contentType: Literal["image/png", "image/jpeg"]
    expiresAt: str


class Consent(TypedDict):
    text: Union[str, None]
    version: Union[str, None]
    givenAt: Union[str, None]


class GiveConsentBody(TypedDict):
    version: str


class RenderedProject(TypedDict):
    uuid: str
    creditsUsed: int


class ListProjectsResult(TypedDict):
    projects: List[ListedProject]
    pageSize: int
    nextCursor: Union[str, None]


class ListedProject(TypedDict):
    id: str
    name: str
    aspectRatio: Literal["16:9", "9:16", "1:1"]
    fit: Literal["fit", "crop"]
    sound: Union[ProjectSound, None]
    version: int
    madeBy: str
    changedBy: str
    createdAt: str
    updatedAt: str
    cutId: Union[str, None]
    shots: int
    thumbnailUrl: Union[str, None]


class ProjectSound(TypedDict):
    """Begins with the film, beside the takes’ own"""
    asset: str
    volume: float
    fadeInS: float
    fadeOutS: float


class Project(TypedDict):
    id: str
    name: str
    aspectRatio: Literal["16:9", "9:16", "1:1"]
    fit: Literal["fit", "crop"]
    sound: Union[ProjectSound, None]
    version: int
    madeBy: str
    changedBy: str
    createdAt: str
    updatedAt: str
    cutId: Union[str, None]
    shots: List[Shot]
    makers: Makers


class Shot(TypedDict):
    id: str
    settings: ShotSettings
    notes: str
    takeId: Union[str, None]
    takeDeleted: bool
    inMs: Union[int, None]
    outMs: Union[int, None]
    version: int
    changedBy: str
    changedAt: str
    takes: List[ListedVideo]


class ShotSettings(TypedDict, total=False):
    """The fields of a generate request, as far as they are decided: they are checked when it is generated"""
    duration: float
    aspectRatio: str
    quality: str
    seed: int
    negativePrompt: str
    audio: bool
    options: Dict[str, Union[str, float, bool]]
    mode: str
    startImageUrl: str
    endImageUrl: str
    referenceImageUrls: List[str]
    extendFrom: str
    upscaleFrom: str
    model: str
    prompt: str
    inputs: List[Input]


class _Input(TypedDict):
    role: InputRole


class Input(_Input, total=False):
    """Exactly one of asset, video and url"""
    asset: str
    video: str
    url: str
    kind: Literal["image", "film", "sound"]
    at: float


class _MakeProjectBody(TypedDict):
    name: str


class MakeProjectBody(_MakeProjectBody, total=False):
    aspectRatio: Union[Literal["16:9", "9:16", "1:1"], None]
    fit: Union[Literal["fit", "crop"], None]
    sound: Union[ProjectSound, None]
    shots: Union[List[ShotDraft], None]


class _ShotDraft(TypedDict):
    settings: SentShotSettings


class ShotDraft(_ShotDraft, total=False):
    notes: Union[str, None]


class SentShotSettings(TypedDict, total=False):
    """The fields of a generate request, as far as they are decided: they are checked when it is generated"""
    duration: Union[float, None]
    aspectRatio: Union[str, None]
    quality: Union[str, None]
    seed: Union[int, None]
    negativePrompt: Union[str, None]
    audio: Union[bool, None]
    options: Union[Dict[str, Union[str, float, bool]], None]
    mode: Union[str, None]
    startImageUrl: Union[str, None]
    endImageUrl: Union[str, None]
    referenceImageUrls: Union[List[str], None]
    extendFrom: Union[str, None]
    upscaleFrom: Union[str, None]
    model: Union[str, None]
    prompt: Union[str, None]
    inputs: Union[List[SentInput], None]


class _ChangeProjectBody(TypedDict):
    version: int


class ChangeProjectBody(_ChangeProjectBody, total=False):
    name: str
    aspectRatio: Literal["16:9", "9:16", "1:1"]
    fit: Literal["fit", "crop"]
    sound: Union[ProjectSound, None]
    shots: List[str]


class _ChangeShotBody(TypedDict):
    version: int


class ChangeShotBody(_ChangeShotBody, total=False):
    settings: ShotSettings
    notes: str
    takeId: Union[str, None]
    inMs: Union[int, None]
    outMs: Union[int, None]


class ProjectQuote(TypedDict):
    credits: int
    ceiling: bool
    available: int
    affordable: bool
    shots: List[ProjectQuoteShotsItem]
    render: QuotedRender


class ProjectQuoteShotsItem(TypedDict):
    shot: str
    credits: Union[int, None]
    ceiling: bool
    estimatedSeconds: Union[int, None]
    refusal: Union[ShotRefusal, None]


class ShotRefusal(TypedDict):
    code: str
    message: str


class QuotedRender(TypedDict):
    """Of the takes that are chosen now"""
    seconds: Union[int, None]
    credits: Union[int, None]
    refusal: Union[RenderRefusal, None]


class RenderRefusal(TypedDict):
    code: str
    message: str


class QuoteProjectBody(TypedDict, total=False):
    shots: Union[List[str], None]


class GeneratedShots(TypedDict):
    creditsUsed: int
    videos: List[GeneratedShotsVideosItem]


class GeneratedShotsVideosItem(TypedDict):
    uuid: str
    shot: Union[str, None]
    model: str
    creditsUsed: int
    waiting: bool
    createdAt: str


class GenerateProjectBody(TypedDict, total=False):
    shots: Union[List[str], None]
    credits: Union[int, None]


class ImprovePromptResult(TypedDict):
    prompt: str


class _ImprovePromptBody(TypedDict):
    prompt: str


class ImprovePromptBody(_ImprovePromptBody, total=False):
    model: Union[str, None]


class ProposeShotsResult(TypedDict):
    shots: List[ProposedShot]


class ProposedShot(TypedDict):
    prompt: str
    seconds: Union[float, None]


class _ProposeShotsBody(TypedDict):
    script: str


class ProposeShotsBody(_ProposeShotsBody, total=False):
    shots: Union[int, None]
    seconds: Union[int, None]


class AddedShots(TypedDict):
    shots: List[ShotDraft]


class _ShotsFromText(TypedDict):
    text: str


class ShotsFromText(_ShotsFromText, total=False):
    settings: Union[SentShotSettings, None]


class _ShotsFromCsv(TypedDict):
    csv: str


class ShotsFromCsv(_ShotsFromCsv, total=False):
    settings: Union[SentShotSettings, None]


class Balance(TypedDict):
    """total = available + frozen + used + expired + clawedBack"""
    available: int
    frozen: int
    used: int
    total: int
    expiringSoon: int
    expired: int
    clawedBack: int
    owed: int


class ListPackagesResult(TypedDict):
    packages: List[CreditPackage]
    total: int
    pageSize: int
    nextCursor: Union[str, None]


class CreditPackage(TypedDict):
    id: str
    transType: str
    initial: int
    remaining: int
    frozen: int
    orderNo: Union[str, None]
    source: str
    expiresAt: str
    createdAt: str


class CreditHistory(TypedDict):
    transactions: List[CreditTransaction]
    makers: Makers
    total: int
    page: int
    pageSize: int
    nextCursor: Union[str, None]


class CreditTransaction(TypedDict):
    id: str
    transNo: str
    transType: TransType
    credits: int
    balanceAfter: int
    videoUuid: Union[str, None]
    prompt: Union[str, None]
    orderNo: Union[str, None]
    remark: Union[str, None]
    state: Union[str, None]
    madeBy: Union[str, None]
    createdAt: str
    n: int
    packageId: Union[str, None]
    source: Union[str, None]
    expiresAt: Union[str, None]
    graces: Union[List[CreditTransactionGracesItem], None]
    actorId: Union[str, None]
    hash: str


class CreditTransactionGracesItem(TypedDict):
    packageId: str
    credits: int
    expiresAt: str


class CreditAlert(TypedDict):
    below: Union[int, None]
    day: Union[int, None]
    week: Union[int, None]


class _SetCreditAlertBody(TypedDict):
    below: Union[int, None]


class SetCreditAlertBody(_SetCreditAlertBody, total=False):
    day: Union[int, None]
    week: Union[int, None]


class Gift(TypedDict):
    state: Literal["decided", "waiting", "address_used", "domain_denied", "network_limit"]
    credits: int
    message: Union[str, None]
    isSeen: bool


class RedeemCodeResult(TypedDict):
    credits: int
    expiryDate: str
    replayed: bool


class RedeemCodeBody(TypedDict):
    code: str


GetCreditUsageResult = TypedDict("GetCreditUsageResult", {
    "from": "str",
    "to": "str",
    "rows": "List[CreditUsage]",
    "makers": "Makers",
})


class CreditUsage(TypedDict):
    key: Union[str, None]
    credits: int
    videos: int


class AddCreditsResult(TypedDict):
    credits: int
    userId: str
    expiryDate: str


class _AddCreditsBody(TypedDict):
    credits: int


class AddCreditsBody(_AddCreditsBody, total=False):
    userId: Union[str, None]
    expiryDays: Union[int, None]
    remark: Union[str, None]


class PaymentPage(TypedDict):
    url: str


class _StartCheckoutBody(TypedDict):
    productId: str


class StartCheckoutBody(_StartCheckoutBody, total=False):
    processor: Union[PaymentProcessor, None]


class GetSubscriptionResult(TypedDict):
    subscription: Union[Subscription, None]


class Subscription(TypedDict):
    id: str
    userId: str
    processor: str
    externalId: str
    plan: Union[str, None]
    status: str
    currentPeriodStart: Union[str, None]
    currentPeriodEnd: Union[str, None]
    cancelAtPeriodEnd: bool
    cancelledAt: Union[str, None]
    isRetried: bool
    createdAt: str
    updatedAt: str


class ListInvoicesResult(TypedDict):
    invoices: List[PaymentDocument]


class PaymentDocument(TypedDict):
    id: str
    processor: PaymentProcessor
    number: Union[str, None]
    status: str
    amount: int
    currency: str
    createdAt: str
    url: Union[str, None]
    pdfUrl: Union[str, None]


class PreviewPlanChangeResult(TypedDict):
    preview: Union[PreviewPlanChangeResultPreview, None]


class PreviewPlanChangeResultPreview(TypedDict):
    amount: int
    credited: int
    currency: str
    at: str


class TopUp(TypedDict):
    processor: Union[PaymentProcessor, None]
    rule: Union[TopUpRule, None]
    last: Union[TopUpLast, None]
    cardUrl: Union[str, None]


class TopUpRule(TypedDict):
    productId: str
    below: int
    maxPerMonth: int
    paused: Union[str, None]


class TopUpLast(TypedDict):
    state: str
    productId: str
    url: Union[str, None]
    reason: Union[str, None]
    createdAt: str


class SetTopUpBody(TypedDict):
    productId: str
    below: int
    maxPerMonth: int


class ListModelsResult(TypedDict):
    models: List[Model]


class Model(TypedDict):
    id: str
    name: str
    provider: str
    modes: List[str]
    minDuration: int
    maxDuration: int
    resolutions: List[str]
    aspectRatios: List[str]
    pricing: Union[ModelPricing, None]
    enabled: bool
    description: Union[str, None]
    sample: List[str]
    sampleThumbnailUrl: Union[str, None]
    isSampleDrawn: bool
    prices: Union[ModelPrices, None]
    rules: List[ModelRulesItem]
    schema: ModelSchema
    usualSeconds: int


class ModelPricing(TypedDict):
    """null while the model has no price"""
    per: Literal["second", "clip"]
    credits: Dict[str, float]


class ModelPrices(TypedDict):
    """All prices, with what they depend on; `pricing` has those with the defaults of all options"""
    per: Literal["second", "clip"]
    dependsOn: List[str]
    list: List[ModelPricesListItem]
    lengths: Dict[str, ModelPricesLengthsValue]


class ModelPricesListItem(TypedDict):
    credits: float


ModelPricesLengthsValue = TypedDict("ModelPricesLengthsValue", {
    "follows": "Literal[\"film\", \"motion\", \"sound\", \"provider\"]",
    "from": "int",
    "to": "int",
})


class ModelRulesItem(TypedDict):
    pass


class ModelSchema(TypedDict):
    """JSON Schema of the body of generate; what it refuses, generate refuses"""


class ListPromptTemplatesResult(TypedDict):
    templates: List[PromptTemplate]


class PromptTemplate(TypedDict):
    """What is in braces is a placeholder: its words stand for those of the user"""
    title: PromptTemplateTitle
    prompt: PromptTemplatePrompt


class _PromptTemplateTitle(TypedDict):
    en: str


class PromptTemplateTitle(_PromptTemplateTitle, total=False):
    zh: str


class _PromptTemplatePrompt(TypedDict):
    en: str


class PromptTemplatePrompt(_PromptTemplatePrompt, total=False):
    zh: str


class SignInOptions(TypedDict):
    providers: List[SignInOptionsProvidersItem]
    link: bool
    signUp: Literal["open", "invite", "closed"]
    captcha: Union[SignInOptionsCaptcha, None]


class SignInOptionsProvidersItem(TypedDict):
    id: str
    name: str


class SignInOptionsCaptcha(TypedDict):
    """What sign-up/email asks for; null: nothing"""
    provider: Literal["cloudflare-turnstile", "google-recaptcha", "hcaptcha", "captchafox"]
    siteKey: str


class ListServiceNoticesResult(TypedDict):
    notices: List[ServiceNotice]


class ServiceNotice(TypedDict):
    id: str
    textEn: str
    textZh: str
    pauses: bool
    startsAt: str
    endsAt: str


class OpenInvitationResult(TypedDict):
    email: Union[str, None]
    credits: int
    replacesGift: bool
    expiresAt: str


class OpenInvitationBody(TypedDict):
    token: str


class ListPlansResult(TypedDict):
    products: List[Product]
    processors: List[PaymentProcessor]


class Product(TypedDict):
    id: str
    name: str
    kind: str
    credits: int
    period: Union[str, None]
    validDays: Union[int, None]
    price: ProductPrice


class ProductPrice(TypedDict):
    cents: int
    currency: str


class CreatedWebhookEndpoint(TypedDict):
    id: str
    url: str
    description: Union[str, None]
    events: WebhookEventTypes
    subject: Union[str, None]
    metadata: Dict[str, str]
    enabled: bool
    disabledReason: Union[Literal["owner", "gone", "failing"], None]
    disabledAt: Union[str, None]
    failingSince: Union[str, None]
    createdAt: str
    madeBy: Union[MadeBy, None]
    suspendedAt: Union[str, None]
    endsAt: Union[str, None]
    updatedAt: str
    secret: str


class MadeBy(TypedDict):
    id: str
    name: Union[str, None]


class _CreateWebhookEndpointBody(TypedDict):
    url: str


class CreateWebhookEndpointBody(_CreateWebhookEndpointBody, total=False):
    description: Union[str, None]
    events: Union[WebhookEventTypes, None]
    subject: Union[str, None]
    metadata: Union[Dict[str, str], None]


class ListWebhookEndpointsResult(TypedDict):
    endpoints: List[WebhookEndpoint]


class WebhookEndpoint(TypedDict):
    id: str
    url: str
    description: Union[str, None]
    events: WebhookEventTypes
    subject: Union[str, None]
    metadata: Dict[str, str]
    enabled: bool
    disabledReason: Union[Literal["owner", "gone", "failing"], None]
    disabledAt: Union[str, None]
    failingSince: Union[str, None]
    createdAt: str
    madeBy: Union[MadeBy, None]
    suspendedAt: Union[str, None]
    endsAt: Union[str, None]
    updatedAt: str


class UpdateWebhookEndpointBody(TypedDict, total=False):
    url: str
    description: str
    events: WebhookEventTypes
    metadata: Dict[str, str]
    enabled: bool


class WebhookSecret(TypedDict):
    secret: str
    previousUntil: str


class TestWebhookEndpointResult(TypedDict):
    deliveryId: str


class RecoverWebhookEndpointResult(TypedDict):
    deliveries: int


class RecoverWebhookEndpointBody(TypedDict):
    since: str


class ReplayWebhookEndpointResult(TypedDict):
    deliveries: int
    nextFrom: Union[str, None]


_ReplayWebhookEndpointBody = TypedDict("_ReplayWebhookEndpointBody", {
    "from": "str",
    "to": "str",
})


class ReplayWebhookEndpointBody(_ReplayWebhookEndpointBody, total=False):
    types: Union[List[WebhookEventType], None]


class ListWebhookDeliveriesResult(TypedDict):
    deliveries: List[ListedDelivery]
    pageSize: int
    nextCursor: Union[str, None]


class ListedDelivery(TypedDict):
    id: str
    type: str
    status: Literal["pending", "delivered", "failed"]
    attempts: int
    responseStatus: Union[int, None]
    error: Union[str, None]
    createdAt: str
    attemptedAt: Union[str, None]
    nextAttemptAt: Union[str, None]


class Delivery(TypedDict):
    id: str
    type: str
    status: Literal["pending", "delivered", "failed"]
    attempts: int
    responseStatus: Union[int, None]
    error: Union[str, None]
    createdAt: str
    attemptedAt: Union[str, None]
    nextAttemptAt: Union[str, None]
    request: DeliveryRequest
    response: Union[DeliveryResponse, None]


class DeliveryRequest(TypedDict):
    url: str
    headers: Dict[str, str]
    body: str


class DeliveryResponse(TypedDict):
    """Of the latest attempt; null without a response"""
    status: int
    body: str
    durationMs: int


class ListTeamsResult(TypedDict):
    teams: List[Team]


class Team(TypedDict):
    id: str
    name: str
    role: TeamRole
    members: int
    locked: bool
    secondFactorRequired: bool
    createdAt: str


class CreateTeamBody(TypedDict):
    name: str


class TeamDetail(TypedDict):
    id: str
    name: str
    role: TeamRole
    members: int
    locked: bool
    secondFactorRequired: bool
    createdAt: str
    budget: Union[MemberBudgetState, None]
    used: MemberUse
    balance: Balance


class MemberBudgetState(TypedDict):
    credits: int
    period: Literal["day", "week", "month"]
    used: int
    resetAt: str


class MemberUse(TypedDict):
    """Credits frozen or spent in the UTC day, the ISO week and the calendar month"""
    day: int
    week: int
    month: int


class ChangeTeamResult(TypedDict):
    id: str
    name: str
    members: int
    locked: bool
    secondFactorRequired: bool
    createdAt: str


class ChangeTeamBody(TypedDict, total=False):
    name: str
    secondFactorRequired: bool


class Confirmation(TypedDict, total=False):
    password: str
    owed: int


class ListTeamMembersResult(TypedDict):
    members: List[TeamMember]


class _TeamMember(TypedDict):
    userId: str
    name: str
    email: str
    role: TeamRole
    budget: Union[MemberBudgetState, None]
    used: MemberUse
    createdAt: str


class TeamMember(_TeamMember, total=False):
    hasSecondFactor: bool


class ChangeTeamMemberResult(TypedDict):
    userId: str


class ChangeTeamMemberBody(TypedDict, total=False):
    role: TeamRole
    budget: Union[KeyBudget, None]
    takeOver: GivenIds


class KeyBudget(TypedDict):
    """What the key may spend; without it as much as the account has"""
    credits: int
    period: Literal["day", "week", "month"]


class RemoveTeamMemberResult(TypedDict):
    userId: str
    removed: Literal[True]


class RemoveTeamMemberBody(TypedDict, total=False):
    takeOver: GivenIds


class GetMovableCreditsResult(TypedDict):
    movable: int
    owed: int


class MoveCreditsResult(TypedDict):
    id: str
    teamId: str
    credits: int
    packages: List[MoveCreditsResultPackagesItem]


class MoveCreditsResultPackagesItem(TypedDict):
    credits: int
    expiresAt: str


class MoveCreditsBody(TypedDict):
    credits: int


class CreatedTeamInvitation(TypedDict):
    id: str
    email: str
    role: TeamRole
    actorId: str
    inviter: Union[str, None]
    createdAt: str
    expiresAt: str
    link: str


class _InviteTeamMemberBody(TypedDict):
    email: str


class InviteTeamMemberBody(_InviteTeamMemberBody, total=False):
    role: Union[TeamRole, None]


class ListTeamInvitationsResult(TypedDict):
    invitations: List[TeamInvitation]


class TeamInvitation(TypedDict):
    id: str
    email: str
    role: TeamRole
    actorId: str
    inviter: Union[str, None]
    createdAt: str
    expiresAt: str


class RevokeTeamInvitationResult(TypedDict):
    id: str


class OpenTeamInvitationResult(TypedDict):
    team: str
    inviter: Union[str, None]
    role: TeamRole


class OpenTeamInvitationBody(TypedDict):
    token: str


class AcceptTeamInvitationResult(TypedDict):
    teamId: str


class AcceptTeamInvitationBody(TypedDict):
    token: str


class CreatedTeamKey(TypedDict):
    id: str
    name: str
    start: str
    enabled: bool
    test: bool
    scopes: List[Scope]
    budget: Union[KeyBudgetState, None]
    used: KeyUse
    lastRequest: Union[str, None]
    expiresAt: Union[str, None]
    createdAt: str
    madeBy: Union[MadeBy, None]
    suspendedAt: Union[str, None]
    endsAt: Union[str, None]
    key: str


class KeyBudgetState(TypedDict):
    credits: int
    period: Literal["day", "week", "month"]
    used: int
    resetAt: str


class KeyUse(TypedDict):
    """Credits frozen or spent in the UTC day, the ISO week and the calendar month; released ones are taken off"""
    day: int
    week: int
    month: int


class _CreateTeamKeyBody(TypedDict):
    name: str


class CreateTeamKeyBody(_CreateTeamKeyBody, total=False):
    expiresIn: Union[int, None]
    scopes: Union[List[Scope], None]
    budget: Union[KeyBudget, None]
    test: Union[bool, None]
    password: Union[str, None]


class ListTeamKeysResult(TypedDict):
    apiKeys: List[TeamKey]


class TeamKey(TypedDict):
    id: str
    name: str
    start: str
    enabled: bool
    test: bool
    scopes: List[Scope]
    budget: Union[KeyBudgetState, None]
    used: KeyUse
    lastRequest: Union[str, None]
    expiresAt: Union[str, None]
    createdAt: str
    madeBy: Union[MadeBy, None]
    suspendedAt: Union[str, None]
    endsAt: Union[str, None]


class DeleteTeamKeyResult(TypedDict):
    id: str


class ListTeamGivenResult(TypedDict):
    given: List[TeamGiven]


class TeamGiven(TypedDict):
    kind: Literal["invitation", "key", "endpoint", "program"]
    id: str
    name: str


class TakeOverTeamGivenResult(TypedDict):
    ids: GivenIds


class TakeOverTeamGivenBody(TypedDict):
    ids: GivenIds


class ListTeamProgramsResult(TypedDict):
    programs: List[TeamProgram]


class TeamProgram(TypedDict):
    id: str
    name: str
    scopes: List[Scope]
    budget: Union[KeyBudgetState, None]
    used: KeyUse
    connectedBy: TeamProgramConnectedBy
    createdAt: str


class TeamProgramConnectedBy(TypedDict):
    """The member for whom it acts, and who may do no less than it"""
    id: str
    name: str


class DisconnectTeamProgramResult(TypedDict):
    id: str


class ListTeamLogResult(TypedDict):
    entries: List[TeamLogEntry]
    nextCursor: Union[str, None]


class TeamLogEntry(TypedDict):
    id: str
    createdAt: str
    action: str
    by: Literal["member", "key", "operator", "service"]
    actorId: Union[str, None]
    actorName: Union[str, None]
    subject: Union[str, None]
    subjectName: Union[str, None]
    before: Union[Dict[str, Any], None]
    after: Union[Dict[str, Any], None]


class DeletedAccount(TypedDict):
    userId: str
    deleted: Literal[True]


class SubjectErasure(TypedDict):
    subject: str
    left: SubjectErasureLeft
    erased: bool


class SubjectErasureLeft(TypedDict):
    videos: int
    images: int


class NoticeSettings(TypedDict):
    isMailSetUp: bool
    notices: Notices


Notices = TypedDict("Notices", {
    "credit.low": "bool",
    "credit.expiring": "bool",
    "payment.failed": "bool",
    "payment.top-up": "bool",
    "credit.spent": "bool",
    "video.done": "bool",
    "webhook.disabled": "bool",
    "team.suspended": "bool",
    "service.notice": "bool",
})


SetNoticesBody = TypedDict("SetNoticesBody", {
    "credit.low": "bool",
    "credit.expiring": "bool",
    "payment.failed": "bool",
    "payment.top-up": "bool",
    "credit.spent": "bool",
    "video.done": "bool",
    "webhook.disabled": "bool",
    "team.suspended": "bool",
    "service.notice": "bool",
}, total=False)


class OwnApiKey(TypedDict):
    id: str
    name: str
    start: str
    test: bool
    scopes: List[Scope]
    budget: Union[KeyBudgetState, None]
    used: KeyUse
    expiresAt: Union[str, None]
    createdAt: str


class OwnToken(TypedDict):
    subject: str
    scopes: List[Literal["read", "generate"]]
    budget: int
    left: int
    expiresAt: str


class BrowserToken(TypedDict):
    token: str
    subject: str
    expiresAt: str


class TokenRequest(TypedDict, total=False):
    subject: Union[str, None]
    scopes: Union[List[Literal["read", "generate"]], None]
    budget: Union[int, None]
    seconds: Union[int, None]


class Limits(TypedDict):
    rates: List[LimitsRatesItem]
    inProgress: LimitsInProgress
    budgets: List[LimitsBudgetsItem]
    sizes: LimitsSizes


class LimitsRatesItem(TypedDict):
    name: str
    limit: int
    windowSeconds: int
    left: int
    resetAt: Union[str, None]


class LimitsInProgress(TypedDict):
    limit: Union[int, None]
    now: int


class LimitsBudgetsItem(TypedDict):
    of: Literal["token", "API key", "member", "program", "account"]
    credits: int
    left: int
    resetAt: Union[str, None]


class LimitsSizes(TypedDict):
    promptCharacters: int
    filmsPerRequest: int
    inputs: int
    bodyBytes: int
    imageBytes: int
    filmBytes: int
    soundBytes: int
    assetSeconds: int
    assetsBytes: int
    pieceBytes: int
    pageSize: int


class UnsubscribeResult(TypedDict):
    notice: Literal["credit.low", "credit.expiring", "payment.failed", "payment.top-up", "credit.spent", "video.done", "webhook.disabled", "team.suspended", "service.notice"]


class ReceiveCallbackResult(TypedDict):
    received: Literal[True]


class ProvenanceVerification(TypedDict):
    known: bool
    kind: Union[Literal["film", "poster"], None]
    model: Union[str, None]
    madeAt: Union[str, None]
    signed: Union[bool, None]
    signer: Union[str, None]
    ingredients: Union[List[ProvenanceVerificationIngredientsItem], None]


class ProvenanceVerificationIngredientsItem(TypedDict):
    relationship: Literal["parent", "input"]
    contentType: Union[str, None]
    madeHere: bool


class VerifyProvenanceBody(TypedDict):
    sha256: str


class _VideoCompletedEvent(TypedDict):
    type: Literal["video.completed"]
    timestamp: EventTime
    data: VideoEvent


class VideoCompletedEvent(_VideoCompletedEvent, total=False):
    test: Literal[True]


class VideoEvent(TypedDict):
    uuid: str
    model: str
    status: VideoStatus
    provenance: Union[VideoProvenance, None]
    duration: float
    aspectRatio: str
    creditsUsed: int
    createdAt: str
    completedAt: Union[str, None]
    seed: Union[int, None]
    mode: str
    extendedFrom: Union[str, None]
    upscaledFrom: Union[str, None]
    project: Union[str, None]
    batchId: Union[str, None]
    subject: Union[str, None]
    metadata: Union[Dict[str, str], None]
    error: Union[str, None]
    failure: Union[VideoFailure, None]
    quality: str


class _VideoFailedEvent(TypedDict):
    type: Literal["video.failed"]
    timestamp: EventTime
    data: VideoEvent


class VideoFailedEvent(_VideoFailedEvent, total=False):
    test: Literal[True]


class _VideoCancelledEvent(TypedDict):
    type: Literal["video.cancelled"]
    timestamp: EventTime
    data: VideoEvent


class VideoCancelledEvent(_VideoCancelledEvent, total=False):
    test: Literal[True]


class _VideoDeletedEvent(TypedDict):
    type: Literal["video.deleted"]
    timestamp: EventTime
    data: VideoEvent


class VideoDeletedEvent(_VideoDeletedEvent, total=False):
    test: Literal[True]


class _ProjectCreatedEvent(TypedDict):
    type: Literal["project.created"]
    timestamp: EventTime
    data: ProjectEvent


class ProjectCreatedEvent(_ProjectCreatedEvent, total=False):
    test: Literal[True]


class ProjectEvent(TypedDict):
    id: str
    name: str
    aspectRatio: str
    fit: str
    createdAt: str


class _ProjectRenderedEvent(TypedDict):
    type: Literal["project.rendered"]
    timestamp: EventTime
    data: VideoEvent


class ProjectRenderedEvent(_ProjectRenderedEvent, total=False):
    test: Literal[True]


class _ProjectDeletedEvent(TypedDict):
    type: Literal["project.deleted"]
    timestamp: EventTime
    data: ProjectEvent


class ProjectDeletedEvent(_ProjectDeletedEvent, total=False):
    test: Literal[True]


class _AssetCreatedEvent(TypedDict):
    type: Literal["asset.created"]
    timestamp: EventTime
    data: AssetEvent


class AssetCreatedEvent(_AssetCreatedEvent, total=False):
    test: Literal[True]


class AssetEvent(TypedDict):
    id: str
    kind: AssetKind
    name: Union[str, None]
    contentType: str
    width: Union[float, None]
    height: Union[float, None]
    durationS: Union[float, None]
    hasSound: Union[bool, None]
    sizeBytes: int
    madeBy: Union[str, None]
    subject: Union[str, None]
    createdAt: str


class _AssetDeletedEvent(TypedDict):
    type: Literal["asset.deleted"]
    timestamp: EventTime
    data: AssetEvent


class AssetDeletedEvent(_AssetDeletedEvent, total=False):
    test: Literal[True]


class _CreditAddedEvent(TypedDict):
    type: Literal["credit.added"]
    timestamp: EventTime
    data: CreditAdded


class CreditAddedEvent(_CreditAddedEvent, total=False):
    test: Literal[True]


class CreditAdded(TypedDict):
    packageId: str
    transType: str
    credits: int
    orderNo: Union[str, None]
    expiresAt: str


class _CreditLowEvent(TypedDict):
    type: Literal["credit.low"]
    timestamp: EventTime
    data: CreditLow


class CreditLowEvent(_CreditLowEvent, total=False):
    test: Literal[True]


class CreditLow(TypedDict):
    available: int
    threshold: int


class _CreditExpiringEvent(TypedDict):
    type: Literal["credit.expiring"]
    timestamp: EventTime
    data: CreditExpiring


class CreditExpiringEvent(_CreditExpiringEvent, total=False):
    test: Literal[True]


class CreditExpiring(TypedDict):
    packageId: str
    credits: int
    expiresAt: str


class _SubscriptionUpdatedEvent(TypedDict):
    type: Literal["subscription.updated"]
    timestamp: EventTime
    data: SubscriptionEvent


class SubscriptionUpdatedEvent(_SubscriptionUpdatedEvent, total=False):
    test: Literal[True]


class SubscriptionEvent(TypedDict):
    id: str
    plan: Union[str, None]
    status: str
    currentPeriodStart: Union[str, None]
    currentPeriodEnd: Union[str, None]
    cancelAtPeriodEnd: bool
    cancelledAt: Union[str, None]


class _WebhookTestEvent(TypedDict):
    type: Literal["webhook.test"]
    timestamp: EventTime
    data: WebhookTest


class WebhookTestEvent(_WebhookTestEvent, total=False):
    test: Literal[True]


class WebhookTest(TypedDict):
    endpointId: str


AssetKind = Literal["image", "film", "sound"]
InputRole = Literal["start", "end", "keyframe", "reference", "film", "motion", "sound", "portrait"]
VideoStatus = Literal["PENDING", "GENERATING", "UPLOADING", "COMPLETED", "FAILED"]
Makers = List[Maker]
TransType = Literal["NEW_USER", "ORDER_PAY", "SUBSCRIPTION", "VIDEO_CONSUME", "REFUND", "EXPIRED", "SYSTEM_ADJUST"]
PaymentProcessor = Literal["payment-a", "payment-b"]
WebhookEventType = Literal["video.completed", "video.failed", "video.cancelled", "video.deleted", "project.created", "project.rendered", "project.deleted", "asset.created", "asset.deleted", "credit.added", "credit.low", "credit.expiring", "subscription.updated"]
WebhookEventTypes = List[WebhookEventType]
TeamRole = Literal["viewer", "maker", "admin", "owner"]
GivenIds = List[str]
Scope = Literal["read", "generate", "account"]
EventTime = str
WebhookEvent = Union[VideoCompletedEvent, VideoFailedEvent, VideoCancelledEvent, VideoDeletedEvent, ProjectCreatedEvent, ProjectRenderedEvent, ProjectDeletedEvent, AssetCreatedEvent, AssetDeletedEvent, CreditAddedEvent, CreditLowEvent, CreditExpiringEvent, SubscriptionUpdatedEvent, WebhookTestEvent]
