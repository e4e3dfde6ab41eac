/** A film by the AI SDK. Its own download refuses addresses of this machine, where the simulator is. */
import { experimental_generateVideo as generateVideo } from 'ai'

type All = Parameters<typeof generateVideo>[0]
type Model = Exclude<All['model'], string>
/** Packages bring versions of the SDK's types of their own, which differ in webhooks: nothing is called back here. */
type Options = Omit<All, 'model'> & { model: Omit<Model, 'handleWebhookOption'> }

/** @param headers of the download, where the link needs our key */
export async function aiSdkFilm(options: Options, headers: Record<string, string> = {}): Promise<Uint8Array> {
  const { video } = await generateVideo({
    poll: { intervalMs: 50 },
    maxRetries: 0,
    download: async ({ url }) => {
      const response = await fetch(url, { headers })
      return { data: new Uint8Array(await response.arrayBuffer()), mediaType: undefined }
    },
    ...options,
    model: options.model as Model,
  })
  return video.uint8Array
}
