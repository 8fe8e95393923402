import type { Executor } from './engine.ts'

/** Where uploads are kept. Every path that reaches it has the form of one. */
export interface UploadPlace {
  write(path: string, bytes: Uint8Array, tx?: Executor): Promise<void>
  read(path: string): Promise<Buffer | undefined>
  remove(path: string): Promise<void>
  list(): Promise<string[]>
}
