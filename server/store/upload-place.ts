import type { IncomingFile } from '../base/incoming-files.ts'
import type { Executor } from './engine.ts'

/** Pictures of airlines, which anyone may see, and files that are being imported, which only their owner may. */
export const uploadFolders = ['airlines', 'imports'] as const
export type UploadFolder = (typeof uploadFolders)[number]

/** Where uploads are kept. Every path that reaches it has the form of one: a folder and a name. */
export interface UploadPlace {
  write(path: string, bytes: Uint8Array, tx?: Executor): Promise<void>
  /** Stores a file of this machine, if possible without reading it into memory. The file may be gone afterwards. */
  take(path: string, file: IncomingFile): Promise<void>
  read(path: string): Promise<Buffer | undefined>
  /** Asks the database with this transaction, if there is one: it must not wait for a second connection. */
  has(path: string, tx?: Executor): Promise<boolean>
  remove(path: string): Promise<void>
  /** What is in a folder, unfinished files included, with when it was written by the place's own clock. */
  list(folder: UploadFolder): Promise<{ path: string; writtenAt: number }[]>
}
