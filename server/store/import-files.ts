// The files that people import, as they were sent, kept where uploads are. Names are random and never used again; what is
// inside is read only in a child process.
import type { IncomingFile } from '../base/incoming-files.ts'
import { randomText } from '../base/secrets.ts'
import type { Executor } from './engine.ts'
import { openUploadPlace, type UploadParts } from './open-upload-place.ts'

export interface ImportFiles {
  /** Stores the content safely and returns its name. An upload is moved, and ends with it. */
  save(content: Uint8Array | IncomingFile): Promise<string>
  /** Undefined if there is no such file. */
  read(name: string): Promise<Buffer | undefined>
  /** Within a transaction, give it. */
  has(name: string, tx?: Executor): Promise<boolean>
  remove(name: string): Promise<void>
  /** All of them, those that were never finished included, with when they were last written. */
  list(): Promise<{ name: string; writtenAt: number }[]>
}

/** Every stored name has this form; no other name reaches the place. */
const nameForm = /^[a-z2-7]{24}(\.part)?$/
const FOLDER = 'imports'

/** Of a file that was finished. */
export const isImportPath = (path: string): boolean => /^imports\/[a-z2-7]{24}$/.test(path)

export function createImportFiles(parts: UploadParts): ImportFiles {
  const place = openUploadPlace(parts)
  const pathOf = (name: string) => `${FOLDER}/${name}`
  return {
    async save(content) {
      const name = randomText(24)
      if (content instanceof Uint8Array) await place.write(pathOf(name), content)
      else await place.take(pathOf(name), content).finally(() => content.end())
      return name
    },
    read: async (name) => (nameForm.test(name) ? place.read(pathOf(name)) : undefined),
    has: async (name, tx) => nameForm.test(name) && place.has(pathOf(name), tx),
    async remove(name) {
      if (nameForm.test(name)) await place.remove(pathOf(name))
    },
    async list() {
      const found = await place.list(FOLDER)
      return found
        .map(({ path, writtenAt }) => ({ name: path.slice(FOLDER.length + 1), writtenAt }))
        .filter(({ name }) => nameForm.test(name))
    },
  }
}
