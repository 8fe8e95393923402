// The files that people bring in, as they were sent, in a folder that every process of the instance shares. Names are
// random and never used again; what is inside is read only in a thread.
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { randomText } from '../base/secrets.ts'

export interface ImportFiles {
  /** Stores the bytes safely on disk and returns their name. */
  save(bytes: Uint8Array): Promise<string>
  /** Undefined if there is no such file. */
  read(name: string): Promise<Buffer | undefined>
  has(name: string): Promise<boolean>
  remove(name: string): Promise<void>
  /** All of them, those that were never finished included, with when they were last written. */
  list(): Promise<{ name: string; writtenAt: number }[]>
}

/** Every stored name has this form; no other name reaches the file system. */
const nameForm = /^[a-z2-7]{24}(\.part)?$/

export function createImportFiles(dataDir: string): ImportFiles {
  const folder = join(dataDir, 'imports')

  return {
    async save(bytes) {
      const name = randomText(24)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const unfinished = join(folder, `${name}.part`)
      try {
        await writeSafely(unfinished, bytes)
        await rename(unfinished, join(folder, name))
        await syncFolder(folder)
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
      return name
    },
    async read(name) {
      if (!nameForm.test(name)) return undefined
      return readFile(join(folder, name)).catch(ifThere)
    },
    async has(name) {
      return nameForm.test(name) && (await stat(join(folder, name)).catch(ifThere)) !== undefined
    },
    async remove(name) {
      if (nameForm.test(name)) await rm(join(folder, name), { force: true })
    },
    async list() {
      const names = ((await readdir(folder).catch(ifThere)) ?? []).filter((name) => nameForm.test(name))
      const found = await Promise.all(
        names.map(async (name) => ({ name, file: await stat(join(folder, name)).catch(ifThere) })),
      )
      return found.flatMap(({ name, file }) => (file ? { name, writtenAt: file.mtimeMs } : []))
    },
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

/** Without it the name itself may be lost with the power. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
