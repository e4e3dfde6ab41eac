/**
 * HEIC pictures, as phones take them. The service has no decoder of them, and a library for it has megabytes; a browser
 * on a system that has one turns them into JPEG.
 */

/** For a file dialog, beside the types of other pictures. */
export const HEIC_ACCEPT = 'image/heic,image/heif,.heic,.heif'

/** The file, or of one that is HEIC its picture as JPEG. @throws Error with a message for the user */
export const asReadable = async (file: File): Promise<File> =>
  /^image\/hei[cf]/.test(file.type) || /\.hei[cf]$/i.test(file.name)
    ? (await import('./heic-to-jpeg.ts')).toJpeg(file)
    : file
