import type { IncomingFile } from '../../base/request/incoming-files.ts'
import type { Executor } from '../engine/engine.ts'

/** Pictures of airlines, which anyone may see, and files that are being imported, which only their owner may. */
export const uploadFolders = ['airlines', 'imports'] as const
export type UploadFolder = (typeof uploadFolders)[number]

/** Where uploads are stored. Callers check that a path is a folder and a name. */
export interface UploadPlace {
  write(path: string, bytes: Uint8Array, tx?: Executor): Promise<void>
  /** Stores a local file, if possible without reading it into memory. May move the file. */
  take(path: string, file: IncomingFile): Promise<void>
  read(path: string): Promise<Buffer | undefined>
  /** Pass the transaction if there is one: it must not wait for a second connection. */
  has(path: string, tx?: Executor): Promise<boolean>
  remove(path: string): Promise<void>
  /** The files in a folder, unfinished ones included, and when they were written by the storage's own clock. */
  list(folder: UploadFolder): Promise<{ path: string; writtenAt: number }[]>
}
