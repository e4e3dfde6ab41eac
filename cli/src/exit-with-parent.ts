/**
 * Loaded into every child before its own code: a child whose parent was killed without a chance to say so ends too. A
 * program that listens for the loss itself is left to it; it does not yet while it is starting.
 */
if (process.channel) {
  process.on('disconnect', () => {
    if (process.listenerCount('disconnect') === 1) process.exit(1)
  })
  // Listening alone must not keep a program running that is done.
  process.channel.unref()
}
