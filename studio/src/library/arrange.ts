/** The library's folders, and changes of films, which show at once and revert when the API refuses. */
import { t } from '@lingui/core/macro'
import { type InfiniteData, queryOptions } from '@tanstack/react-query'
import { dataOf, kinora, queryClient, refreshQueries, type VideoPage, videoQuery } from '../api.ts'
import { localizeError } from '../i18n/service-text.ts'
import { toast } from '../ui/toasts.tsx'

/** The API's limit of films of one request. */
export const BULK_MAX = 100

export const foldersQuery = queryOptions({
  queryKey: ['folders'],
  queryFn: () => dataOf(kinora.GET('/api/v1/video/folders')),
})

export type Arrangement = { favourite: boolean } | { folderId: string | null }

export async function arrangeVideos(uuids: string[], change: Arrangement): Promise<void> {
  patchVideos(new Set(uuids), change)
  const { error } = await kinora.POST('/api/v1/video/arrange', { body: { uuids, ...change } })
  if (error) toast({ text: localizeError(error).message })
  else if ('folderId' in change) toast({ text: change.folderId ? t`Moved.` : t`Moved out of the folder.` })
  await Promise.all([
    refreshQueries(['videos']),
    refreshQueries(['folders']),
    ...uuids.map((uuid) => refreshQueries(videoQuery(uuid).queryKey)),
  ])
}

/** Changes the films in every list that is loaded, and in the players' queries. */
function patchVideos(uuids: ReadonlySet<string>, change: Arrangement): void {
  const patched = (page: VideoPage): VideoPage => ({
    ...page,
    videos: page.videos.map((video) => (uuids.has(video.uuid) ? { ...video, ...change } : video)),
  })
  queryClient.setQueriesData<VideoPage | InfiniteData<VideoPage>>({ queryKey: ['videos'] }, (data) => {
    if (!data) return data
    return 'pages' in data ? { ...data, pages: data.pages.map(patched) } : patched(data)
  })
  for (const uuid of uuids) {
    queryClient.setQueryData(videoQuery(uuid).queryKey, (video) => video && { ...video, ...change })
  }
}
