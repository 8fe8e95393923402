// Uploads as files in folders that all processes of the instance share.
import { copyFile, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { UploadFolder, UploadPlace } from './place.ts'

const rootOf = (dataDir: string, folder: UploadFolder): string =>
  folder === 'airlines' ? join(dataDir, 'uploads') : dataDir

export function keptInFolder(dataDir: string): UploadPlace {
  const fileOf = (path: string) => join(rootOf(dataDir, path.split('/', 1)[0] as UploadFolder), path)
  return {
    write: (path, bytes) => place(fileOf(path), (unfinished) => writeSafely(unfinished, bytes)),
    take: (path, given) => place(fileOf(path), (unfinished) => move(given.path, unfinished)),
    read: (path) => readFile(fileOf(path)).catch(ifThere),
    has: async (path) => (await stat(fileOf(path)).catch(ifThere)) !== undefined,
    remove: (path) => rm(fileOf(path), { force: true }),
    async list(folder) {
      const names = (await readdir(join(rootOf(dataDir, folder), folder)).catch(ifThere)) ?? []
      const found = await Promise.all(
        names.map(async (name) => {
          const path = `${folder}/${name}`
          const file = await stat(fileOf(path)).catch(ifThere)
          return file ? [{ path, writtenAt: file.mtimeMs }] : []
        }),
      )
      return found.flat()
    },
  }
}

/** The file gets its name only when it is complete. */
async function place(file: string, make: (unfinished: string) => Promise<void>): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const unfinished = `${file}.part`
  try {
    await make(unfinished)
    await rename(unfinished, file)
    await syncFolder(dirname(file))
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/** The folder may be on a different disk, shared by several machines; then the file is copied. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    await copyFile(from, to)
    await sync(to, 'r+')
  }
}

function ifThere(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined
  throw error
}

async function writeSafely(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Otherwise a power failure could lose the file's name. */
const syncFolder = (folder: string): Promise<void> => sync(folder, 'r')

async function sync(path: string, flags: 'r' | 'r+'): Promise<void> {
  const handle = await open(path, flags)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
