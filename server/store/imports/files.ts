// The files that people import, unchanged, stored with the uploads. Names are random and never reused; the contents are
// only read in a child process.
import type { IncomingFile } from '../../base/request/incoming-files.ts'
import { randomText } from '../../base/secret/secrets.ts'
import type { Executor } from '../engine/engine.ts'
import { openUploadPlace, type UploadParts } from '../uploads/open.ts'

export interface ImportFiles {
  /** Stores the content durably and returns its name. An upload is moved, which ends it. */
  save(content: Uint8Array | IncomingFile): Promise<string>
  /** Undefined if there is no such file. */
  read(name: string): Promise<Buffer | undefined>
  /** Pass the transaction if there is one. */
  has(name: string, tx?: Executor): Promise<boolean>
  remove(name: string): Promise<void>
  /** All files, unfinished ones included, and when they were last written. */
  list(): Promise<{ name: string; writtenAt: number }[]>
}

/** Names of any other form are rejected before the storage is accessed. */
const nameForm = /^[a-z2-7]{24}(\.part)?$/
const FOLDER = 'imports'

/** The path of a finished file. */
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
