/**
 * What the browser keeps for us as JSON, through a reload (`inTab`) or for good (`inBrowser`). Where its storage is switched
 * off or full, memory has to do, and what is kept lives as long as the page. It holds wishes, never anything that opens a
 * door.
 */
type Keeper = {
  /** Unchecked, for anybody may write there; null for what is not there or cannot be read. */
  read: (key: string) => unknown
  /** @param value null: nothing is to be kept any more */
  write: (key: string, value: unknown) => void
}

export const tabStorage = keeper(() => sessionStorage)
export const localStore = keeper(() => localStorage)

/** @param storage asked for each time, because asking is what a browser without storage refuses */
function keeper(storage: () => Storage): Keeper {
  const memory = new Map<string, string>()
  return {
    read: (key) => {
      try {
        return JSON.parse(memory.get(key) ?? storage().getItem(key) ?? 'null')
      } catch {
        return null
      }
    },
    write: (key, value) => {
      memory.delete(key)
      try {
        if (value === null) storage().removeItem(key)
        else storage().setItem(key, JSON.stringify(value))
      } catch {
        if (value !== null) memory.set(key, JSON.stringify(value))
      }
    },
  }
}
