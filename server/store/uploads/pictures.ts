// Pictures that people upload. Names are new and never reused, so that clients may cache a path indefinitely and removing a
// file never removes another upload.
import { randomText } from '../../base/secret/secrets.ts'
import type { ImageType } from '../../domain/formats/image.ts'
import type { Executor } from '../engine/engine.ts'
import { openUploadPlace, type UploadParts } from './open.ts'

export interface Uploads {
  /** Stores the bytes durably and returns the path below `/api/uploads/`. */
  save(folder: 'airlines', bytes: Uint8Array, type: ImageType): Promise<string>
  /** Undefined if there is no such file. */
  read(path: string): Promise<{ bytes: Buffer; type: ImageType } | undefined>
  remove(path: string): Promise<void>
  /** All paths. */
  list(): Promise<string[]>
  /** Restores a file under its former path. If uploads are in the database, pass the transaction if there is one. */
  restore(path: string, bytes: Uint8Array, tx?: Executor): Promise<void>
}

/** Paths of any other form are rejected before the storage is accessed. */
export const isUploadPath = (path: string): boolean => pathPattern.test(path)
const pathPattern = /^airlines\/[a-z2-7]{24}\.(png|jpg|webp|svg)$/

export function createUploads(parts: UploadParts): Uploads {
  const place = openUploadPlace(parts)
  return {
    async save(folder, bytes, type) {
      const path = `${folder}/${randomText(24)}.${type}`
      await place.write(path, bytes)
      return path
    },
    async read(path) {
      const type = pathPattern.exec(path)?.[1] as ImageType | undefined
      const bytes = type && (await place.read(path))
      return type && bytes && { bytes, type }
    },
    async remove(path) {
      if (isUploadPath(path)) await place.remove(path)
    },
    list: async () =>
      (await place.list('airlines'))
        .map(({ path }) => path)
        .filter(isUploadPath)
        .sort(),
    async restore(path, bytes, tx) {
      if (!isUploadPath(path)) throw new Error('this is not the path of an upload')
      await place.write(path, bytes, tx)
    },
  }
}
