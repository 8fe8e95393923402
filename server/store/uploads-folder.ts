// Uploads as files, in a folder that every process of the instance shares.
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { UploadPlace } from './upload-place.ts'

export function keptInFolder(dataDir: string): UploadPlace {
  const root = join(dataDir, 'uploads')
  return {
    async write(path, bytes) {
      await mkdir(dirname(join(root, path)), { recursive: true })
      const unfinished = join(root, `${path}.part`)
      try {
        await writeSafely(unfinished, bytes)
        await rename(unfinished, join(root, path))
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
    },
    read: (path) => readFile(join(root, path)).catch(unlessMissing(undefined)),
    remove: (path) => rm(join(root, path), { force: true }),
    async list() {
      const names = await readdir(join(root, 'airlines')).catch(unlessMissing<string[]>([]))
      return names.map((name) => `airlines/${name}`)
    },
  }
}

const unlessMissing =
  <Value>(value: Value) =>
  (error: NodeJS.ErrnoException): Value => {
    if (error.code === 'ENOENT') return value
    throw error
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
