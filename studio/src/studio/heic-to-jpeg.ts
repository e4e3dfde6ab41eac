/** Turns a picture that the browser can decode into JPEG. Loaded once a HEIC file is chosen. */
import { t } from '@lingui/core/macro'

/** As the service keeps pictures; browsers limit a canvas too. */
const SIDE_MAX = 4096
const JPEG_QUALITY = 0.92

export async function toJpeg(file: File): Promise<File> {
  const jpeg = await drawn(file).catch(() => null)
  if (!jpeg) throw new Error(t`${file.name}: this browser cannot read HEIC. Choose a JPEG or PNG of the picture.`)
  return new File([jpeg], file.name.replace(/\.hei[cf]$/i, '.jpg'), { type: jpeg.type })
}

async function drawn(file: File): Promise<Blob | null> {
  const picture = await createImageBitmap(file).catch(() => decoded(file))
  const scale = Math.min(1, SIDE_MAX / Math.max(picture.width, picture.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(picture.width * scale)
  canvas.height = Math.round(picture.height * scale)
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', JPEG_QUALITY))
}

/** Safari decodes some pictures in an image alone. */
async function decoded(file: File): Promise<HTMLImageElement> {
  const image = new Image()
  const url = URL.createObjectURL(file)
  try {
    image.src = url
    await image.decode()
    return image
  } finally {
    URL.revokeObjectURL(url)
  }
}
