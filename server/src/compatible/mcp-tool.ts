/**
 * What the tools of `/mcp` have in common. A result has `structuredContent` and the same as text; a film is a link,
 * never its bytes. An error that the caller can act on is a result with `isError`, so that a language model reads it.
 */
import { type CallToolResult, fromJsonSchema, type McpServer, type ServerContext } from '@modelcontextprotocol/server'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Caller } from '../account/credential/credential.ts'
import type { App } from '../app.ts'
import { everyModel } from '../catalogue/catalogue.ts'
import type { AppError } from '../errors.ts'
import { toAppError } from '../http/request/error-responses.ts'
import { contentTypeOf } from '../storage/key.ts'
import { noteEndsRead } from '../video/end-read.ts'
import { reportProgress } from './mcp-progress.ts'
import { describe } from './mcp-resources.ts'
import type { VideoView } from './video-view.ts'
import type { WaitForFilm } from './wait-for-film.ts'

/** The HTTP request that a server was built for. */
export type McpCall = { caller: Caller; request: FastifyRequest; reply: FastifyReply }

type McpRequest = ServerContext['mcpReq']

export const READS = { readOnlyHint: true, openWorldHint: false }

type Tool = <I extends TSchema, O extends TSchema>(
  name: string,
  config: { title: string; description: string; input: I; output: O; annotations: object },
  run: (input: Static<I>, request: McpRequest) => Promise<CallToolResult>,
) => void

/** What each tool of a request needs. `wait`: for the end of films, some seconds at most; returns the last one's. */
export type Tools = {
  app: App
  call: McpCall
  tool: Tool
  wait: (ids: readonly [string, ...string[]], waitS: number, request: McpRequest) => Promise<VideoView>
}

/** Compiles each schema once. */
export function openSchemas() {
  const schemas = new WeakMap<TSchema, ReturnType<typeof fromJsonSchema>>()
  return <S extends TSchema>(schema: S) => {
    const known = schemas.get(schema) ?? fromJsonSchema(schema as Parameters<typeof fromJsonSchema>[0])
    schemas.set(schema, known)
    return known as ReturnType<typeof fromJsonSchema<Static<S>>>
  }
}

/** Adds a tool whose errors are results. */
export const toolsOf =
  (server: McpServer, schemaOf: ReturnType<typeof openSchemas>, { app, call }: Pick<Tools, 'app' | 'call'>): Tool =>
  (name, { input, output, ...config }, run) => {
    server.registerTool(
      name,
      { ...config, inputSchema: schemaOf(input), outputSchema: schemaOf(output) },
      async (given, { mcpReq }) => {
        try {
          return await run(given as Static<typeof input>, mcpReq)
        } catch (cause) {
          return failure(app, toAppError(cause as FastifyError, call.request), cause)
        }
      },
    )
  }

/** Waits for one film after another; the progress is that of all. */
export const waitFor =
  (app: App, waitForFilm: WaitForFilm, call: McpCall): Tools['wait'] =>
  async ([first, ...further], waitS, request) => {
    const endMs = performance.now() + waitS * 1000
    const report = reportProgress(request)
    const count = 1 + further.length
    const wait = (id: string, before: number) =>
      waitForFilm(call.request, id, {
        waitMs: Math.ceil(endMs - performance.now()),
        signal: request.signal,
        onPoll: ({ status, progress }) => report({ status, progress: (100 * before + progress) / count }),
      })
    let video = await wait(first, 0)
    for (const [i, id] of further.entries()) {
      if (performance.now() >= endMs) break
      video = await wait(id, i + 1)
    }
    await noteEndsRead(app, call.caller, [video])
    return video
  }

export function videoResult(app: App, video: VideoView, more: { uuids?: string[] } = {}): CallToolResult {
  const description = { ...describe(app, video), ...more }
  const { content = [], ...rest } = result(description)
  if (description.videoUrl === undefined || video.videoKey === null) return { content, ...rest }
  const link = {
    type: 'resource_link' as const,
    uri: description.videoUrl,
    name: `${video.uuid}.${video.videoKey.split('.').at(-1)}`,
    description: video.prompt || `${everyModel().get(video.model)?.name ?? video.model}, ${video.mode}`,
    mimeType: contentTypeOf(video.videoKey),
  }
  return { content: [...content, link], ...rest }
}

export const result = (structuredContent: Record<string, unknown>): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
  structuredContent,
})

function failure(app: App, error: AppError, cause: unknown): CallToolResult {
  if (error.code === 'INTERNAL' || error.code === 'UNAVAILABLE') app.log.error({ err: cause }, error.message)
  return { isError: true, content: [{ type: 'text', text: `${error.code}: ${error.message}` }] }
}
