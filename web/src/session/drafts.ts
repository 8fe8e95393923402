/** Unsaved input, stored in this browser until it is saved or discarded, or the person signs out. Never contains secrets. */
const prefix = 'contrail.draft.'

export function readDraft<T>(name: string): T | null {
  try {
    return JSON.parse(localStorage.getItem(prefix + name) ?? 'null') as T | null
  } catch {
    return null
  }
}

/** False if it exceeds the quota of localStorage. */
export function writeDraft(name: string, draft: unknown): boolean {
  try {
    localStorage.setItem(prefix + name, JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

export function deleteDraft(name: string): void {
  localStorage.removeItem(prefix + name)
}

export function deleteAllDrafts(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
}
