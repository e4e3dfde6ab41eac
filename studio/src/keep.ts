/**
 * What the browser keeps for us, through a reload (`inTab`) or for good (`inBrowser`). Where its storage is switched off or
 * full, memory has to do, and what is kept lives as long as the page. It holds wishes, never anything that opens a door.
 */
type Keeper = {
  read: (key: string) => string | null
  /** @param text null: nothing is to be kept any more */
  write: (key: string, text: string | null) => void
}

export const inTab = keeper(() => sessionStorage)
export const inBrowser = keeper(() => localStorage)

/** @param storage asked for each time, because asking is what a browser without storage refuses */
function keeper(storage: () => Storage): Keeper {
  const memory = new Map<string, string>()
  return {
    read: (key) => {
      try {
        return memory.get(key) ?? storage().getItem(key)
      } catch {
        return null
      }
    },
    write: (key, text) => {
      memory.delete(key)
      try {
        if (text === null) storage().removeItem(key)
        else storage().setItem(key, text)
      } catch {
        if (text !== null) memory.set(key, text)
      }
    },
  }
}
