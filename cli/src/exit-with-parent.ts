/**
 * Preloaded into every child process: exits when the IPC channel closes, which signals a child that its parent
 * was killed. A program with its own `disconnect` listener shuts down by itself; until it has one, while it is
 * starting, this listener is the only one.
 */
if (process.channel) {
  process.on('disconnect', () => {
    if (process.listenerCount('disconnect') === 1) process.exit(1)
  })
  // A `disconnect` listener keeps the event loop alive; a program that has finished must be able to exit.
  process.channel.unref()
}
