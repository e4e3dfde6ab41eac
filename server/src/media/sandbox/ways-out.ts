/** What hostile native code in the inspecting child would try. Shared by the server and the child, so types and data only. */

export const waysOut = {
  readFile: "reading the server's files",
  readEnvironment: "reading the server's environment",
  writeFile: 'creating a file',
  connect: 'opening a connection',
  signal: 'signalling the server',
  startProcess: 'starting a process',
} as const

export type WayOut = keyof typeof waysOut

/** What the child tries to reach; each exists and is reachable for the server. */
export type Targets = { secretFile: string; newFile: string; serverPid: number; port: number }

/** For each way: 0 when it was open, else the error number that closed it. */
export type Attempts = Record<WayOut, number>

/** The reply of the probing child. */
export type ProbeReply = {
  /** By its own view: another number than the server sees in a namespace of processes. */
  pid: number
  uid: number
  /** Limits as the kernel has them; null: unlimited. */
  limits: { dataBytes: number | null; cpuS: number | null; openFiles: number | null; processes: number | null }
  noNewPrivileges: boolean
  seccomp: boolean
  /** Tried before the seccomp filter stands: what the other walls close. */
  before: Attempts
  after: Attempts
  /** Pixels of an image and of a film's frame, decoded behind all walls. */
  decoded: { image: number; film: number }
}
