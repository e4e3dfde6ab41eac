/**
 * The studio page's videos: those in progress and the last ones that ended. The list query names them; each video's
 * task query holds its progress. The event stream writes to the same task queries, so its updates are visible at once.
 */
import type { Task } from '@kinora/client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import {
  dataOf,
  kinora,
  type ListedVideo,
  queryClient,
  refreshQueries,
  refreshVideos,
  taskQuery,
  type VideoPage,
} from '../api.ts'
import { isStreamConnected } from '../shell/event-stream.ts'
import { isFinal } from '../ui/format.ts'

const LIST_SIZE = 40
const ENDED_SHOWN_MAX = 20
const POLL_MS = 1500
/** While the event stream is connected, polling only covers changes from before the connection. */
const POLL_WITH_STREAM_MS = 5000
/** Polling many videos would exceed the user's rate limit, so the interval grows by this for each video in progress. */
const POLL_MS_PER_RUNNING = 250

export const recentQuery = queryOptions({
  queryKey: ['videos', 'recent'],
  queryFn: () => dataOf(kinora.GET('/api/v1/video/list', { params: { query: { pageSize: LIST_SIZE } } })),
  refetchInterval: ({ state }) => (countRunning(state.data) > 0 ? pollMs() : false),
})

/** The task query of one video, polled until the video ends. */
const polledTaskQuery = (uuid: string) =>
  queryOptions({
    ...taskQuery(uuid),
    staleTime: ({ state }) => (state.data && isFinal(state.data.status) ? Number.POSITIVE_INFINITY : 1000),
    refetchInterval: ({ state }) =>
      state.data && isFinal(state.data.status)
        ? false
        : Math.max(pollMs(), countRunning(queryClient.getQueryData(recentQuery.queryKey)) * POLL_MS_PER_RUNNING),
  })

const pollMs = (): number => (isStreamConnected() ? POLL_WITH_STREAM_MS : POLL_MS)

const countRunning = (list: VideoPage | undefined): number =>
  list?.videos.filter(({ status }) => !isFinal(status)).length ?? 0

/** All videos in progress and the last few that ended, newest first. Refreshes the credit queries when a video ends. */
export function useRecentVideos() {
  const list = useQuery(recentQuery)
  const running = countRunning(list.data)
  const previousRunning = useRef(0)
  useEffect(() => {
    if (running < previousRunning.current) refreshQueries(['credit'])
    previousRunning.current = running
  }, [running])
  let ended = 0
  const videos = list.data?.videos.filter(({ status }) => !isFinal(status) || ++ended <= ENDED_SHOWN_MAX)
  return { ...list, videos }
}

/**
 * The newer of the list's state and the task query's state of a video.
 * @param isPolled false where many are shown, which the event stream alone keeps up to date
 */
export function useTask(video: ListedVideo, isPolled = true): Task {
  const { uuid, status, failure } = video
  const progress = status === 'COMPLETED' ? 100 : 0
  const error = failure?.message ?? null
  const listed: Task = { uuid, status, progress, error, failure, estimatedSeconds: null, queuePosition: null }
  const { data } = useQuery({
    ...(isPolled ? polledTaskQuery(uuid) : taskQuery(uuid)),
    enabled: status !== 'COMPLETED',
  })
  const isListStale = data !== undefined && isFinal(data.status) && !isFinal(status)
  useEffect(() => {
    if (isListStale) refreshVideos()
  }, [isListStale])
  // A final status is never left, also when an older response arrives later.
  if (!data || (isFinal(status) && !isFinal(data.status))) return listed
  // Only the list returns the video's file: stay at UPLOADING until it does.
  if (data.status === 'COMPLETED' && status !== 'COMPLETED') return { ...data, status: 'UPLOADING' }
  return status === 'COMPLETED' ? listed : data
}

/** Inserts a new video at the head of the cached list, before the refetched list confirms it (optimistic update). */
export function prependVideo(video: ListedVideo): void {
  queryClient.setQueryData(recentQuery.queryKey, (list) =>
    list && !list.videos.some(({ uuid }) => uuid === video.uuid)
      ? { ...list, videos: [video, ...list.videos], total: list.total + 1 }
      : list,
  )
}
