/** `/api/v1/video`: the caller's favourites and folders, and operations on several videos. */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { exampleOf } from '../film/fields.ts'
import { ARCHIVE_FILMS_MAX, archiveFilms } from '../video/archive.ts'
import {
  createFolder,
  deleteFolder,
  FOLDER_COUNT_MAX,
  FOLDER_NAME_CHARACTERS_MAX,
  FOLDERS_MAX,
  getFolder,
  listFolders,
  renameFolder,
} from '../video/folders.ts'
import { arrange, removeAll } from '../video/library.ts'
import { Deleted, Name, ok, Timestamp } from './request/envelope.ts'
import { linkedTeam, userOf } from './request/request.ts'
import { routesOf, together } from './request/routes.ts'

const BULK_MAX = 100

const { uuid: exampleUuid } = exampleOf('list')
const folderExample = {
  id: '01939b1e-7d2e-7aaa-8bbb-1b2c3d4e5f60',
  name: 'Boats',
  videos: 12,
  madeBy: '01939b1e-1111-7aaa-8bbb-000000000001',
  createdAt: '2026-01-15T09:30:00.000Z',
}
const Folder = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    videos: Type.Integer({
      description: `How many it has; ${FOLDER_COUNT_MAX.toLocaleString('en')} at most are counted`,
    }),
    madeBy: Type.String({ description: 'The user, the member of the team, or the API key that made it' }),
    createdAt: Timestamp('When it was made'),
  },
  { title: 'VideoFolder', examples: [folderExample] },
)
const FolderBody = Type.Object(
  {
    name: Name(FOLDER_NAME_CHARACTERS_MAX, 'No two of your folders have the same'),
  },
  { additionalProperties: false, examples: [{ name: folderExample.name }] },
)
const FolderId = Type.Object({ id: Type.String({ title: 'FolderId', description: 'The id of the folder' }) })
const Uuids = Type.Array(Type.String(), { minItems: 1, maxItems: BULK_MAX, description: 'Of videos of yours' })
const BulkOutcome = Type.Object(
  {
    uuids: Type.Array(Type.String(), { description: 'Those that were found' }),
    notFound: Type.Array(Type.String(), { description: 'Those of no video of yours' }),
  },
  { title: 'BulkOutcome', examples: [{ uuids: [exampleUuid], notFound: [] }] },
)
export const Bytes = Type.Unsafe<Readable>(Type.String({ format: 'binary' }))

const FOLDERS_PATH = '/api/v1/video/folders'
const route = routesOf({ tag: 'video', access: 'user' })

const arrangeVideosRoute = route('POST', '/api/v1/video/arrange', {
  operationId: 'arrangeVideos',
  summary: 'Mark videos as favourites, or move them to a folder',
  config: { scope: 'generate', impersonation: 'change' },
  description:
    'What is left out stays as it is. 403: a maker of a team arranges own videos only. 404: you have no such folder.',
  body: Type.Object(
    {
      uuids: Uuids,
      favourite: Type.Optional(Type.Boolean()),
      folderId: Type.Optional(
        Type.Union([Type.String(), Type.Null()], { description: 'null: out of the folder in which they are' }),
      ),
    },
    { additionalProperties: false, examples: [{ uuids: [exampleUuid], favourite: true }] },
  ),
  data: BulkOutcome,
  handler: async (app, request) => {
    const { uuids, ...change } = request.body
    return ok(await arrange(app, userOf(request), uuids, change))
  },
})

const deleteVideosRoute = route('POST', '/api/v1/video/delete', {
  operationId: 'deleteVideos',
  summary: 'Delete several videos',
  config: { scope: 'generate' },
  description: 'Each as DELETE /api/v1/video/{uuid} does.',
  body: Type.Object({ uuids: Uuids }, { additionalProperties: false, examples: [{ uuids: [exampleUuid] }] }),
  data: BulkOutcome,
  handler: async (app, request) => ok(await removeAll(app, userOf(request), request.body.uuids)),
})

const archiveRoute = route('GET', '/api/v1/video/archive', {
  operationId: 'archiveVideos',
  summary: 'Download several films',
  config: { scope: 'read', isDownload: true, impersonation: 'none' },
  description:
    'A ZIP, streamed, in which each film is named by its prompt; videos without a film are left out. 404: one of the videos is ' +
    'none of yours. 409: none of them has a film.',
  querystring: Type.Object({
    uuid: Type.Array(Type.String(), {
      minItems: 1,
      maxItems: ARCHIVE_FILMS_MAX,
      description: 'Once for each film: uuid=…&uuid=…',
    }),
    ...linkedTeam,
  }),
  errors: ['CONFLICT'],
  response: { 200: { description: 'A ZIP file', content: { 'application/zip': { schema: Bytes } } } },
  handler: async (app, request, reply) => {
    const zip = await archiveFilms(app, userOf(request).userId, request.query.uuid)
    const day = app.now().toISOString().slice(0, 10)
    return sendZip(request, reply, zip, `films-${day}.zip`)
  },
})

/** Nothing of it is read for HEAD. */
export function sendZip({ method }: FastifyRequest, reply: FastifyReply, zip: Readable, name: string): FastifyReply {
  reply.type('application/zip').header('content-disposition', `attachment; filename="${name}"`)
  if (method !== 'HEAD') return reply.send(zip)
  zip.destroy()
  return reply.send(Readable.from([]))
}

const listFoldersRoute = route('GET', FOLDERS_PATH, {
  operationId: 'listVideoFolders',
  summary: 'Your folders, by name',
  config: { scope: 'read' },
  data: Type.Object({ folders: Type.Array(Folder) }),
  handler: async (app, request) => ok({ folders: await listFolders(app, userOf(request).userId) }),
})

const createFolderRoute = route('POST', FOLDERS_PATH, {
  operationId: 'createVideoFolder',
  summary: 'Make a folder',
  config: { scope: 'generate', impersonation: 'change' },
  description: `409: you have a folder of this name, or ${FOLDERS_MAX} of them, which is the most.`,
  body: FolderBody,
  errors: ['CONFLICT'],
  data: Folder,
  example: { ...folderExample, videos: 0 },
  handler: async (app, request) => ok(await createFolder(app, userOf(request), request.body.name, request.onceKey)),
  replay: async (app, request, id) => ok(await getFolder(app, userOf(request).userId, id)),
})

const renameFolderRoute = route('PATCH', `${FOLDERS_PATH}/:id`, {
  operationId: 'renameVideoFolder',
  summary: 'Rename a folder',
  config: { scope: 'generate', impersonation: 'change' },
  description: '403: a maker of a team renames own folders only. 409: you have another folder of this name.',
  params: FolderId,
  body: FolderBody,
  errors: ['CONFLICT'],
  data: Folder,
  handler: async (app, request) => ok(await renameFolder(app, userOf(request), request.params.id, request.body.name)),
})

const deleteFolderRoute = route('DELETE', `${FOLDERS_PATH}/:id`, {
  operationId: 'deleteVideoFolder',
  summary: 'Delete a folder',
  config: { scope: 'generate' },
  description: 'Its videos stay, in no folder. 403: a maker of a team deletes own folders only.',
  params: FolderId,
  data: Deleted,
  example: {
    id: folderExample.id,
    deleted: true,
  },
  handler: async (app, request) => {
    await deleteFolder(app, userOf(request), request.params.id)
    return ok({ id: request.params.id.toLowerCase(), deleted: true as const })
  },
})

export const registerLibrary = together(
  arrangeVideosRoute,
  deleteVideosRoute,
  archiveRoute,
  listFoldersRoute,
  createFolderRoute,
  renameFolderRoute,
  deleteFolderRoute,
)
