// Files that people upload, in a folder that every process of the instance shares. Each upload gets a new name
// that is never used again: clients may cache a path indefinitely, and removing one file never removes another upload.
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { randomText } from '../base/secrets.ts'
import type { ImageType } from '../domain/image.ts'

export interface Uploads {
  /** Stores the bytes safely on disk and returns the path below `/api/uploads/`. */
  save(folder: 'airlines', bytes: Uint8Array, type: ImageType): Promise<string>
  /** Undefined if there is no such file. */
  read(path: string): Promise<{ bytes: Buffer; type: ImageType } | undefined>
  remove(path: string): Promise<void>
  /** All paths. */
  list(): Promise<string[]>
  /** Puts a file back under the path it had. */
  restore(path: string, bytes: Uint8Array): Promise<void>
}

/** Every stored path has this form; no other path reaches the file system. */
export const isUploadPath = (path: string): boolean => pathPattern.test(path)
const pathPattern = /^airlines\/[a-z2-7]{24}\.(png|jpg|webp|svg)$/

export function createUploads(dataDir: string): Uploads {
  const root = join(dataDir, 'uploads')

  async function write(path: string, bytes: Uint8Array): Promise<void> {
    await mkdir(dirname(join(root, path)), { recursive: true })
    const unfinished = join(root, `${path}.part`)
    try {
      await writeSafely(unfinished, bytes)
      await rename(unfinished, join(root, path))
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
  }

  return {
    async save(folder, bytes, type) {
      const path = `${folder}/${randomText(24)}.${type}`
      await write(path, bytes)
      return path
    },
    async read(path) {
      const type = pathPattern.exec(path)?.[1] as ImageType | undefined
      if (!type) return undefined
      try {
        return { bytes: await readFile(join(root, path)), type }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    },
    async remove(path) {
      if (pathPattern.test(path)) await rm(join(root, path), { force: true })
    },
    async list() {
      const names = await readdir(join(root, 'airlines')).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return []
        throw error
      })
      return names
        .map((name) => `airlines/${name}`)
        .filter(isUploadPath)
        .sort()
    },
    async restore(path, bytes) {
      if (!isUploadPath(path)) throw new Error('there can be no upload under this path')
      await write(path, bytes)
    },
  }
}

async function writeSafely(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx')
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}
