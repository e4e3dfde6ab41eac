/** Notifies long requests, such as event streams, when a credential of their user may have been revoked. */
export function openListeners() {
  const listeners = new Map<string, Set<() => void>>()
  return {
    size: () => listeners.size,
    /** @returns the function that removes it */
    add: (userId: string, listener: () => void) => {
      const ofUser = listeners.get(userId) ?? new Set()
      listeners.set(userId, ofUser.add(listener))
      return () => {
        ofUser.delete(listener)
        if (ofUser.size === 0) listeners.delete(userId)
      }
    },
    notify: (isRevoked: (userId: string) => boolean) => {
      for (const [userId, ofUser] of listeners) if (isRevoked(userId)) for (const listener of ofUser) listener()
    },
  }
}
