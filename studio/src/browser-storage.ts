/**
 * Web Storage as JSON: `tabStorage` (sessionStorage) survives a reload, `browserStorage` (localStorage) also survives
 * closing the tab. When storage is disabled or full, an in-memory map replaces it and the values last as long as the
 * page. Only form input, preferences, the addresses of uploads that were broken off and an invitation, which only
 * the invited address can accept, are stored; never credentials.
 */
type JsonStorage = {
  /** Returns the parsed value; null when missing or not JSON. Its type is unknown: other scripts can edit storage. */
  read: (key: string) => unknown
  /** @param value null removes the key */
  write: (key: string, value: unknown) => void
}

export const tabStorage = jsonStorage(() => sessionStorage)
export const browserStorage = jsonStorage(() => localStorage)

/** @param getStorage called on each access: a browser with storage disabled throws on the property access itself */
function jsonStorage(getStorage: () => Storage): JsonStorage {
  const memory = new Map<string, string>()
  return {
    read: (key) => {
      try {
        return JSON.parse(memory.get(key) ?? getStorage().getItem(key) ?? 'null')
      } catch {
        return null
      }
    },
    write: (key, value) => {
      memory.delete(key)
      try {
        if (value === null) getStorage().removeItem(key)
        else getStorage().setItem(key, JSON.stringify(value))
      } catch {
        if (value !== null) memory.set(key, JSON.stringify(value))
      }
    },
  }
}
