/**
 * The videos of this page: those in progress and the last that ended. The list says which there are, the task of each how
 * far it is; the event stream writes into the same answers, so that what it tells is shown at once.
 */
import type { DataOf, Task } from '@kinora/client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { dataOf, kinora, queryClient, refreshQueries, refreshVideos, taskQuery } from '../api.ts'
import { isStreamConnected } from '../shell/event-stream.ts'
import { isFinal } from '../ui/format.ts'

type VideoList = DataOf<'get', '/api/v1/video/list'>
export type ListedVideo = VideoList['videos'][number]

const LIST_SIZE = 40
const ENDED_SHOWN = 6
const POLL_MS = 1500
/** While the event stream is open, asking is only for what happened before it was. */
const POLL_BESIDE_STREAM_MS = 5000
/** So many videos that each is asked about would use up what one user may ask in a minute; then each is asked less often. */
const POLL_MS_PER_RUNNING = 250

export const recentQuery = queryOptions({
  queryKey: ['videos', 'recent'],
  queryFn: () => dataOf(kinora.GET('/api/v1/video/list', { params: { query: { pageSize: LIST_SIZE } } })),
  refetchInterval: ({ state }) => (runningIn(state.data) > 0 ? pollMs() : false),
})

/** The question about one video of api.ts, which the event stream answers too, followed until the video ends. */
const followed = (uuid: string) =>
  queryOptions({
    ...taskQuery(uuid),
    staleTime: ({ state }) => (state.data && isFinal(state.data.status) ? Number.POSITIVE_INFINITY : 1000),
    refetchInterval: ({ state }) =>
      state.data && isFinal(state.data.status)
        ? false
        : Math.max(pollMs(), runningIn(queryClient.getQueryData(recentQuery.queryKey)) * POLL_MS_PER_RUNNING),
  })

const pollMs = (): number => (isStreamConnected() ? POLL_BESIDE_STREAM_MS : POLL_MS)

const runningIn = (list: VideoList | undefined): number =>
  list?.videos.filter(({ status }) => !isFinal(status)).length ?? 0

/** All that run and the last few that ended, newest first; when one ends, everything that shows money is asked again. */
export function useRecentVideos() {
  const answer = useQuery(recentQuery)
  const running = runningIn(answer.data)
  const before = useRef(0)
  useEffect(() => {
    if (running < before.current) refreshQueries(['credit'])
    before.current = running
  }, [running])
  let ended = 0
  const videos = answer.data?.videos.filter(({ status }) => !isFinal(status) || ++ended <= ENDED_SHOWN)
  return { ...answer, videos }
}

/** The newest of what the list and the question about this one video say. */
export function useTask(video: ListedVideo): Task {
  const listed: Task = { uuid: video.uuid, status: video.status, progress: progressOf(video), error: null }
  const { data } = useQuery({ ...followed(video.uuid), enabled: video.status !== 'COMPLETED' })
  const endedUnlisted = data !== undefined && isFinal(data.status) && !isFinal(video.status)
  useEffect(() => {
    if (endedUnlisted) refreshVideos()
  }, [endedUnlisted])
  // A film that has ended cannot begin again, whichever answer was the later one.
  if (!data || (isFinal(video.status) && !isFinal(data.status))) return listed
  // It is shown as done when there is a film to show, which the list brings.
  if (data.status === 'COMPLETED' && video.status !== 'COMPLETED') return { ...data, status: 'UPLOADING' }
  return video.status === 'COMPLETED' ? listed : data
}

const progressOf = ({ status }: ListedVideo): number => (status === 'COMPLETED' ? 100 : 0)

/** Puts a video that was just made at the head of the list; the list itself follows. */
export function prependVideo(video: ListedVideo): void {
  queryClient.setQueryData(recentQuery.queryKey, (list) =>
    list && !list.videos.some(({ uuid }) => uuid === video.uuid)
      ? { ...list, videos: [video, ...list.videos], total: list.total + 1 }
      : list,
  )
}
