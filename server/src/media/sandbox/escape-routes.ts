/** What hostile native code in the inspecting child would try. Server and child share it: types and data only. */

export const escapeRoutes = {
  readFile: "reading the server's files",
  readEnvironment: "reading the server's environment",
  writeFile: 'creating a file',
  connect: 'opening a connection',
  signal: 'signalling the server',
  startProcess: 'starting a process',
} as const

export type EscapeRoute = keyof typeof escapeRoutes

/** What the child tries to reach; each exists and is reachable for the server. */
export type Targets = { secretFile: string; newFile: string; serverPid: number; port: number }

/** The result of each route: 0 when it was open, else the error number that closed it. */
export type Attempts = Record<EscapeRoute, number>

/** The reply of the probing child. */
export type ProbeReply = {
  /** The process id in its own view: another number than the server sees in a namespace of processes. */
  pid: number
  uid: number
  /** Limits as the kernel has them; null: unlimited. */
  limits: { dataBytes: number | null; cpuS: number | null; openFiles: number | null; processes: number | null }
  noNewPrivileges: boolean
  seccomp: boolean
  /** Tried before the seccomp filter is installed: what the other layers close. */
  before: Attempts
  after: Attempts
  /** Error of a call that would open files and sockets past a filter, 0 when allowed; tried behind the filter. */
  ioUring: number
  /** Pixels of an image and of a film's frame, decoded behind all layers. */
  decoded: { image: number; film: number }
}
