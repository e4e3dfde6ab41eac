/** The whole check of a request for a video: by the catalogue, and of an uploaded start image by its link and its owner. */
import type { App } from '../app.ts'
import { type Checked, catalogue, checkRequest, invalid, type Request } from './catalogue.ts'
import { touch } from './image.ts'
import { imageName, isOurLink, readImageLink } from './start-image.ts'

/**
 * Checks a request without making anything. An uploaded start image is answered by its name, and kept for a week more.
 * @throws AppError 400 (see checkRequest), INVALID_REQUEST for a link of ours that does not lead to an image of the caller
 */
export async function checkOrder(app: App, userId: string, request: Request): Promise<Checked> {
  const checked = checkRequest(catalogue(), request, app.config)
  if (checked.startImageUrl === null || !isOurLink(app.config, checked.startImageUrl)) return checked
  const link = readImageLink(app, checked.startImageUrl)
  if (link === 'expired') throw unusable('The link of the startImageUrl has expired; upload the image again.')
  // Somebody else's image and a forged link look alike: who has a link may look at it, but it is not theirs to use.
  const isMine = link !== 'wrong' && link.userId === userId
  if (!isMine) throw unusable('The startImageUrl is not a link to an image of yours; upload the image first.')
  if (!(await touch(app, userId, { id: link.id }))) {
    throw unusable('The image of the startImageUrl is no longer kept; upload it again.')
  }
  return { ...checked, startImageUrl: imageName(link.key) }
}

const unusable = (message: string) => invalid('INVALID_REQUEST', 'startImageUrl', message)
