/** The validation of a generate request: by the catalogue, and of an uploaded start image by its signed link and its owner. */
import type { App } from '../app.ts'
import { startImageDueAt, startImageExtend } from '../image/start-image.ts'
import { imageName, isOwnFileLink, readImageLink } from '../image/start-image-link.ts'
import { type Checked, catalogue, checkRequest, invalid, type Request } from './catalogue.ts'

/** A validated request. `startImage`: the caller's uploaded image that `startImageUrl` names, if any. */
export type GenerateRequest = Checked & { startImage: { id: string; isLinkExpired: boolean } | null }

/**
 * Validates a request without a query: whether an uploaded start image is still stored is decided by
 * video_generate_all, after the idempotency check.
 * @throws AppError 400 (see checkRequest), INVALID_REQUEST for a link of ours that is forged or leads to another user's image
 */
export function parseGenerateRequest(app: App, userId: string, request: Request): GenerateRequest {
  const checked = checkRequest(catalogue(), request, app.config)
  const { startImageUrl } = checked
  if (startImageUrl === null || !isOwnFileLink(app.config, startImageUrl)) return { ...checked, startImage: null }
  const link = readImageLink(app, startImageUrl)
  // A forged link and another user's image get the same error: a link lets its holder read an image, not use it.
  if (link?.userId !== userId) {
    throw startImageProblem('The startImageUrl is not a link to an image of yours; upload the image first.')
  }
  return {
    ...checked,
    startImageUrl: imageName(link.key),
    startImage: { id: link.id, isLinkExpired: link.isExpired },
  }
}

/** As parseGenerateRequest, and checks that an uploaded start image can be used; the image is kept for a week more. */
export async function checkGenerateRequest(app: App, userId: string, request: Request): Promise<GenerateRequest> {
  const checked = parseGenerateRequest(app, userId, request)
  const { startImage } = checked
  if (!startImage) return checked
  if (startImage.isLinkExpired) throw startImageLinkExpired()
  const dueAt = startImageDueAt(app.now())
  if (!(await startImageExtend(app.sql, { userId, imageId: startImage.id, dueAt }))) throw startImageGone()
  return checked
}

export const startImageLinkExpired = () =>
  startImageProblem('The link to the start image has expired; upload the image again.')
export const startImageGone = () => startImageProblem('The start image is no longer kept; upload it again.')

const startImageProblem = (message: string) => invalid('INVALID_REQUEST', 'startImageUrl', message)
